// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Networks in YAML and JSON: Slurm's topology.yaml, labels of Kubernetes' nodes, and lists of a cloud's
// instances.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_TOPOLOGY_YAML_H
#define OMPI_MCA_HITOPO_FILE_YAML_TOPOLOGY_YAML_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/skipped.h"
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

namespace hitopo {

// What a user points at, and for whom.
struct TopologyQuestion {
    std::string path;      // of the file, for errors and sources
    std::string host;      // by the rule of is_same_host
    std::string topology;  // one of topology.yaml's by name; "": see find_in_topology_yaml
    std::vector<std::string> labels = {};  // keys of node labels, the closest first; none: known ones
};

// Whether the first line that is neither empty nor a comment is one of a YAML or JSON document.
bool is_yaml(std::string_view text);

// Where the host hangs, without levels if the file names it and does not tell; nothing if it does not.
// The file is one of
//   Slurm's topology.yaml: the named topology's tree, blocks, rings or toruses; without a name the one
//   with
//       cluster_default, and where that does not have the host, the first that has. The topology's name
//       stands in the path of its names: two topologies may have a block1 each.
//   `kubectl get nodes -o yaml` (or json): by its labels (place_of_node). A node is looked up
//   by its
//       name and its label kubernetes.io/hostname.
//   a list of instances, Topograph's, AWS's or Google's (are_instances).
// What breaks their rules, or is of a kind that is not known, costs itself and is added to `skipped`.
// kMalformed, with the position, where it is none of them, or nothing of it can be read; also where it
// tells of nodes with labels, and no node has one that is looked for.
Result<std::optional<SwitchPlace>> find_in_topology_yaml(const YamlDocuments& documents,
                                                         const TopologyQuestion& question,
                                                         Skipped& skipped);

// ---- its parts ----

// Where the host hangs, by the topology that the question names; without a name by the one with
// cluster_default, and where that does not have the host, the first that has. `list`: the document. What
// breaks the rules, or is of a kind that is not known, costs itself and is added to `skipped`.
// kMalformed where no topology of the list can be read, or none is of that name.
Result<std::optional<SwitchPlace>> find_in_slurm_yaml(const YamlValue& list,
                                                      const TopologyQuestion& question,
                                                      Skipped& skipped);

// At the value, without a file.
inline Error malformed(const YamlValue& value, std::string_view offending, const char* message) {
    return {Errc::kMalformed, std::string(offending), message, "", value.line, value.column};
}

// An error that names no file is of the question's.
inline Error in_file(const TopologyQuestion& question, Error error) {
    if (error.where.empty()) {
        error.where = question.path;
    }
    return error;
}

// ---- nodes of Kubernetes: what they tell of switches and NVLink domains ----

// Adds to the place's side resources what component nvml tells, too: nvlink://Domain, and where the name
// is NVIDIA's UUID.NUMBER, by that, nvlink://Clique. Nothing of a name that is empty or a
// placeholder.
// source: where the name stands.
void add_nvlink(std::string_view name, const std::string& source, SwitchPlace& place);

// By those of its labels that are `keys` (hitopo_file_labels), the closest first, or where that is
// empty, of the first of these families of which the node has one:
//   fabric.topograph.run/tier-0, -1, ..         Topograph from 1.0 on
//   network.topology.nvidia.com/leaf, spine, core; without leaf, accelerator; of old, block and
//   datacenter topology.k8s.aws/network-node-layer-3, -2, -1; the highest number is the closest
//   cloud.google.com/gce-topology-subblock, block; its host is no switch
//   accelerator.topograph.run/sub-domain, domain
// The closest is the switch, if the node has it; all others are the island, the outermost first in its
// path; the place's sources name the labels. The side resources are by the first of these that it has:
//   labels nvidia.com/gpu.clique, accelerator.topograph.run/domain,
//   network.topology.nvidia.com/accelerator; annotation topograph.run/cluster-id.
// Nothing where it has none of all these. metadata: the node's. source: where the node stands.
std::optional<SwitchPlace> place_of_node(const YamlValue& metadata, const std::vector<std::string>& keys,
                                         const std::string& source);

// ---- lists of a cloud's instances ----

// Whether it is an instance, or a list of some, of one of these:
//   Topograph's graph engine: "id", and "network_layers" with the leaf first.
//   AWS's DescribeInstanceTopology: "InstanceId", and "NetworkNodes" with the one next to the host last.
//     "CapacityBlockId", which only UltraServers have, is their nvlink://Domain.
//   Google's Compute Engine: "name", and in "resourceStatus" either "physicalHostTopology", with "block"
//     and "subblock", or "physicalHost", as BLOCK/SUBBLOCK/HOST. The sub-block is the switch; no host is
//     one. Or its "kind" is compute#instance.
bool are_instances(const YamlValue& value);

// Where the host hangs, by the first instance of its name that tells; nothing if none has its name;
// without levels if none tells, or all that is told is unknown.
std::optional<SwitchPlace> find_in_instances(const YamlValue& instances,
                                             const TopologyQuestion& question);

}  // namespace hitopo

#endif
