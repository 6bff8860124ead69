// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/coll/simulated_machine.h"

#include <array>
#include <cstdint>
#include <utility>

namespace hitopo::coll {

SimulatedMachine::SimulatedMachine(std::vector<Tier> tiers, std::size_t eager_bytes)
    : tiers_(std::move(tiers)), eager_bytes_(eager_bytes), members_(tiers_.size(), 1) {
    for (std::size_t tier = tiers_.size() - 1; tier > 0; --tier) {
        members_[tier - 1] = members_[tier] * tiers_[tier].num_children;
    }
    std::vector<std::array<std::int32_t, kNumLevels>> addresses(
        static_cast<std::size_t>(num_processes()));
    std::vector<const std::int32_t*> rows;
    for (int rank = 0; rank < num_processes(); ++rank) {
        auto& address = addresses[static_cast<std::size_t>(rank)];
        rows.push_back(address.data());
        for (std::size_t tier = 0; tier < tiers_.size(); ++tier) {
            if (tiers_[tier].level < kNumLevels) {
                address[static_cast<std::size_t>(tiers_[tier].level)] = rank / members_[tier];
            }
        }
    }
    positions_ = std::make_shared<RowPositions>(rows.data(), num_processes());
}

Links SimulatedMachine::links() const {
    Links links;
    for (const Tier& tier : tiers_) {
        links[static_cast<std::size_t>(tier.level)] = tier.link;
    }
    return links;
}

SimulatedMachine lab_machine() {
    return SimulatedMachine(
        {{kSwitch, 4, {150, 12, 100}}, {kNode, 2, {170, 80, 95}}, {kProcess, 4, {80, 70, 10}}}, 65536);
}

}  // namespace hitopo::coll
