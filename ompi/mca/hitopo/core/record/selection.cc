// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/selection.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

// A component that knows a level of a node.
struct Contender {
    LevelAnswer answer;          // of its lowest rank
    std::int32_t best_priority;  // of all its records
    const NodeRecord* first;
    std::optional<std::uint32_t> other_rank;
};

void add(const LevelAnswer& answer, const NodeRecord& record, std::vector<Contender>& all) {
    if (!answer.is_known()) {
        return;
    }
    const auto known = std::find_if(all.begin(), all.end(), [&](const Contender& contender) {
        return contender.answer.component == answer.component;
    });
    if (known == all.end()) {
        all.push_back({answer, answer.priority, &record, std::nullopt});
        return;
    }
    known->best_priority = std::max(known->best_priority, answer.priority);
    if (!known->other_rank && answer.value != known->answer.value) {
        known->other_rank = record.ranks.front();
    }
}

}  // namespace

std::string forcing_key(Level level) { return "hitopo_base_level_" + std::string(level_name(level)); }

std::string_view forced_component(const RecordMessage& message, Level level) {
    for (const NodeRecord& record : message.records) {
        if (record.ranks.front() == 0) {
            return value_of(message.settings[record.settings], forcing_key(level)).value_or("");
        }
    }
    return {};
}

bool is_preferred(const Candidate& a, const Candidate& b, std::string_view forced) {
    if ((a.name == forced) != (b.name == forced)) {
        return a.name == forced;
    }
    return a.priority != b.priority ? a.priority > b.priority : a.name < b.name;
}

Selected select_answer(const RecordMessage& message, const std::vector<const NodeRecord*>& node,
                       Level level, std::string_view forced) {
    std::vector<Contender> all;
    for (const NodeRecord* record : node) {
        add(record->best[level], *record, all);
        add(record->forced[level], *record, all);
    }
    const auto candidate = [&](const Contender& one) {
        return Candidate{message.names[one.answer.component], one.best_priority};
    };
    const auto is_better = [&](const Contender& a, const Contender& b) {
        return is_preferred(candidate(a), candidate(b), forced);
    };
    const auto best = std::min_element(all.begin(), all.end(), is_better);
    if (best == all.end()) {
        return {};
    }
    return {best->answer, best->first->ranks.front(), best->other_rank,
            (level == kSwitch || level == kIsland) &&
                best->first->uplinks_component == best->answer.component};
}

std::vector<std::vector<const NodeRecord*>> records_by_node(const std::vector<NodeRecord>& records) {
    std::vector<const NodeRecord*> order;
    order.reserve(records.size());
    for (const NodeRecord& record : records) {
        order.push_back(&record);
    }
    std::sort(order.begin(), order.end(), [](const NodeRecord* a, const NodeRecord* b) {
        return a->ranks.front() < b->ranks.front();
    });
    std::vector<std::vector<const NodeRecord*>> nodes;
    FlatMap numbers;
    for (const NodeRecord* record : order) {
        const std::uint32_t node = numbers.number_of(record->node_id);
        nodes.resize(numbers.size());
        nodes[node].push_back(record);
    }
    return nodes;
}

std::vector<std::uint32_t> hosts_to_ask(const std::vector<NodeRecord>& records) {
    struct Host {
        std::uint32_t lowest_rank;
        bool is_asked;
    };
    std::vector<Host> hosts;
    FlatMap numbers;
    for (const NodeRecord& record : records) {
        const std::uint32_t number = numbers.number_of(record.host_id);
        if (number == hosts.size()) {
            hosts.push_back({record.ranks.front(), false});
        }
        Host& host = hosts[number];
        host.lowest_rank = std::min(host.lowest_rank, record.ranks.front());
        host.is_asked = host.is_asked || record.is_host_asked;
    }
    std::vector<std::uint32_t> ranks;
    for (const Host& host : hosts) {
        if (!host.is_asked) {
            ranks.push_back(host.lowest_rank);
        }
    }
    return ranks;
}

std::vector<SwitchToAsk> switches_to_ask(const RecordMessage& message) {
    std::vector<SwitchToAsk> all;
    FlatMap numbers;  // by component and value
    const std::string_view forced[] = {forced_component(message, kIsland),
                                       forced_component(message, kSwitch)};
    for (const std::vector<const NodeRecord*>& node : records_by_node(message.records)) {
        for (const Level level : {kIsland, kSwitch}) {
            const Selected selected = select_answer(message, node, level, forced[level - kIsland]);
            if (!selected.can_have_uplinks) {
                continue;
            }
            const std::uint64_t key =
                std::uint64_t{selected.answer.component} << 32 | selected.answer.value;
            const std::uint32_t number = numbers.number_of(key);
            if (number == all.size()) {
                all.push_back({selected.rank, selected.answer.component});
            }
            all[number].rank = std::min(all[number].rank, selected.rank);
        }
    }
    return all;
}

}  // namespace hitopo
