// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "ompi/mca/hitopo/core/network/uplinks.h"

namespace hitopo {
namespace {

bool holds(const Guids& all, const Guids& part) {
    return std::includes(all.begin(), all.end(), part.begin(), part.end());
}

// The distinct sets of L2 switches, each with its leaves.
class Classes {
public:
    explicit Classes(const std::vector<LeafSwitch>& leaves) {
        std::map<Guids, Guids> by_set;
        for (const LeafSwitch& leaf : leaves) {
            by_set[leaf.l2_switches].push_back(leaf.guid);
        }
        for (auto& [set, members] : by_set) {
            islands_.push_back({set, std::move(members)});
        }
        for (std::size_t i = 0; i < islands_.size(); ++i) {
            for (const std::uint64_t guid : islands_[i].l2_switches) {
                with_switch_[guid].push_back(i);
            }
        }
        for (std::size_t i = 0; i < islands_.size(); ++i) {
            above_.push_back(find_above(i));
        }
    }

    std::vector<Island> merge() {
        std::vector<Island> merged;
        for (std::size_t i = 0; i < islands_.size(); ++i) {
            if (const std::optional<std::size_t> home = find_home(i)) {
                Guids& leaves = islands_[*home].leaves;
                leaves.insert(leaves.end(), islands_[i].leaves.begin(), islands_[i].leaves.end());
                islands_[i].leaves.clear();
            }
        }
        for (Island& island : islands_) {
            add(merged, std::move(island));
        }
        std::sort(merged.begin(), merged.end(),
                  [](const Island& a, const Island& b) { return a.leaves < b.leaves; });
        return merged;
    }

private:
    // The classes whose set is a strict superset of i's.
    std::vector<std::size_t> find_above(std::size_t i) const {
        std::vector<std::size_t> above;
        const Guids& set = islands_[i].l2_switches;
        if (set.empty()) {
            return above;
        }
        for (const std::size_t other : candidates(set)) {
            if (other != i && holds(islands_[other].l2_switches, set)) {
                above.push_back(other);
            }
        }
        return above;
    }

    // The classes that hold the rarest switch of `set`: each superset is among them.
    const std::vector<std::size_t>& candidates(const Guids& set) const {
        const std::vector<std::size_t>* fewest = nullptr;
        for (const std::uint64_t guid : set) {
            const std::vector<std::size_t>& with = with_switch_.at(guid);
            if (fewest == nullptr || with.size() < fewest->size()) {
                fewest = &with;
            }
        }
        return *fewest;
    }

    // The class whose leaves had i's links too and more; empty if there is none or no nearest one.
    std::optional<std::size_t> find_home(std::size_t i) const {
        std::vector<std::pair<std::size_t, std::size_t>> homes;  // size of the set, class
        for (const std::size_t other : above_[i]) {
            if (above_[other].empty()) {  // it has not lost links itself
                homes.emplace_back(islands_[other].l2_switches.size(), other);
            }
        }
        std::sort(homes.begin(), homes.end());
        if (homes.empty() || (homes.size() > 1 && homes[0].first == homes[1].first)) {
            return std::nullopt;
        }
        return homes[0].second;
    }

    // Leaves without any L2 switch have nothing in common.
    static void add(std::vector<Island>& merged, Island island) {
        if (island.l2_switches.empty()) {
            for (const std::uint64_t leaf : island.leaves) {
                merged.push_back({{}, {leaf}});
            }
        } else if (!island.leaves.empty()) {
            std::sort(island.leaves.begin(), island.leaves.end());
            merged.push_back(std::move(island));
        }
    }

    std::vector<Island> islands_;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> with_switch_;
    std::vector<std::vector<std::size_t>> above_;
};

}  // namespace

std::vector<Island> derive_islands(const std::vector<LeafSwitch>& leaves) {
    return Classes(leaves).merge();
}

}  // namespace hitopo
