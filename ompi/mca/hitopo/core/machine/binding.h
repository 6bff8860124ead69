// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Simulated bindings: the CPUs that each process of a node would get under a rule.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_BINDING_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_BINDING_H

#include <cstddef>
#include <string_view>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {

// Whether `text` is a rule: "none", "core", "socket", "numa", "hwthread" or a type of the catalogue, in
// any case, with or without "hwloc://". Any other text is a list for CpuSet::parse.
bool is_binding_rule(std::string_view text);

// The same rule in at most kMaxRuleLength bytes: "none", or the type's name; "" for any other text.
inline constexpr std::size_t kMaxRuleLength = 15;
std::string_view short_rule(std::string_view text);

// The CPUs of the `index`-th process (from 0) of a node under a rule. "none" is all CPUs; under a type,
// process i gets instance i modulo their number, instances in the order of their lowest CPU. All CPUs if
// the machine lacks the type, or `rule` is no rule.
CpuSet bind_by_rule(const Machine& machine, std::string_view rule, int index);

}  // namespace hitopo

#endif
