// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Labels of Kubernetes nodes that tell where in the network the node is.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_NODE_LABELS_H
#define OMPI_MCA_HITOPO_FILE_YAML_NODE_LABELS_H

#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

namespace hitopo {

// A label of a node; the value is "" where the node lacks it.
struct NodeLabel {
    std::string key;
    std::string_view value;  // of the document
};

// The labels that place a node, the closest first; empty where it has none. `labels` is a map. They are
// those of `keys` (hitopo_file_labels), or where that is empty, of the first of these families of which
// the node has one:
//   fabric.topograph.run/tier-0, -1, ..         Topograph from 1.0 on
//   network.topology.nvidia.com/leaf, spine, core; without leaf, accelerator; of old, block and
//   datacenter topology.k8s.aws/network-node-layer-3, -2, -1; the highest number is the closest
//   cloud.google.com/gce-topology-subblock, block; its host is no switch
//   accelerator.topograph.run/sub-domain, domain
std::vector<NodeLabel> placing_labels(const YamlValue& labels, const std::vector<std::string>& keys);

// The closest is the switch, if the node has it; all others are the island, the outermost first in its
// path. `source`: where the labels stand; the place's sources name the labels too. Levels are empty
// where all values are.
SwitchPlace place_by_labels(const std::vector<NodeLabel>& labels, const std::string& source,
                            const Placeholders& unknown);

}  // namespace hitopo

#endif
