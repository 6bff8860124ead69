// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The facts of one process, and its record.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_MAKE_RECORD_H
#define OMPI_MCA_HITOPO_CORE_RECORD_MAKE_RECORD_H

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/record/node_record.h"

namespace hitopo {

// The answer of one component in one process.
struct ComponentAnswer : Answer {
    std::string component;
    int priority = 0;
    unsigned levels = 0;  // that it can fill: bit l is level l
    int status = 0;       // its return code
};

// The framework's own facts of this process.
struct ProcessFacts {
    std::string host_name;
    std::string boot_id;  // "" where unreadable
    CpuSet cpus;          // all that it may run on
    std::uint64_t shm_device = 0;
    std::uint64_t ipc_namespace = 0;
    bool is_host_asked = false;                  // components were asked for all of the host
    std::array<std::string, kNumLevels> forced;  // component named by hitopo_base_level_<name>
    AgreedSettings settings;                     // each key once; without those of `forced`
};

// The name of the component under which the framework reports the host name, at the lowest priority.
inline constexpr std::string_view kFrameworkComponent = "hitopo";

// A message of one record.
// rank: of this process. The framework's own answer, the host name as the node, is added to the
// components'.
RecordMessage make_record(std::uint32_t rank, const ProcessFacts& facts,
                          const std::vector<ComponentAnswer>& answers);

}  // namespace hitopo

#endif
