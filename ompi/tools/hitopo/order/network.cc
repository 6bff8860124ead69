// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/order/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// Inner ones first.
constexpr Level kOuterLevels[] = {kSwitch, kIsland, kCluster};

using Found = std::unordered_map<std::string, RawAddress>;  // by host

Result<Found> find_all(const Slots& slots, const FindLevels& find) {
    Found found;
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
    return found;
}

bool some_have(const Found& found, Level level) {
    return std::any_of(found.begin(), found.end(),
                       [&](const auto& entry) { return entry.second[level].has_value(); });
}

// The innermost that any host has; the switch where none has any.
Level innermost(const Found& found) {
    const auto* level = std::find_if(std::begin(kOuterLevels), std::end(kOuterLevels),
                                     [&](Level candidate) { return some_have(found, candidate); });
    return level == std::end(kOuterLevels) ? kSwitch : *level;
}

std::optional<Error> missing(const Found& found, const std::string& where) {
    const Level level = innermost(found);
    std::vector<std::string> hosts;
    for (const auto& [host, levels] : found) {
        if (!levels[level]) {
            hosts.push_back(host);
        }
    }
    if (hosts.empty()) {
        return std::nullopt;
    }
    const std::size_t count = hosts.size();
    return Error{Errc::kMalformed,
                 fmt::format("has no {} for {}: {}.", level_name(level), counted(count, "host"),
                             compress_hosts(std::move(hosts))),
                 "Correct the host names in this file, or add the missing hosts",
                 where,
                 0,
                 0};
}

// Equal numbers for equal names, in the order of first sight; -1 for none.
void set_level(const Found& found, Level level, Slots& slots) {
    std::map<RawValue, std::int32_t> numbers;
    for (Slot& slot : slots.slots) {
        const std::optional<RawValue>& name = found.at(slot.host)[level];
        slot.address[level] =
            name ? numbers.emplace(*name, static_cast<std::int32_t>(numbers.size())).first->second : -1;
    }
    slots.known |= 1u << level;
}

}  // namespace

Result<Slots> in_network(Slots slots, const FindLevels& find, const std::string& where) {
    const Result<Found> found = find_all(slots, find);
    if (!found) {
        return found.error();
    }
    if (std::optional<Error> error = missing(*found, where)) {
        return std::move(*error);
    }
    for (const Level level : kOuterLevels) {
        if (some_have(*found, level)) {
            set_level(*found, level, slots);
        }
    }
    return slots;
}

}  // namespace hitopo::tool
