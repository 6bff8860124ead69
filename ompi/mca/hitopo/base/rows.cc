// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/rows.h"

namespace hitopo {
namespace {

// A single row takes as much memory as so many in one piece.
constexpr std::size_t kCostOfSingle = 4;

}  // namespace

std::int32_t* Rows::row(std::size_t rank) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto single = single_.find(rank);
    if (single != single_.end()) {
        return single->second.data();
    }
    if (addresses_.empty() && kCostOfSingle * (single_.size() + 1) <= tree_.size()) {
        return single_.emplace(rank, tree_.address(static_cast<std::uint32_t>(rank)))
            .first->second.data();
    }
    make_all();
    return addresses_[rank].data();
}

std::int32_t** Rows::all() {
    const std::lock_guard<std::mutex> lock(mutex_);
    make_all();
    return all_.data();
}

// All or, where memory is short, none.
void Rows::make_all() {
    if (!addresses_.empty()) {
        return;
    }
    std::vector<Address> addresses;
    addresses.reserve(tree_.size());
    for (std::size_t rank = 0; rank < tree_.size(); ++rank) {
        addresses.push_back(tree_.address(static_cast<std::uint32_t>(rank)));
    }
    all_.reserve(tree_.size());
    for (const Part& part : parts_) {
        for (std::size_t rank = part.first; rank < part.first + part.num; ++rank) {
            const auto single = single_.find(rank);
            all_.push_back(single != single_.end() ? single->second.data() : addresses[rank].data());
        }
    }
    addresses_ = std::move(addresses);
}

}  // namespace hitopo
