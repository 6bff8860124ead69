// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/inner_instances.h"

#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

// A core within its node, and a hardware thread of it; -1 for the socket or the core stands for a
// machine without any.
std::int64_t on_core(const Placement& placement) {
    return (placement[kSocket] + std::int64_t{1}) * kMaxSiblings + placement[kCore] + 1;
}

std::int64_t instance_at(Level level, const Placement& placement) {
    if (placement[level] < 0 || level < kCore) {
        return placement[level];
    }
    return level == kCore ? on_core(placement)
                          : on_core(placement) * kMaxSiblings + placement[kHwThread];
}

}  // namespace

InnerInstances::InnerInstances(const JobFacts& facts, const ResourceType& type)
    : facts_(facts), type_(type) {
    for (const Machine& machine : facts.machines) {
        const MachineType* found = type.is_level ? nullptr : machine.find(type.name);
        index_of_type_.push_back(found == nullptr ? -1
                                                  : static_cast<int>(found - machine.types().data()));
    }
}

std::int64_t InnerInstances::of(std::int32_t machine, const Placement& placement) const {
    if (type_.is_level) {
        return instance_at(type_.level, placement);
    }
    const int type = machine < 0 ? -1 : index_of_type_[static_cast<std::size_t>(machine)];
    return type < 0 || placement.instances.empty() ? -1
                                                   : placement.instances[static_cast<std::size_t>(type)];
}

int InnerInstances::num_cpus(const InnerPlace& place) const {
    const std::int64_t instance = type_.is_level ? -1 : of(place.machine, place.placement);
    if (instance < 0) {
        return kUnknownCpus;
    }
    const auto machine = static_cast<std::size_t>(place.machine);
    return facts_.machines[machine]
        .types()[static_cast<std::size_t>(index_of_type_[machine])]
        .instances[static_cast<std::size_t>(instance)]
        .count();
}

std::vector<std::int32_t> InnerInstances::in_layout(const AddressTree& tree,
                                                    const TreeLayout& layout) const {
    std::vector<std::int64_t> all;
    for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
        const InnerPlace& place = tree.place(layout.first_seat + i);
        all.push_back(of(place.machine, place.placement));
    }
    std::vector<std::int64_t> sorted = all;
    sorted.push_back(-1);
    sorted = distinct(std::move(sorted));
    std::vector<std::int32_t> numbers;
    numbers.reserve(all.size());
    for (const std::int64_t instance : all) {
        numbers.push_back(index_in(sorted, instance) - 1);
    }
    return numbers;
}

}  // namespace hitopo
