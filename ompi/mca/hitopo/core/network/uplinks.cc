// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/uplinks.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

std::string_view cut(const std::string& name) {
    return std::string_view(name).substr(0, kMaxUplinkNameBytes);
}

std::uint64_t hash_of_switches(const Guids& switches) {
    ByteWriter writer;
    for (const std::uint64_t id : switches) {
        writer.put_u64(id);
    }
    return hash_bytes(writer.bytes());
}

// A value that is sorted by name first, and distinguished by identity.
RawValue named(const std::string& name, const RawValue& identity) {
    RawValue value(name);
    value.path.insert(value.path.end(), identity.path.begin(), identity.path.end());
    value.path.emplace_back(name);
    return value;
}

// The leaves of one component.
class Settler {
public:
    void add(const LedSwitch& led, SettledSwitch& settled) {
        leaves_.push_back({&led, &settled, distinct(led.uplinks.switches), led.uplinks.island_name,
                           led.uplinks.island_id});
    }

    void settle() {
        settle_values();
        forget_leaves_above();
        const std::vector<Island> islands = derive_islands(leaf_switches());
        for (const Island& island : islands) {
            if (island.l2_switches.empty()) {
                settle_lone(leaf_of(island.leaves.front()));
            } else {
                owners_[name_of(island)].insert(hash_of_switches(island.l2_switches));
            }
        }
        for (const Island& island : islands) {
            if (!island.l2_switches.empty()) {
                settle_island(island);
            }
        }
    }

private:
    struct Leaf {
        const LedSwitch* led;
        SettledSwitch* settled;
        Guids switches;
        std::string island_name, island_id;  // as of Uplinks
    };

    // Leaf switches may be linked to each other, and none is above another: only a file shows which have
    // hosts, so leaders take them for switches above.
    void forget_leaves_above() {
        std::set<std::uint64_t> ids;
        std::set<std::string> names;
        for (const Leaf& leaf : leaves_) {
            ids.insert(hash_of(leaf.led->value));
            names.insert(leaf.led->value.visible().to_string());
        }
        for (Leaf& leaf : leaves_) {
            leaf.switches.erase(std::remove_if(leaf.switches.begin(), leaf.switches.end(),
                                               [&](std::uint64_t id) { return ids.count(id) != 0; }),
                                leaf.switches.end());
            if (names.count(leaf.island_id) != 0) {
                leaf.island_name.clear();
                leaf.island_id.clear();
            }
        }
    }

    void settle_values() {
        std::map<std::string, int> num_bearers;
        for (const Leaf& leaf : leaves_) {
            ++num_bearers[leaf.led->uplinks.name];
        }
        for (const Leaf& leaf : leaves_) {
            const std::string& name = leaf.led->uplinks.name;
            const bool is_unique = !name.empty() && num_bearers[name] == 1;
            leaf.settled->value = is_unique ? named(name, leaf.led->value) : leaf.led->value;
        }
    }

    std::vector<LeafSwitch> leaf_switches() {
        std::vector<LeafSwitch> switches;
        for (std::size_t i = 0; i < leaves_.size(); ++i) {
            const std::uint64_t id = hash_of(leaves_[i].led->value);
            numbers_[id] = i;
            switches.push_back({id, leaves_[i].switches});
        }
        return switches;
    }

    Leaf& leaf_of(std::uint64_t id) { return leaves_[numbers_.at(id)]; }

    static void settle_lone(const Leaf& leaf) {
        leaf.settled->island =
            named(leaf.settled->value.visible().to_string(), Name::number(hash_of(leaf.led->value)));
    }

    // The leaf whose leader found all of the island's switches; of several, one whose leader named a
    // switch: leaders know the same.
    const Leaf& named_leaf(const Island& island) {
        const Leaf* found = nullptr;
        const auto key = [](const Leaf& leaf) {
            return std::make_tuple(leaf.island_id.empty(), leaf.island_name, leaf.island_id,
                                   leaf.led->value.visible().to_string());
        };
        for (const std::uint64_t id : island.leaves) {
            const Leaf& leaf = leaf_of(id);
            if (leaf.switches == island.l2_switches && (found == nullptr || key(leaf) < key(*found))) {
                found = &leaf;
            }
        }
        return *found;
    }

    // The island's id, which is shown if another island has its name.
    std::string id_of(const Island& island) {
        const Leaf& leaf = named_leaf(island);
        return leaf.island_id.empty() ? leaf.led->value.visible().to_string() : leaf.island_id;
    }

    std::string name_of(const Island& island) {
        const std::string& name = named_leaf(island).island_name;
        return name.empty() ? id_of(island) : name;
    }

    void settle_island(const Island& island) {
        const std::string name = name_of(island);
        const std::string shown = owners_[name].size() == 1 ? name : id_of(island);
        const RawValue value = named(shown, Name::number(hash_of_switches(island.l2_switches)));
        for (const std::uint64_t id : island.leaves) {
            leaf_of(id).settled->island = value;
        }
    }

    std::vector<Leaf> leaves_;
    std::map<std::uint64_t, std::size_t> numbers_;           // by hash of the value
    std::map<std::string, std::set<std::uint64_t>> owners_;  // of a name: islands
};

}  // namespace

std::string encode(const LedSwitch& led) {
    ByteWriter writer;
    writer.put(std::string_view(led.component));
    writer.put(led.value);
    writer.put(cut(led.uplinks.name));
    writer.put(cut(led.uplinks.island_name));
    writer.put(cut(led.uplinks.island_id));
    const std::size_t num_switches = std::min(led.uplinks.switches.size(), kMaxUplinks);
    writer.put_u32(static_cast<std::uint32_t>(num_switches));
    for (std::size_t i = 0; i < num_switches; ++i) {
        writer.put_u64(led.uplinks.switches[i]);
    }
    return writer.take();
}

std::optional<LedSwitch> decode_led_switch(std::string_view bytes) {
    ByteReader reader(bytes);
    LedSwitch led;
    led.component = reader.get_string();
    led.value = reader.get_value();
    led.uplinks.name = reader.get_string();
    led.uplinks.island_name = reader.get_string();
    led.uplinks.island_id = reader.get_string();
    const std::uint32_t num_switches = reader.get_u32();
    for (std::uint32_t i = 0; i < num_switches && !reader.has_failed(); ++i) {
        led.uplinks.switches.push_back(reader.get_u64());
    }
    if (reader.has_failed() || led.component.empty()) {
        return std::nullopt;
    }
    return led;
}

std::vector<SettledSwitch> settle(const std::vector<LedSwitch>& leaves) {
    std::vector<SettledSwitch> settled(leaves.size());
    std::map<std::string, Settler> settlers;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        settlers[leaves[i].component].add(leaves[i], settled[i]);
    }
    for (auto& [component, settler] : settlers) {
        settler.settle();
    }
    return settled;
}

}  // namespace hitopo
