// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Simulated bindings: which CPUs each process of a node would get under a rule.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_BINDING_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_BINDING_H

#include <cstddef>
#include <string_view>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {

// Whether `text` is a rule: "none", "core", "socket", "numa", "hwthread" or a type of the catalogue, in
// any case, with or without "hwloc://". What is no rule is a list or mask for CpuSet::parse.
bool is_binding_rule(std::string_view text);

// The same rule in at most kMaxRuleLength bytes: "none", or the type's name; "" for what is no rule.
inline constexpr std::size_t kMaxRuleLength = 15;
std::string_view short_rule(std::string_view text);

// The CPUs of the `index`-th process (from 0) of a node under a rule. "none" is all CPUs; under a type,
// process i gets instance i modulo their number, instances in the order of their lowest CPU. A machine
// without that type, and what is no rule, gives all CPUs.
CpuSet bind_by_rule(const Machine& machine, std::string_view rule, int index);

}  // namespace hitopo

#endif
