// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lists of a cloud's instances that tell where in the network each one is.
#ifndef OMPI_MCA_HITOPO_FILE_INSTANCE_LIST_H
#define OMPI_MCA_HITOPO_FILE_INSTANCE_LIST_H

#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/file/yaml_value.h"

namespace hitopo {

// Each answers where `host` hangs, by the rule of is_same_host, and nothing if the list does not name
// it; without levels if it does not tell, or tells what is `unknown`. `path` is the file, for the
// place's source.

// Topograph's graph engine: "id", and "network_layers" with the leaf first.
std::optional<SwitchPlace> find_in_topograph_instances(const YamlValue& list, const std::string& host,
                                                       const std::string& path,
                                                       const Placeholders& unknown);

// AWS's DescribeInstanceTopology: "InstanceId", and "NetworkNodes" with the one next to the host last.
std::optional<SwitchPlace> find_in_aws_instances(const YamlValue& list, const std::string& host,
                                                 const std::string& path, const Placeholders& unknown);

// Google's Compute Engine: "name", and in "resourceStatus" either "physicalHostTopology", with "block"
// and "subblock", or "physicalHost", as BLOCK/SUBBLOCK/HOST. The sub-block is the switch; no host is
// one.
std::optional<SwitchPlace> find_in_google_instances(const YamlValue& list, const std::string& host,
                                                    const std::string& path,
                                                    const Placeholders& unknown);

// Whether it is one of those for find_in_google_instances.
bool is_google_list(const YamlValue& list);

}  // namespace hitopo

#endif
