// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/attach/comm_table.h"

#include <utility>

namespace hitopo {

CommTable::CommTable(Table table, std::size_t first_local, std::size_t num_local,
                     std::size_t first_remote, std::size_t num_remote, CpuSet binding)
    : table_(std::move(table)),
      first_local_(first_local),
      num_local_(num_local),
      first_remote_(first_remote),
      num_remote_(num_remote),
      binding_(std::move(binding)),
      rows_(table_, {first_local, num_local}, {first_remote, num_remote}) {
    ++num_live_;
}

CommTable::~CommTable() { --num_live_; }

std::atomic<int> CommTable::num_live_ = 0;

int CommTable::num_live() { return num_live_; }

const std::vector<ResourceType>& CommTable::types() {
    std::call_once(has_types_, [&] { types_ = resource_types(table_); });
    return types_;
}

const OwnGroup& CommTable::unguided_group(std::uint32_t own_rank) {
    std::call_once(has_unguided_group_,
                   [&] { unguided_group_ = Grouping::unguided(table_).own(own_rank); });
    return unguided_group_;
}

const OwnGroup& CommTable::shared_memory_group(std::uint32_t own_rank) {
    std::call_once(has_shared_group_,
                   [&] { shared_group_ = Grouping::by_shared_memory(table_).own(own_rank); });
    return shared_group_;
}

const Hierarchy& CommTable::hierarchy(std::uint32_t own_rank) {
    std::call_once(has_hierarchy_, [&] { hierarchy_ = make_hierarchy(table_, own_rank); });
    return hierarchy_;
}

}  // namespace hitopo
