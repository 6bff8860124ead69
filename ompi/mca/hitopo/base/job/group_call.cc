// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/group_call.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/rank_list.h"

namespace hitopo {
namespace {

constexpr const char* kKey = "group";

using Text = std::unique_ptr<char, void (*)(void*)>;

Text local_peers() { return {hitopo_glue_local_peers(), std::free}; }

std::uint32_t hash_of(const Text& peers) { return static_cast<std::uint32_t>(hash_bytes(peers.get())); }

// Without an answer that makes sense, itself alone.
std::vector<std::uint32_t> members_of(const Text& peers, std::uint32_t rank, std::uint32_t size) {
    const Result<RankList> list = peers ? RankList::parse(peers.get()) : RankList();
    std::vector<std::uint32_t> members = list ? list->below(size) : std::vector<std::uint32_t>();
    return std::binary_search(members.begin(), members.end(), rank) ? members
                                                                    : std::vector<std::uint32_t>{rank};
}

}  // namespace

void announce_local_group() {
    if (const Text peers = local_peers()) {
        hitopo_glue_announce(kKey, hash_of(peers));
    }
}

GroupCall::GroupCall(int rank, int size)
    : rank_(static_cast<std::uint32_t>(rank)), size_(static_cast<std::uint32_t>(size)), list_(size_) {
    const Text peers = local_peers();
    groups_.members = members_of(peers, rank_, size_);
    groups_.leaders.reserve(size_);
    heard_.bytes.reserve(list_.max_bytes());
    const std::uint32_t leader = groups_.members[0];
    is_agreed_ =
        leader == rank_ || hitopo_glue_is_present(kKey, hash_of(peers), static_cast<int>(leader));
    if (leader == rank_) {
        list_.add({rank_, static_cast<std::uint32_t>(groups_.members.size())});
    }
}

void GroupCall::hear(bool is_agreed) {
    const bool is_heard = list_.merge(heard_.bytes);
    is_agreed_ = is_agreed_ && is_agreed && is_heard;
}

LocalGroups GroupCall::take_groups() {
    if (is_agreed_ && list_.is_whole()) {
        for (const LeaderList::Leader& leader : list_.leaders()) {
            groups_.leaders.push_back(leader.rank);
        }
        return std::move(groups_);
    }
    groups_.members.assign(1, rank_);
    for (std::uint32_t rank = 0; rank < size_; ++rank) {
        groups_.leaders.push_back(rank);
    }
    return std::move(groups_);
}

}  // namespace hitopo
