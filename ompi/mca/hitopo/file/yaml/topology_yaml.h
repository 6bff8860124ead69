// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Networks in YAML and JSON: Slurm's topology.yaml, what Topograph leaves in Kubernetes, and lists of a
// cloud's instances.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_TOPOLOGY_YAML_H
#define OMPI_MCA_HITOPO_FILE_YAML_TOPOLOGY_YAML_H

#include <optional>
#include <string>
#include <string_view>
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
    Placeholders unknown = Placeholders();
};

// Whether some line is neither empty nor a comment.
bool has_line(std::string_view text);

// Whether the first such line is one of a YAML or JSON document.
bool is_yaml(std::string_view text);

// Where the host hangs, without levels if the file names it and does not tell; nothing if it does not.
// The file is one of
//   Slurm's topology.yaml: the named topology's tree, blocks, rings or toruses; without a name the one
//   with
//       cluster_default, and where that does not have the host, the first that has. The topology's name
//       stands in the path of its names: two topologies may have a block1 each.
//   `kubectl get nodes -o yaml` (or json): by its labels (file/yaml/node_place.h). A node is looked up
//   by its
//       name and its label kubernetes.io/hostname.
//   `kubectl get configmap -o yaml`: the first topology.conf or topology.yaml in its data.
//   a list of instances, Topograph's, AWS's or Google's (file/yaml/instance_list.h).
// What breaks their rules, or is of a kind that is not known, costs itself and is added to `skipped`.
// kMalformed, with the position, where it is none of them, or nothing of it can be read; also where it
// tells of nodes with labels, and no node has one that is looked for.
Result<std::optional<SwitchPlace>> find_in_topology_yaml(const std::string& text,
                                                         const TopologyQuestion& question,
                                                         const YamlParser& parse, Skipped& skipped);

// The same of what the text was parsed to. `parse` is for a text that is a value in it.
Result<std::optional<SwitchPlace>> find_in_topology_yaml(const YamlDocuments& documents,
                                                         const TopologyQuestion& question,
                                                         const YamlParser& parse, Skipped& skipped);

}  // namespace hitopo

#endif
