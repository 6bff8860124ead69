// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/selection.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
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
    const auto for_each_answer = [&](auto visit) {
        for (const NodeRecord* record : node) {
            for (const LevelAnswer* answer : {&record->best[level], &record->forced[level]}) {
                if (answer->is_known()) {
                    visit(*record, *answer);
                }
            }
        }
    };
    std::uint32_t component = 0;
    std::optional<Candidate> best;
    for_each_answer([&](const NodeRecord&, const LevelAnswer& answer) {
        const Candidate candidate = {message.names[answer.component], answer.priority};
        if (!best || is_preferred(candidate, *best, forced)) {
            best = candidate;
            component = answer.component;
        }
    });
    Selected selected;
    for_each_answer([&](const NodeRecord& record, const LevelAnswer& answer) {
        if (answer.component != component) {
            return;
        }
        if (!selected.answer.is_known()) {
            selected = {answer, record.ranks.front(), std::nullopt,
                        (level == kSwitch || level == kIsland) && record.uplinks_component == component};
        } else if (!selected.other_rank && answer.value != selected.answer.value) {
            selected.other_rank = record.ranks.front();
        }
    });
    return selected;
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
    Keyed<std::vector<const NodeRecord*>> nodes;
    for (const NodeRecord* record : order) {
        nodes[record->node_id].push_back(record);
    }
    return nodes.take();
}

std::vector<std::uint32_t> hosts_to_ask(const std::vector<NodeRecord>& records) {
    struct Host {
        std::uint32_t lowest_rank = UINT32_MAX;
        bool is_asked = false;
    };
    Keyed<Host> hosts;
    for (const NodeRecord& record : records) {
        Host& host = hosts[record.host_id];
        host.lowest_rank = std::min(host.lowest_rank, record.ranks.front());
        host.is_asked = host.is_asked || record.is_host_asked;
    }
    std::vector<std::uint32_t> ranks;
    for (const Host& host : hosts.take()) {
        if (!host.is_asked) {
            ranks.push_back(host.lowest_rank);
        }
    }
    return ranks;
}

std::vector<SwitchToAsk> switches_to_ask(const RecordMessage& message) {
    Keyed<SwitchToAsk> all;  // by component and value
    const std::string_view forced[] = {forced_component(message, kIsland),
                                       forced_component(message, kSwitch)};
    for (const std::vector<const NodeRecord*>& node : records_by_node(message.records)) {
        for (const Level level : {kIsland, kSwitch}) {
            const Selected selected = select_answer(message, node, level, forced[level - kIsland]);
            if (!selected.can_have_uplinks) {
                continue;
            }
            SwitchToAsk& own =
                all[std::uint64_t{selected.answer.component} << 32 | selected.answer.value];
            own = {std::min(own.rank, selected.rank), selected.answer.component};
        }
    }
    return all.take();
}

}  // namespace hitopo
