// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a Kubernetes node, or a cloud, tells beside switches: NVLink domains, and Slurm's own words.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_NODE_PLACE_H
#define OMPI_MCA_HITOPO_FILE_YAML_NODE_PLACE_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

namespace hitopo {

// Adds to the place's side resources what component nvml tells, too: nvlink://Domain, and where the name
// is NVIDIA's UUID.NUMBER, by that, nvlink://Clique. Nothing of a name that is empty or `unknown`.
// source: where the name stands.
void add_nvlink(std::string_view name, const std::string& source, const Placeholders& unknown,
                SwitchPlace& place);

// By its labels (file/yaml/node_labels.h; `keys`: hitopo_file_labels), or without those by Slinky's
// annotation
//   topology.slinky.slurm.net/spec: TOPOLOGY:SWITCH:..:SWITCH,TOPOLOGY:BLOCK
// with the leaf last: the first topology places the node, a tree before blocks. A topology whose name
// has "block" in it is one of blocks. The side resources are by the first of these that it has:
//   labels nvidia.com/gpu.clique, accelerator.topograph.run/domain,
//   network.topology.nvidia.com/accelerator; annotation topograph.run/cluster-id; Slinky's block.
// Nothing where it has none of all these. metadata: the node's. source: where the node stands.
std::optional<SwitchPlace> place_of_node(const YamlValue& metadata, const std::vector<std::string>& keys,
                                         const std::string& source, const Placeholders& unknown);

}  // namespace hitopo

#endif
