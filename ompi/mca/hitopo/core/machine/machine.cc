// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/machine.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/machine/catalogue.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

constexpr int kNoInstance = -1;
constexpr int kSeveral = -2;

CpuSet union_of(const std::vector<CpuSet>& instances) {
    CpuSet all;
    for (const CpuSet& instance : instances) {
        all |= instance;
    }
    return all;
}

// The number of `sets` that lie in `outer`.
long num_inside(const std::vector<CpuSet>& sets, const CpuSet& outer) {
    return std::count_if(sets.begin(), sets.end(),
                         [&outer](const CpuSet& set) { return set.is_subset_of(outer); });
}

// The number of `sets` that hold all of `inner`.
long num_around(const std::vector<CpuSet>& sets, const CpuSet& inner) {
    return std::count_if(sets.begin(), sets.end(),
                         [&inner](const CpuSet& set) { return inner.is_subset_of(set); });
}

// Among the sets that hold all of `inner`, the one that lies in all others; -1 where there is none.
int innermost_around(const std::vector<CpuSet>& sets, const CpuSet& inner) {
    int innermost = -1;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const bool is_smaller =
            innermost < 0 || sets[i].count() < sets[static_cast<std::size_t>(innermost)].count();
        if (is_smaller && inner.is_subset_of(sets[i])) {
            innermost = static_cast<int>(i);
        }
    }
    const bool is_in_all =
        innermost >= 0 && std::all_of(sets.begin(), sets.end(), [&](const CpuSet& set) {
            return !inner.is_subset_of(set) ||
                   sets[static_cast<std::size_t>(innermost)].is_subset_of(set);
        });
    return is_in_all ? innermost : -1;
}

bool is_before_by_type(const MachineType& a, const MachineType& b) {
    return is_outer_type(a.name, b.name);
}

// "L1iCache" of "L1Cache"; empty for any other type.
std::string instruction_cache_of(const std::string& type) {
    const std::size_t cache = type.find("Cache");
    return cache != 2 || type.front() != 'L' ? "" : type.substr(0, cache) + "i" + type.substr(cache);
}

}  // namespace

void Machine::add(std::string_view type, CpuSet cpus) {
    auto known = std::find_if(types_.begin(), types_.end(),
                              [type](const MachineType& other) { return other.name == type; });
    if (cpus.is_empty() || (known == types_.end() && types_.size() + 1 >= kMaxTypes)) {
        return;
    }
    if (known == types_.end()) {
        known = types_.insert(known, {std::string(type), {}});
    }
    known->instances.push_back(std::move(cpus));
}

const MachineType* Machine::find(std::string_view type) const {
    const auto found = std::find_if(types_.begin(), types_.end(),
                                    [type](const MachineType& known) { return known.name == type; });
    return found != types_.end() ? &*found : nullptr;
}

void Machine::finish() {
    for (MachineType& type : types_) {
        type.instances = distinct(std::move(type.instances));
    }
    std::sort(types_.begin(), types_.end(), is_before_by_type);
    finish_groups();
    drop_wide_numa_nodes();
    drop_twin_caches();
    add_l2numa();
    index();
}

void Machine::finish_groups() {
    std::vector<MachineType*> groups;
    for (MachineType& type : types_) {
        if (group_depth(type.name)) {
            groups.push_back(&type);
        }
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i]->name = "Group" + std::to_string(i);
    }
}

void Machine::drop_wide_numa_nodes() {
    for (MachineType& type : types_) {
        if (type.name != "NUMANode") {
            continue;
        }
        const std::vector<CpuSet> all = type.instances;
        const auto holds_another = [&all](const CpuSet& set) { return num_inside(all, set) > 1; };
        type.instances.erase(std::remove_if(type.instances.begin(), type.instances.end(), holds_another),
                             type.instances.end());
    }
}

void Machine::drop_twin_caches() {
    std::vector<std::string> twins;
    for (const MachineType& cache : types_) {
        const MachineType* twin = find(instruction_cache_of(cache.name));
        if (twin != nullptr && twin->instances == cache.instances) {
            twins.push_back(twin->name);
        }
    }
    const auto is_twin = [&twins](const MachineType& type) {
        return std::find(twins.begin(), twins.end(), type.name) != twins.end();
    };
    types_.erase(std::remove_if(types_.begin(), types_.end(), is_twin), types_.end());
}

void Machine::add_l2numa() {
    const MachineType* packages = find("Package");
    if (packages == nullptr) {
        return;
    }
    const CpuSet all = existing_cpus();
    std::vector<CpuSet> boards;
    for (const MachineType& type : types_) {
        for (const CpuSet& set : type.instances) {
            if ((group_depth(type.name) || type.name == "NUMANode") && !all.is_subset_of(set) &&
                num_inside(packages->instances, set) >= 2) {
                boards.push_back(set);
            }
        }
    }
    boards = distinct(std::move(boards));
    for (const CpuSet& board : boards) {
        if (num_around(boards, board) == 1) {  // itself
            add("L2NUMA", board);
        }
    }
    std::sort(types_.begin(), types_.end(), is_before_by_type);
}

CpuSet Machine::existing_cpus() const {
    if (const MachineType* pus = find("PU")) {
        return union_of(pus->instances);
    }
    CpuSet all;
    for (const MachineType& type : types_) {
        all |= union_of(type.instances);
    }
    return all;
}

void Machine::index() {
    cpus_ = existing_cpus();
    owners_.clear();
    for (const MachineType& type : types_) {
        std::vector<int> owners(static_cast<std::size_t>(union_of(type.instances).last() + 1),
                                kNoInstance);
        int number = 0;
        for (const CpuSet& instance : type.instances) {
            for (int cpu = instance.first(); cpu >= 0; cpu = instance.next(cpu)) {
                int& owner = owners[static_cast<std::size_t>(cpu)];
                owner = owner == kNoInstance ? number : kSeveral;
            }
            ++number;
        }
        owners_.push_back(std::move(owners));
    }
    index_containment();
}

void Machine::index_containment() {
    contains_.clear();
    for (std::size_t outer = 0; outer < types_.size(); ++outer) {
        for (std::size_t inner = 0; inner < types_.size(); ++inner) {
            contains_.push_back(outer != inner && finds_inside(outer, inner));
        }
    }
}

bool Machine::finds_inside(std::size_t outer, std::size_t inner) const {
    const std::vector<CpuSet>& instances = types_[inner].instances;
    return std::any_of(instances.begin(), instances.end(), [&](const CpuSet& cpus) {
        const int around = instance_of(outer, cpus);
        return around >= 0 && types_[outer].instances[static_cast<std::size_t>(around)] != cpus;
    });
}

int Machine::instance_of(std::size_t type, const CpuSet& cpus) const {
    const auto first = static_cast<std::size_t>(cpus.first());
    const std::vector<CpuSet>& instances = types_[type].instances;
    const int owner = first < owners_[type].size() ? owners_[type][first] : kNoInstance;
    if (owner == kSeveral) {
        return innermost_around(instances, cpus);
    }
    return owner >= 0 && cpus.is_subset_of(instances[static_cast<std::size_t>(owner)]) ? owner : -1;
}

}  // namespace hitopo
