// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Explicit values below the node (component file): their sibling numbers in one node.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_INNER_VALUES_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_INNER_VALUES_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

class InnerValues {
public:
    // The values of nodes[node] of the plan, whose members those are; they must outlive this.
    InnerValues(const Plan& plan, std::size_t node, const std::vector<Member>& members);

    // Whether explicit values replace any of the machine's in a node.
    static bool has(const NodePlan& node) {
        return node.l2numa_component != 0 || node.inner_component != 0;
    }

    // Puts members[index]'s numbers and names in place of the machine's. Only where has(its node).
    void apply(std::size_t index, Pattern& pattern) const;

private:
    using Numbers = std::array<std::int32_t, kNumLevels>;

    std::optional<RawValue> value_of(std::size_t index, Level level) const;
    void number_level(Level level);

    const Plan& plan_;
    const NodePlan& node_;
    const std::vector<Member>& members_;
    std::vector<Numbers> numbers_;  // by member
};

}  // namespace hitopo

#endif
