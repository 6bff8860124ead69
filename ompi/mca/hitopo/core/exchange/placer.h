// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where the processes of each node lie in its machine: worked out once for all nodes whose processes
// said the same.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_PLACER_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_PLACER_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/inner_values.h"
#include "ompi/mca/hitopo/core/exchange/occupancy.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"

namespace hitopo {

class Placer {
public:
    // dictionary: with the plan's nodes, in its order, and their machines; gets the patterns. All must
    // outlive this.
    Placer(const Summary& summary, const Plan& plan, DictionaryDraft& dictionary)
        : summary_(summary), plan_(plan), dictionary_(dictionary) {}

    // Once. The nodes are the plan's.
    Occupancy place_all();

    // By the lowest rank that has each: patterns with CPUs that their machine does not have.
    const std::map<std::uint32_t, std::uint32_t>& uncovered() const { return uncovered_; }

private:
    // The index-th process of a node by rank.
    struct Placed {
        std::size_t node;  // of the plan
        Member member;
        std::size_t index;
    };

    Occupancy::Node occupied(std::size_t node);
    std::uint32_t patterns_of(std::size_t node, const std::vector<Member>& members);
    std::uint32_t pattern_of(const Placed& placed, const InnerValues* values);
    Pattern make_pattern(const Placed& placed);
    void list_uncovered();

    const Summary& summary_;
    const Plan& plan_;
    DictionaryDraft& dictionary_;
    Occupancy occupancy_;
    FlatMap usual_;                              // by machine, seating and cohort
    std::vector<std::uint32_t> usual_patterns_;  // sequences, by number in usual_
    FlatMap pattern_numbers_;
    std::vector<std::uint32_t> uncovered_patterns_;  // ascending
    std::map<std::uint32_t, std::uint32_t> uncovered_;
};

}  // namespace hitopo

#endif
