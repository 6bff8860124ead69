// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Explicit values below the node (component file): their sibling numbers, node by node.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_INNER_VALUES_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_INNER_VALUES_H

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

class InnerValues {
public:
    // plan: must outlive this.
    explicit InnerValues(const Plan& plan);

    // Whether explicit values replace any of the machine's in that node of the plan.
    bool has(std::uint32_t node) const { return has_values(plan_.nodes[node]); }

    // Puts rank's numbers and names in place of the machine's. Only where has(its node).
    void apply(std::uint32_t rank, Pattern& pattern) const;

private:
    static bool has_values(const NodePlan& node) {
        return node.l2numa_component != 0 || node.inner_component != 0;
    }
    using Numbers = std::array<std::int32_t, kNumLevels>;

    const RawValue* value_of(std::uint32_t rank, Level level) const;
    void number_level(const std::vector<std::uint32_t>& ranks, Level level);

    const Plan& plan_;
    std::map<std::uint32_t, Numbers> numbers_;  // by rank
};

}  // namespace hitopo

#endif
