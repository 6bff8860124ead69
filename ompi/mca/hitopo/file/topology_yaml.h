// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Networks in YAML and JSON: Slurm's topology.yaml, what Topograph leaves in Kubernetes, and lists of a
// cloud's instances.
#ifndef OMPI_MCA_HITOPO_FILE_TOPOLOGY_YAML_H
#define OMPI_MCA_HITOPO_FILE_TOPOLOGY_YAML_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/file/yaml_value.h"

namespace hitopo {

// What a user points at, and for whom.
struct TopologyQuestion {
    std::string path;      // of the file, for errors and sources
    std::string host;      // also looked up in its short form
    std::string topology;  // one of topology.yaml's by name; "": see find_in_topology_yaml
    std::vector<std::string> labels = {};  // keys of node labels, the closest first; none: known ones
};

// Whether the first line that is neither empty nor a comment is one of a YAML or JSON document.
bool is_yaml(std::string_view text);

// Where the host hangs; nothing if the file does not tell. The file is one of
//   Slurm's topology.yaml: the named topology's tree or blocks; without a name the one with
//       cluster_default, and where that does not have the host, the first that has. The topology's name
//       stands in the path of its names: two topologies may have a block1 each.
//   `kubectl get nodes -o yaml` (or json): by its labels (file/node_labels.h).
//   `kubectl get configmap -o yaml`: the first topology.conf or topology.yaml in its data.
//   a list of instances, Topograph's, AWS's or Google's (file/instance_list.h).
// kMalformed, with the position, where it is none of them or breaks their rules; also where it tells of
// nodes with labels, and no node has one that is looked for.
Result<std::optional<SwitchPlace>> find_in_topology_yaml(const std::string& text,
                                                         const TopologyQuestion& question,
                                                         const YamlParser& parse);

// The same of what the text was parsed to. `parse` is for a text that is a value in it.
Result<std::optional<SwitchPlace>> find_in_topology_yaml(const YamlDocuments& documents,
                                                         const TopologyQuestion& question,
                                                         const YamlParser& parse);

}  // namespace hitopo

#endif
