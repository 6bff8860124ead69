// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/order/logical_cpus.h"

#include <algorithm>
#include <utility>

namespace hitopo::tool {
namespace {

std::vector<CpuSet> instances_of(const ResourceType& type) {
    std::vector<CpuSet> sets;
    for (const std::string& text : type.instances) {
        if (Result<CpuSet> set = CpuSet::parse(text)) {
            sets.push_back(std::move(*set));
        }
    }
    return sets;
}

// The lowest CPU of each set around `unit`, the largest set first: children of one parent come in the
// order of their lowest CPU.
std::vector<int> place_of(const CpuSet& unit, const std::vector<CpuSet>& by_size) {
    std::vector<int> place;
    for (const CpuSet& set : by_size) {
        if (unit.is_subset_of(set)) {
            place.push_back(set.first());
        }
    }
    return place;
}

std::vector<CpuSet> in_tree_order(const std::vector<CpuSet>& units, const std::vector<CpuSet>& by_size) {
    std::vector<std::pair<std::vector<int>, std::size_t>> places;
    for (std::size_t i = 0; i < units.size(); ++i) {
        places.emplace_back(place_of(units[i], by_size), i);
    }
    std::sort(places.begin(), places.end());
    std::vector<CpuSet> sorted;
    sorted.reserve(places.size());
    for (const auto& [place, i] : places) {
        sorted.push_back(units[i]);
    }
    return sorted;
}

}  // namespace

LogicalCpus::LogicalCpus(const MachineDocument& machine, const CpuSet& allowed) {
    all_ = CpuSet::parse_or_empty(machine.cpus);
    std::vector<CpuSet> by_size;
    for (const ResourceType& type : machine.types) {
        const std::vector<CpuSet> sets = instances_of(type);
        by_size.insert(by_size.end(), sets.begin(), sets.end());
        if (type.type == "Core") {
            cores_ = sets;
        } else if (type.type == "PU") {
            threads_ = sets;
        }
    }
    std::stable_sort(by_size.begin(), by_size.end(),
                     [](const CpuSet& a, const CpuSet& b) { return a.count() > b.count(); });
    cores_ = in_tree_order(cores_, by_size);
    threads_ = in_tree_order(threads_, by_size);
    if (!allowed.is_empty()) {
        all_ &= allowed;
        cores_ = parts_within(allowed, cores_);
        threads_ = parts_within(allowed, threads_);
    }
}

std::optional<std::string> LogicalCpus::numbers(const std::vector<CpuSet>& units, const CpuSet& cpus) {
    CpuSet covered, numbers;
    for (std::size_t i = 0; i < units.size(); ++i) {
        if (!units[i].is_empty() && units[i].is_subset_of(cpus)) {
            covered |= units[i];
            numbers.add(static_cast<int>(i));
        }
    }
    return cpus.is_empty() || covered != cpus ? std::nullopt
                                              : std::optional<std::string>(numbers.to_string());
}

}  // namespace hitopo::tool
