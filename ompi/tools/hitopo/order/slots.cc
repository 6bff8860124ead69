// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/order/slots.h"

#include <fmt/format.h>

#include <unordered_map>

namespace hitopo::tool {
namespace {

constexpr unsigned bit(Level level) { return 1u << static_cast<unsigned>(level); }
constexpr unsigned kOutward = bit(kCluster) | bit(kIsland) | bit(kSwitch) | bit(kNode);

Error wrong_host(std::string what, const std::string& where) {
    return {Errc::kMalformed,
            std::move(what),
            "Name the hosts of the launch with --hostfile, in the order of the table's nodes",
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
    slot.allowed = row.allowed;
    slot.machine = row.node < 0 || table.nodes.empty()
                       ? -1
                       : table.nodes[static_cast<std::size_t>(row.node)].machine;
    return slot;
}

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

std::vector<topo::Address> addresses_of(const Slots& slots) {
    std::vector<topo::Address> addresses;
    for (const Slot& slot : slots.slots) {
        addresses.push_back(slot.address);
    }
    return addresses;
}

}  // namespace hitopo::tool
