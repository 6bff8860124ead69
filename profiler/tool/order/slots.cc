// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/slots.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr unsigned bit(Level level) { return 1u << static_cast<unsigned>(level); }
Error wrong_host(std::string what, const std::string& where) {
    return {Errc::kMalformed,
            std::move(what),
            "Name the hosts of the launch with --hostfile, in the order of the table's nodes",
            where,
            0,
            0};
}

}  // namespace

Result<Slots> slots_of(const TableDocument& table, const std::string& where) {
    Slots slots{{}, 0, table.machines};
    for (unsigned level = 0; level < kNumLevels; ++level) {
        slots.known |= table.levels[level].known == Known::kNone ? 0 : 1u << level;
    }
    std::unordered_map<std::string, std::int32_t> nodes;
    for (const RankRow& row : table.ranks) {
        Slot slot;
        slot.host = row.names[kNode].value_or("");
        std::copy(row.address.begin(), row.address.end(), slot.address.begin());
        slot.cpus = row.cpus;
        slot.allowed = row.allowed;
        slot.machine = row.node < 0 || table.nodes.empty()
                           ? -1
                           : table.nodes[static_cast<std::size_t>(row.node)].machine;
        slots.slots.push_back(slot);
        if (!is_host_name(slot.host)) {
            return wrong_host(fmt::format("has no host for rank {}.", slots.slots.size() - 1), where);
        }
        if (nodes.emplace(slot.host, slot.address[kNode]).first->second != slot.address[kNode]) {
            return wrong_host(fmt::format("has two nodes called {}.", slot.host), where);
        }
    }
    return slots;
}

Slots slots_of(const std::vector<Host>& hosts) {
    Slots slots;
    slots.known = bit(kNode);
    std::unordered_map<std::string, std::int32_t> nodes;
    for (const Host& host : hosts) {
        Slot slot;
        slot.host = host.name;
        slot.address[kNode] =
            nodes.emplace(host.name, static_cast<std::int32_t>(nodes.size())).first->second;
        slots.slots.insert(slots.slots.end(), host.num_slots, slot);
    }
    return slots;
}

Result<Slots> in_network(Slots slots, const FindLevels& find, const std::string& where) {
    std::map<std::string, RawAddress> found;  // by host
    for (std::size_t rank = 0; rank < slots.slots.size(); ++rank) {
        const auto [entry, is_new] = found.try_emplace(slots.slots[rank].host);
        if (is_new) {
            Result<RawAddress> levels = find(entry->first, static_cast<int>(rank));
            if (!levels) {
                return levels.error();
            }
            entry->second = std::move(*levels);
        }
    }
    Level innermost = kSwitch;  // that any host has
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        const bool is_had = std::any_of(found.begin(), found.end(), [&](const auto& entry) {
            return entry.second[level].has_value();
        });
        if (!is_had) {
            continue;
        }
        innermost = level;
        std::map<RawValue, std::int32_t> numbers;  // of names, in the order of first sight
        for (Slot& slot : slots.slots) {
            const std::optional<RawValue>& name = found.at(slot.host)[level];
            slot.address[level] =
                name ? numbers.emplace(*name, static_cast<std::int32_t>(numbers.size())).first->second
                     : -1;
        }
        slots.known |= bit(level);
    }
    std::vector<std::string> missing;
    for (const auto& [host, levels] : found) {
        if (!levels[innermost]) {
            missing.push_back(host);
        }
    }
    if (missing.empty()) {
        return slots;
    }
    const std::string count = counted(missing.size(), "host");
    return Error{Errc::kMalformed,
                 fmt::format("has no {} for {}: {}.", level_name(innermost), count,
                             compress_hosts(std::move(missing))),
                 "Correct the host names in this file, or add the missing hosts",
                 where,
                 0,
                 0};
}

Slots without_inside(Slots slots) {
    slots.known &= bit(kCluster) | bit(kIsland) | bit(kSwitch) | bit(kNode);
    for (Slot& slot : slots.slots) {
        std::fill(slot.address.begin() + kL2Numa, slot.address.end(), 0);
    }
    return slots;
}

bool share_nodes_as(const Slots& slots, const TableDocument& table) {
    if (slots.slots.size() != table.ranks.size()) {
        return false;
    }
    std::unordered_map<std::int32_t, std::int32_t> node_of, slot_node_of;
    for (std::size_t rank = 0; rank < slots.slots.size(); ++rank) {
        const std::int32_t here = slots.slots[rank].address[kNode];
        const std::int32_t there = table.ranks[rank].address[kNode];
        if (node_of.emplace(here, there).first->second != there ||
            slot_node_of.emplace(there, here).first->second != here) {
            return false;
        }
    }
    return true;
}

}  // namespace hitopo::tool
