// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/comm_tree.h"

#include <atomic>
#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

std::atomic<int> num_live_trees = 0;

}  // namespace

CommSides::CommSides(const ompi_communicator_t* comm) {
    if (comm != nullptr) {
        num_local = static_cast<std::size_t>(hitopo_glue_size(comm));
        num_remote = static_cast<std::size_t>(hitopo_glue_remote_size(comm));
        first_local = num_remote == 0 || hitopo_glue_is_first_group(comm) ? 0 : num_remote;
    }
}

hitopo_glue_peer_t CommSides::peer_of(std::uint32_t number) const {
    if (number == StatusHeader::kNobody) {
        return {-1, false};
    }
    const bool is_remote = number < first_local || number >= first_local + num_local;
    return {static_cast<int>(number - (is_remote ? first_remote() : first_local)), is_remote};
}

std::vector<std::uint32_t> CommSides::world_ranks(const ompi_communicator_t* comm) const {
    std::vector<std::uint32_t> ranks(size());
    if (hitopo_glue_world_ranks(comm, false, ranks.data() + first_local) != kSuccess ||
        (num_remote > 0 &&
         hitopo_glue_world_ranks(comm, true, ranks.data() + first_remote()) != kSuccess)) {
        ranks.clear();
    }
    return ranks;
}

CommWire::CommWire(ompi_communicator_t* comm)
    : comm_(comm),
      sides_(comm),
      own_(comm == nullptr ? 0 : sides_.number_of({hitopo_glue_rank(comm), false})) {}

std::size_t CommWire::swap(std::uint32_t to, const void* sent, std::size_t num_sent, std::uint32_t from,
                           void* received, std::size_t capacity) {
    std::size_t num_received = 0;
    if (const int code =
            ompi_hitopo_base_swap(comm_, sides_.peer_of(to), sent, num_sent, sides_.peer_of(from),
                                  received, capacity, &num_received)) {
        throw MessageFailed{code};
    }
    return num_received;
}

CommTree::CommTree(AddressTree&& tree, const CommSides& sides, CpuSet binding, std::uint64_t group)
    : tree_(std::move(tree)), sides_(sides), binding_(std::move(binding)), group_(group) {
    ++num_live_trees;
}

CommTree::~CommTree() { --num_live_trees; }

int CommTree::num_live() { return num_live_trees; }

std::int32_t* CommTree::row(std::uint32_t number) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    const auto [row, is_new] = rows_.try_emplace(number);
    if (is_new) {
        tree_.read(number, row->second.data());
    }
    return row->second.data();
}

std::int32_t** CommTree::rows() {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    if (all_rows_.empty()) {
        std::vector<std::int32_t*> all;
        all.reserve(sides_.size());
        rows_.reserve(sides_.size());
        for (std::size_t i = 0; i < sides_.size(); ++i) {
            all.push_back(row(static_cast<std::uint32_t>((sides_.first_local + i) % sides_.size())));
        }
        all_rows_ = std::move(all);
    }
    return all_rows_.data();
}

bool CommTree::has_rows() const {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    return !rows_.empty();
}

}  // namespace hitopo
