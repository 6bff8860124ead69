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
      binding_(std::move(binding)) {
    ++num_live_;
}

CommTable::~CommTable() { --num_live_; }

std::atomic<int> CommTable::num_live_ = 0;

int CommTable::num_live() { return num_live_; }

const std::vector<ResourceType>& CommTable::types() {
    std::call_once(has_types_, [&] { types_ = resource_types(table_); });
    return types_;
}

const Split& CommTable::unguided_split() {
    std::call_once(has_unguided_split_, [&] { unguided_split_ = split_unguided(table_); });
    return unguided_split_;
}

const Split& CommTable::shared_memory_split() {
    std::call_once(has_shared_split_, [&] { shared_split_ = split_by_shared_memory(table_); });
    return shared_split_;
}

const Hierarchy& CommTable::hierarchy(std::uint32_t own_rank) {
    std::call_once(has_hierarchy_, [&] {
        if (unguided_split().count() > 0) {
            hierarchy_ = make_hierarchy(table_, own_rank);
        }
    });
    return hierarchy_;
}

std::int32_t** CommTable::rows() {
    std::call_once(has_rows_, [&] {
        addresses_.reserve(table_.size());
        for (std::size_t i = 0; i < table_.size(); ++i) {
            addresses_.push_back(table_.address(i));
        }
        rows_.reserve(table_.size());
        for (std::size_t i = 0; i < num_local_; ++i) {
            rows_.push_back(addresses_[first_local_ + i].data());
        }
        for (std::size_t i = 0; i < num_remote_; ++i) {
            rows_.push_back(addresses_[first_remote_ + i].data());
        }
    });
    return rows_.data();
}

}  // namespace hitopo
