// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TREE_SIDE_SETS_H
#define OMPI_MCA_HITOPO_CORE_TREE_SIDE_SETS_H

#include <cstdint>
#include <map>
#include <vector>

#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

namespace hitopo {

// The distinct sets of side resources that processes have, from what records say.
class SideSets {
public:
    // message: must outlive this.
    explicit SideSets(const RecordMessage& message) : message_(message) { (void)number_of({}); }

    // What holds for the processes of a record, in a node with these records: of each type the value of
    // the highest priority among its own and those that count for the node; where two are equal, its
    // own, then the first. 0: none.
    std::uint32_t of_record(const NodeRecord& own, const std::vector<const NodeRecord*>& node);

    // Fills side_types and side_sets.
    void list(JobFacts& facts) const;

private:
    std::uint32_t number_of(std::vector<SideValue> values);

    const RecordMessage& message_;
    std::map<std::vector<std::uint32_t>, std::uint32_t> numbers_;  // by types, components and values
    std::vector<std::vector<SideValue>> sets_;
};

}  // namespace hitopo

#endif
