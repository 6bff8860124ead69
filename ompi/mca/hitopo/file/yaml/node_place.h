// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a Kubernetes node tells of its place: labels, NVLink domains, and Slurm's own words.
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

// By those of its labels that are `keys` (hitopo_file_labels), the closest first, or where that is
// empty, of the first of these families of which the node has one:
//   fabric.topograph.run/tier-0, -1, ..         Topograph from 1.0 on
//   network.topology.nvidia.com/leaf, spine, core; without leaf, accelerator; of old, block, datacenter
//   topology.k8s.aws/network-node-layer-3, -2, -1; the highest number is the closest
//   cloud.google.com/gce-topology-subblock, block; its host is no switch
//   accelerator.topograph.run/sub-domain, domain
// The closest is the switch, if the node has it; all others are the island, the outermost first in its
// path; the place's sources name the labels. Without such labels, by Slinky's annotation
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
