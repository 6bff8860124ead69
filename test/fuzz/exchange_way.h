// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzers of the exchange go its whole way from the sum of all summaries to a table, of which
// everything is asked.
#ifndef TEST_FUZZ_EXCHANGE_WAY_H
#define TEST_FUZZ_EXCHANGE_WAY_H

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/directory.h"
#include "ompi/mca/hitopo/core/exchange/summary.h"
#include "ompi/mca/hitopo/core/table/table.h"
#include "test/core/table/all_questions.h"
#include "test/fuzz/require.h"

namespace hitopo {

inline bool is_index(std::int64_t index, std::size_t size) {
    return index >= 0 && index < static_cast<std::int64_t>(size);
}
inline bool is_index_or_none(std::int64_t index, std::size_t size) {
    return index == -1 || is_index(index, size);
}

inline void require_sound(const Summary& summary, const Plan& plan, std::size_t num_processes) {
    std::vector<bool> is_there(num_processes, false);
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        for (const Member& member : members_of(summary, plan, node)) {
            require(member.rank < num_processes && !is_there[member.rank]);
            is_there[member.rank] = true;
        }
    }
    require(std::find(is_there.begin(), is_there.end(), false) == is_there.end());
    for (const std::uint32_t leader : plan.leaders) {
        require(leader < num_processes);
    }
    for (const std::uint32_t rank : plan.unspoken) {
        require(rank < num_processes);
    }
}

inline void require_sound(const DictionaryDraft& dictionary, const NodeInfo& node,
                          const Pattern& pattern) {
    const std::vector<int>& instances = pattern.placement.instances;
    for (std::size_t type = 0; type < instances.size(); ++type) {
        require(node.machine >= 0);
        const std::vector<MachineType>& types =
            dictionary.machines[static_cast<std::size_t>(node.machine)].types();
        require(instances.size() == types.size());
        require(is_index_or_none(instances[type], types[type].instances.size()));
    }
}

inline void require_sound(const Directory& directory, std::size_t num_processes) {
    const DictionaryDraft& dictionary = directory.dictionary;
    require(dictionary.warnings.size() <= 8);
    for (const NodeInfo& node : dictionary.nodes) {
        require(is_index_or_none(node.machine, dictionary.machines.size()));
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            require(is_index_or_none(node.values[level], dictionary.values[level].size()));
        }
    }
    const Sequences& patterns = directory.occupancy.patterns;
    std::size_t num_placed = 0;
    for (const Occupancy::Node& node : directory.occupancy.nodes) {
        require(node.node < dictionary.nodes.size() && node.patterns < patterns.size());
        require(patterns.length(node.patterns) == node.ranks.size());
        num_placed += node.ranks.size();
        std::for_each(
            patterns.begin(node.patterns), patterns.end(node.patterns), [&](std::uint32_t pattern) {
                require(pattern < dictionary.patterns.size());
                require_sound(dictionary, dictionary.nodes[node.node], dictionary.patterns[pattern]);
            });
    }
    require(num_placed == num_processes && directory.occupancy.num_processes == num_processes);
}

// Any bytes, and what leaders told: refused, or a table in which every index is in range.
inline void go_the_way(std::string_view bytes, const std::vector<std::string>& led,
                       std::size_t num_processes) {
    const Result<Summary> summary = Summary::decode(bytes, num_processes);
    if (!summary) {
        require(summary.error().code == Errc::kDisagree);
        return;
    }
    require(Summary::decode(summary->encode(1), num_processes).is_ok());
    Result<Plan> plan = make_plan(*summary, num_processes);
    if (!plan) {
        require(plan.error().code == Errc::kDisagree && !plan.error().value.empty());
        return;
    }
    require_sound(*summary, *plan, num_processes);
    Directory directory = make_directory(*summary, *plan, led);
    require_sound(directory, num_processes);
    const Table made(std::move(directory.dictionary), directory.occupancy);
    const auto block = std::make_shared<const std::string>(made.to_block());
    const std::optional<Table> table = Table::from_block(block, *block, num_processes);
    require(table.has_value());
    require(first_wrong_answer(*table).empty());
    const Table part = table->restrict_to({static_cast<std::uint32_t>(table->size() - 1), 0});
    require(first_wrong_answer(part).empty());
}

}  // namespace hitopo

#endif
