// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/binding.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ompi/mca/hitopo/core/machine/catalogue.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::string_view kNone = "none";
constexpr std::string_view kScheme = "hwloc://";

// mpirun's words beside hwloc's.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords = {
    {{"socket", "Package"}, {"numa", "NUMANode"}, {"hwthread", "PU"}}};

// The type that a rule names, in any case.
std::string_view type_named(std::string_view rule) {
    rule = trim(rule);
    if (equals_ignoring_case(rule.substr(0, kScheme.size()), kScheme)) {
        return rule.substr(kScheme.size());
    }
    for (const auto& [word, type] : kWords) {
        if (equals_ignoring_case(word, rule)) {
            return type;
        }
    }
    return rule;
}

}  // namespace

std::string_view short_rule(std::string_view text) {
    if (equals_ignoring_case(trim(text), kNone)) {
        return kNone;
    }
    const std::string_view type = type_named(text);
    return is_catalogued(type) && type.size() <= kMaxRuleLength ? type : "";
}

bool is_binding_rule(std::string_view text) { return !short_rule(text).empty(); }

CpuSet bind_by_rule(const Machine& machine, std::string_view rule, int index) {
    const std::string_view name = type_named(rule);
    for (const MachineType& type : machine.types()) {
        // By rank, since plain "Group" is the outermost of "Group0", "Group1", ..
        if (is_catalogued(name) && catalogue_rank(type.name) == catalogue_rank(name)) {
            return type.instances[static_cast<std::size_t>(std::max(index, 0)) % type.instances.size()];
        }
    }
    return machine.cpus();
}

}  // namespace hitopo
