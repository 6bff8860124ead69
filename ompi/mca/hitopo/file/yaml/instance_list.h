// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lists of a cloud's instances that tell where in the network each one is.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_INSTANCE_LIST_H
#define OMPI_MCA_HITOPO_FILE_YAML_INSTANCE_LIST_H

#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

namespace hitopo {

struct InstanceQuestion {
    const std::string& host;  // by the rule of is_same_host
    const std::string& path;  // of the file, for the place's source
    const Placeholders& unknown;
};

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
                                             const InstanceQuestion& question);

}  // namespace hitopo

#endif
