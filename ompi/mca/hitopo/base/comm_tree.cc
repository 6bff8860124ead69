// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/comm_tree.h"

#include <atomic>
#include <utility>

namespace hitopo {
namespace {

std::atomic<int> num_live_trees = 0;

}  // namespace

CommTree::CommTree(AddressTree&& tree, const CommSides& sides, CpuSet binding)
    : tree_(std::move(tree)), sides_(sides), binding_(std::move(binding)) {
    ++num_live_trees;
}

CommTree::~CommTree() { --num_live_trees; }

int CommTree::num_live() { return num_live_trees; }

std::int32_t* CommTree::row(std::uint32_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return make_row(number);
}

std::int32_t** CommTree::rows() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (all_rows_.empty()) {
        std::vector<std::int32_t*> all;
        all.reserve(sides_.size());
        rows_.reserve(sides_.size());
        for (std::size_t i = 0; i < sides_.size(); ++i) {
            all.push_back(
                make_row(static_cast<std::uint32_t>((sides_.first_local + i) % sides_.size())));
        }
        all_rows_ = std::move(all);
    }
    return all_rows_.data();
}

bool CommTree::has_rows() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return !rows_.empty();
}

std::int32_t* CommTree::make_row(std::uint32_t number) {
    const auto [row, is_new] = rows_.try_emplace(number);
    if (is_new) {
        tree_.read(number, row->second.data());
    }
    return row->second.data();
}

}  // namespace hitopo
