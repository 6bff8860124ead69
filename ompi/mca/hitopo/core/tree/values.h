// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The distinct values of network levels and of side resources, and their numbers.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_VALUES_H
#define OMPI_MCA_HITOPO_CORE_TREE_VALUES_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/uplinks.h"
#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

namespace hitopo {

// Distinct values in their order: by the priority of the answer, the component's name, and the value.
class ValueList {
public:
    // Gives a number for the time being.
    std::int32_t add(std::int32_t priority, const std::string& component, RawValue value);
    // numbers: by number for the time being, the one that stays.
    std::vector<NamedValue> in_order(std::vector<std::int32_t>& numbers) const;

private:
    std::map<std::tuple<std::int64_t, std::string, RawValue>, std::int32_t> numbers_;
};

// The values of cluster, island and switch, after leaf switches reported their uplinks.
class LevelValues {
public:
    // message: must outlive this.
    explicit LevelValues(const RecordMessage& message);

    // Adds the answer that fills a level of a node: gives a number as of ValueList, or -1.
    std::int32_t add(Level level, const Selected& selected);
    const ValueList& values(Level level) const { return levels_[level].values; }

private:
    struct OfLevel {
        Keyed<std::optional<std::int32_t>> numbers;  // of distinct answers
        ValueList values;
    };
    std::int32_t add_distinct(Level level, const Selected& selected);

    const RecordMessage& message_;
    std::map<std::pair<std::string, RawValue>, SettledSwitch> settled_;  // by component and value
    std::array<OfLevel, kNode> levels_;
};

// The distinct sets of side resources that processes have.
class SideSets {
public:
    // message: must outlive this.
    explicit SideSets(const RecordMessage& message) : message_(message), sets_{{{}, 0}} {}

    // The number of the set that the processes of a record have, in a node with these records: of each
    // type the value of the highest priority among its own and those that count for the node; where two
    // are equal, its own, then the first. 0: none.
    std::uint32_t of_record(const NodeRecord& own, const std::vector<const NodeRecord*>& node);

    // Fills side_types and side_sets.
    void list(JobFacts& facts) const;

private:
    struct Type {
        std::int32_t order = INT32_MAX;
        ValueList values;
    };
    using Set = std::map<std::uint32_t, std::int32_t>;  // by type, a number as of ValueList

    const RecordMessage& message_;
    std::map<std::uint32_t, Type> types_;  // by name
    std::map<Set, std::uint32_t> sets_;
};

}  // namespace hitopo

#endif
