// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/attach/comm_table.h"

#include <utility>

namespace hitopo {

CommTable::CommTable(Table&& table, std::size_t first_local, std::size_t num_local,
                     std::size_t first_remote, std::size_t num_remote, CpuSet binding,
                     std::int64_t identity)
    : table_(std::move(table)),
      first_local_(first_local),
      num_local_(num_local),
      first_remote_(first_remote),
      num_remote_(num_remote),
      binding_(std::move(binding)),
      identity_(identity) {
    ++num_live_;
}

CommTable::~CommTable() { --num_live_; }

std::atomic<int> CommTable::num_live_ = 0;

int CommTable::num_live() { return num_live_; }

CommTable::OnDemand& CommTable::on_demand() {
    std::call_once(has_on_demand_, [&] { on_demand_ = std::make_unique<OnDemand>(*this); });
    return *on_demand_;
}

const std::vector<ResourceType>& CommTable::types() {
    OnDemand& own = on_demand();
    std::call_once(own.has_types, [&] { own.types = resource_types(table_); });
    return own.types;
}

const OwnGroup& CommTable::unguided_group(std::uint32_t own_rank) {
    OnDemand& own = on_demand();
    std::call_once(own.has_unguided_group,
                   [&] { own.unguided_group = Grouping::unguided(table_).own(own_rank); });
    return own.unguided_group;
}

const OwnGroup& CommTable::shared_memory_group(std::uint32_t own_rank) {
    OnDemand& own = on_demand();
    std::call_once(own.has_shared_group,
                   [&] { own.shared_group = Grouping::by_shared_memory(table_).own(own_rank); });
    return own.shared_group;
}

const Hierarchy& CommTable::hierarchy(std::uint32_t own_rank) {
    OnDemand& own = on_demand();
    std::call_once(own.has_hierarchy, [&] { own.hierarchy = make_hierarchy(table_, own_rank); });
    return own.hierarchy;
}

}  // namespace hitopo
