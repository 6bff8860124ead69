// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/order/slots.h"

#include <fmt/format.h>

#include <map>
#include <unordered_map>

namespace hitopo::tool {
namespace {

constexpr unsigned bit(Level level) { return 1u << static_cast<unsigned>(level); }
constexpr unsigned kOutward = bit(kCluster) | bit(kIsland) | bit(kSwitch) | bit(kNode);

Error wrong_host(std::string what, const std::string& where) {
    return {Errc::kMalformed,
            std::move(what),
            "Give the hosts to launch on by --hostfile, in the order of the table's nodes",
            where,
            0,
            0};
}

unsigned known_levels(const TableDocument& table) {
    unsigned known = 0;
    for (unsigned level = 0; level < kNumLevels; ++level) {
        known |= table.levels[level].known == Known::kNone ? 0 : 1u << level;
    }
    return known;
}

Slot slot_of(const TableDocument& table, const RankRow& row) {
    Slot slot;
    slot.host = row.names[kNode].value_or("");
    std::copy(row.address.begin(), row.address.end(), slot.address.begin());
    slot.cpus = row.cpus;
    slot.machine = row.node < 0 || table.nodes.empty()
                       ? -1
                       : table.nodes[static_cast<std::size_t>(row.node)].machine;
    return slot;
}

// Numbers of names, in the order of first sight; -1 for none.
class Numbers {
public:
    std::int32_t of(const std::optional<RawValue>& value) {
        return value ? numbers_.emplace(*value, static_cast<std::int32_t>(numbers_.size())).first->second
                     : -1;
    }
    bool is_empty() const { return numbers_.empty(); }

private:
    std::map<RawValue, std::int32_t> numbers_;
};

}  // namespace

Result<Slots> slots_of(const TableDocument& table, const std::string& where) {
    Slots slots{{}, known_levels(table), table.machines};
    std::unordered_map<std::string, std::int32_t> nodes;
    for (const RankRow& row : table.ranks) {
        slots.slots.push_back(slot_of(table, row));
        const Slot& slot = slots.slots.back();
        if (!is_host_name(slot.host)) {
            return wrong_host(fmt::format("has no host for rank {}.", slots.slots.size() - 1), where);
        }
        if (nodes.emplace(slot.host, slot.address[kNode]).first->second != slot.address[kNode]) {
            return wrong_host(fmt::format("has two nodes called {}.", slot.host), where);
        }
    }
    return slots;
}

Slots slots_of(const std::vector<Host>& hosts, const SwitchTree* tree) {
    Slots slots;
    Numbers switches, islands;
    for (std::size_t node = 0; node < hosts.size(); ++node) {
        Slot slot;
        slot.host = hosts[node].name;
        slot.address[kNode] = static_cast<std::int32_t>(node);
        const std::optional<SwitchPlace> place = tree != nullptr ? tree->find(slot.host) : std::nullopt;
        slot.address[kSwitch] = switches.of(place ? place->levels[kSwitch] : std::nullopt);
        slot.address[kIsland] = islands.of(place ? place->levels[kIsland] : std::nullopt);
        slots.slots.insert(slots.slots.end(), hosts[node].num_slots, slot);
    }
    slots.known =
        bit(kNode) | (switches.is_empty() ? 0 : bit(kSwitch)) | (islands.is_empty() ? 0 : bit(kIsland));
    for (Slot& slot : slots.slots) {
        for (const Level level : {kIsland, kSwitch}) {
            slot.address[level] = (slots.known & bit(level)) != 0 ? slot.address[level] : 0;
        }
    }
    return slots;
}

Slots without_inside(Slots slots) {
    slots.known &= kOutward;
    for (Slot& slot : slots.slots) {
        std::fill(slot.address.begin() + kL2Numa, slot.address.end(), 0);
    }
    return slots;
}

std::vector<Host> hosts_of(const Slots& slots) {
    std::vector<Host> hosts;
    std::unordered_map<std::string, std::size_t> numbers;
    for (const Slot& slot : slots.slots) {
        const auto [found, is_new] = numbers.emplace(slot.host, hosts.size());
        if (is_new) {
            hosts.push_back({slot.host, 0});
        }
        ++hosts[found->second].num_slots;
    }
    return hosts;
}

std::vector<topo::Address> addresses_of(const Slots& slots) {
    std::vector<topo::Address> addresses;
    for (const Slot& slot : slots.slots) {
        addresses.push_back(slot.address);
    }
    return addresses;
}

}  // namespace hitopo::tool
