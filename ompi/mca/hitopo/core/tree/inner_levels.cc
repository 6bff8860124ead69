// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/inner_levels.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/machine/binding.h"
#include "ompi/mca/hitopo/core/record/selection.h"

namespace hitopo {

InnerLevels::InnerLevels(const RecordMessage& message, JobFacts& facts)
    : message_(message),
      facts_(facts),
      has_values_(std::any_of(message.places.begin(), message.places.end(),
                              [](const ProcessBinding& place) { return !place.inner.empty(); })),
      forced_l2numa_(forced_component(message, kL2Numa)),
      forced_inner_(forced_component(message, kSocket)) {}

// ---- the component that fills the levels ----

// The component `forced` fills them, or else the one of the highest priority, of equals that of the
// lowest name. Where there is a machine, it stands with them, and a component counts only if each
// process has a value of it.
std::uint32_t InnerLevels::select(const std::vector<Process>& node, const OneMachine& machine,
                                  Level first, Level last, std::string_view forced) const {
    struct Contender {
        std::int32_t priority = INT32_MIN;
        std::size_t num_processes = 0;
        std::optional<std::uint32_t> latest_rank;
    };
    std::map<std::uint32_t, Contender> all;  // by component
    for (const Process& process : node) {
        for (const ProcessBinding::Inner& inner : message_.places[process.place].inner) {
            if (inner.level >= first && inner.level <= last) {
                Contender& own = all[inner.answer.component];
                own.priority = std::max(own.priority, inner.answer.priority);
                own.num_processes += own.latest_rank != process.rank ? 1 : 0;
                own.latest_rank = process.rank;
            }
        }
    }
    std::uint32_t filling = 0;
    std::optional<Candidate> best;
    if (machine.index >= 0) {
        best = Candidate{message_.names[machine.component], machine.priority};
    }
    for (const auto& [component, own] : all) {
        const Candidate candidate = {message_.names[component], own.priority};
        const bool is_enough = machine.index < 0 || own.num_processes == node.size();
        if (is_enough && (!best || !is_preferred(*best, candidate, forced))) {
            filling = component;
            best = candidate;
        }
    }
    return filling;
}

// ---- explicit values ----

std::optional<std::uint32_t> InnerLevels::value_of(const Process& process, Level level,
                                                   const Filling& filling) const {
    for (const ProcessBinding::Inner& inner : message_.places[process.place].inner) {
        if (inner.level == level && inner.answer.component == filling[level]) {
            return inner.answer.value;
        }
    }
    return std::nullopt;
}

// Siblings are the distinct values that share the socket (for a core) or the core (for a thread).
void InnerLevels::number_level(const std::vector<Process>& node, Level level, const Filling& filling,
                               std::vector<Numbers>& numbers) const {
    std::map<std::pair<std::int32_t, std::int32_t>, std::map<RawValue, std::int32_t>> siblings;
    std::vector<const std::int32_t*> own(node.size(), nullptr);  // number
    for (std::size_t index = 0; index < node.size(); ++index) {
        if (const std::optional<std::uint32_t> value = value_of(node[index], level, filling)) {
            const Numbers& outer = numbers[index];
            const auto parent =
                std::pair(level > kSocket ? outer[kSocket] : -1, level > kCore ? outer[kCore] : -1);
            RawValue name = ByteReader(message_.names[*value]).get_value();
            own[index] = &siblings[parent].emplace(std::move(name), 0).first->second;
        }
    }
    for (auto& [parent, values] : siblings) {
        std::int32_t next = 0;
        for (auto& [value, number] : values) {
            number = next++;
        }
    }
    for (std::size_t index = 0; index < node.size(); ++index) {
        numbers[index][static_cast<std::size_t>(level)] = own[index] == nullptr ? -1 : *own[index];
    }
}

// ---- places ----

std::vector<std::uint32_t> InnerLevels::of_node(const std::vector<Process>& node,
                                                const OneMachine& machine, Filling& filling) {
    filling[kL2Numa] = select(node, machine, kL2Numa, kL2Numa, forced_l2numa_);
    filling[kSocket] = select(node, machine, kSocket, kHwThread, forced_inner_);
    filling[kCore] = filling[kHwThread] = filling[kSocket];
    std::vector<Numbers> numbers(node.size());
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        number_level(node, level, filling, numbers);
    }
    std::vector<std::uint32_t> places;
    for (std::size_t index = 0; index < node.size(); ++index) {
        const Process& process = node[index];
        const Numbers& own = numbers[index];
        const std::size_t in_rule = message_.places[process.place].rule.empty() ? 0 : index + 1;
        std::uint64_t key =
            combine(std::uint64_t{process.place} << 32 | process.sharing,
                    std::uint64_t{in_rule} << 32 | static_cast<std::uint32_t>(machine.index));
        for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
            key = combine(key,
                          std::uint64_t{filling[level]} << 32 | static_cast<std::uint32_t>(own[level]));
        }
        const std::uint32_t number = numbers_.number_of(key);
        if (number == facts_.places.size()) {
            PlaceInNode place = make_place(process, machine, index, filling, own);
            if (machine.index >= 0 && !place.instance_numbers.is_covered) {
                facts_.warn("rank " + std::to_string(process.rank) + " may run on CPUs " +
                            place.cpus.to_string() +
                            ", which the machine of its node does not have; its levels inside the "
                            "node are unknown");
            }
            facts_.places.push_back(std::move(place));
        }
        places.push_back(number);
    }
    return places;
}

PlaceInNode InnerLevels::make_place(const Process& process, const OneMachine& machine, std::size_t index,
                                    const Filling& filling, const Numbers& numbers) const {
    const ProcessBinding& given = message_.places[process.place];
    PlaceInNode place;
    place.sharing = process.sharing;
    place.machine = machine.index;
    place.cpus = given.cpus;
    if (machine.index >= 0) {
        const Machine& own = facts_.machines[static_cast<std::size_t>(machine.index)];
        if (!given.rule.empty()) {
            place.cpus = bind_by_rule(own, given.rule, static_cast<int>(index));
        }
        place.instance_numbers = hitopo::place(own, place.cpus);
    }
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        if (filling[level] != 0) {
            place.instance_numbers[level] = numbers[static_cast<std::size_t>(level)];
        }
        if (const std::optional<std::uint32_t> value = value_of(process, level, filling)) {
            place.names[static_cast<std::size_t>(level)] =
                ByteReader(message_.names[*value]).get_value().visible().to_string();
        }
    }
    return place;
}

}  // namespace hitopo
