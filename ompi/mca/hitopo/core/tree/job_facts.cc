// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/job_facts.h"

#include <algorithm>
#include <climits>
#include <utility>

namespace hitopo {

void JobFacts::warn(std::string text) {
    constexpr std::size_t kMaxWarnings = 8;
    if (warnings.size() < kMaxWarnings &&
        std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
        warnings.push_back(std::move(text));
    }
}

bool JobFacts::is_explicit(Level level) const {
    return level > kNode && std::any_of(places.begin(), places.end(), [=](const PlaceInNode& place) {
               return !place.names[static_cast<std::size_t>(level)].empty();
           });
}

int index_in_machine(const JobFacts& facts, std::int32_t machine, const ResourceType& type) {
    if (machine < 0 || type.is_level) {
        return -1;
    }
    const Machine& own = facts.machines[static_cast<std::size_t>(machine)];
    const MachineType* found = own.find(type.name);
    return found == nullptr ? -1 : static_cast<int>(found - own.types().data());
}

std::int64_t instance_of(const ResourceType& type, int index, const InstanceNumbers& instance_numbers) {
    if (!type.is_level) {
        return index < 0 || instance_numbers.instances.empty()
                   ? -1
                   : instance_numbers.instances[static_cast<std::size_t>(index)];
    }
    if (instance_numbers[type.level] < 0 || type.level < kCore) {
        return instance_numbers[type.level];
    }
    // Within the node; -1 for the socket or the core stands for a machine without any.
    const std::int64_t core =
        (instance_numbers[kSocket] + std::int64_t{1}) * kMaxSiblings + instance_numbers[kCore] + 1;
    return type.level == kCore ? core : core * kMaxSiblings + instance_numbers[kHwThread];
}

int num_cpus(const JobFacts& facts, const ResourceType& type, const PlaceInNode& place) {
    const int index = index_in_machine(facts, place.machine, type);
    const std::int64_t instance = index < 0 ? -1 : instance_of(type, index, place.instance_numbers);
    if (instance < 0) {
        return INT_MAX;
    }
    const Machine& machine = facts.machines[static_cast<std::size_t>(place.machine)];
    return machine.types()[static_cast<std::size_t>(index)]
        .instances[static_cast<std::size_t>(instance)]
        .count();
}

// It allocates nothing: all processes go by the answer, which must not depend on memory.
SettingRanks ranks_of_setting(const JobFacts& facts, std::string_view key) {
    SettingRanks ranks;
    for (const JobFacts::SettingsOf& own : facts.settings) {
        const std::optional<std::string_view> value = value_of(own.settings, key);
        std::optional<std::uint32_t>& lowest = value ? ranks.having : ranks.lacking;
        lowest = lowest.value_or(own.lowest_rank);
        if (!ranks.differing && value != value_of(facts.settings[0].settings, key)) {
            ranks.differing = own.lowest_rank;
        }
    }
    return ranks;
}

}  // namespace hitopo
