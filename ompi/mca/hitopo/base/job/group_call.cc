// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/group_call.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/exchange/launched_nodes.h"
#include "ompi/mca/hitopo/core/text/rank_list.h"

namespace hitopo {
namespace {

using Text = std::unique_ptr<char, void (*)(void*)>;
using Ranks = std::vector<std::uint32_t>;

Text own(char* text) { return {text, std::free}; }

std::string copy(const Text& text) { return text ? text.get() : ""; }

// Processes of other versions are of no group.
std::uint32_t hash_of(const Text& peers, std::uint32_t version) {
    ByteWriter bytes;
    bytes.put_u32(version);
    bytes.put_short(copy(peers));
    return static_cast<std::uint32_t>(hash_bytes(bytes.take()));
}

std::uint32_t hash_of(const Ranks& leaders, std::uint32_t version) {
    ByteWriter bytes;
    bytes.put_u32(version);
    for (const std::uint32_t leader : leaders) {
        bytes.put_u32(leader);
    }
    return static_cast<std::uint32_t>(hash_bytes(bytes.take()));
}

// Without an answer that makes sense, itself alone.
Ranks members_of(const Text& peers, std::uint32_t rank, std::uint32_t size) {
    const Result<RankList> list = peers ? RankList::parse(peers.get()) : RankList();
    Ranks members = list ? list->below(size) : Ranks();
    return std::binary_search(members.begin(), members.end(), rank) ? members : Ranks{rank};
}

class Pmix : public Launcher {
public:
    std::optional<std::uint32_t> leader_of(const std::string& node) const override {
        const std::int64_t leader = hitopo_glue_leader_of(node.c_str());
        return leader < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(leader));
    }
    std::string ranks_of(const std::string& node) const override {
        return copy(own(hitopo_glue_peers_of(node.c_str())));
    }
    std::string node_of(std::uint32_t rank) const override {
        return copy(own(hitopo_glue_node_of(static_cast<int>(rank))));
    }
};

bool announce(const char* key, std::uint32_t hash) {
    hitopo_glue_announce(key, hash);
    return hitopo_glue_has_announced(key);
}

AnnouncedGroup& announced() {
    static AnnouncedGroup group;
    return group;
}

}  // namespace

void announce_local_group(std::uint32_t version) {
    const Text peers = own(hitopo_glue_local_peers());
    const int own_rank = hitopo_glue_launched_rank();
    const int all = hitopo_glue_launched_size();
    if (!peers || own_rank < 0 || own_rank >= all) {
        return;
    }
    const auto rank = static_cast<std::uint32_t>(own_rank), size = static_cast<std::uint32_t>(all);
    AnnouncedGroup group;
    group.size = size;
    group.members = members_of(peers, rank, size);
    group.group_hash = hash_of(peers, version);
    Ranks leaders;
    if (group.members[0] == rank) {
        leaders = find_leaders(copy(own(hitopo_glue_nodes())), group.members, size, Pmix());
        group.leaders_hash = hash_of(leaders, version);
    }
    if (!announce(kGroupKey, group.group_hash)) {
        return;
    }
    if (!leaders.empty() && announce(kLeadersKey, group.leaders_hash)) {
        group.leaders = std::move(leaders);
    }
    announced() = std::move(group);
}

AnnouncedGroup take_announced_group() { return std::exchange(announced(), {}); }

GroupCall::GroupCall(int rank, int size, std::uint32_t version)
    : rank_(static_cast<std::uint32_t>(rank)), size_(static_cast<std::uint32_t>(size)), list_(size_) {
    const Text peers = own(hitopo_glue_local_peers());
    groups_.members = members_of(peers, rank_, size_);
    groups_.leaders.reserve(size_);
    heard_.bytes.reserve(list_.max_bytes());
    const std::uint32_t leader = groups_.members[0];
    is_with_leader_ = leader == rank_ || hitopo_glue_is_present(kGroupKey, hash_of(peers, version),
                                                                static_cast<int>(leader));
    restart();
}

void GroupCall::restart() {
    list_.clear();
    is_agreed_ = is_with_leader_;
    if (groups_.members[0] == rank_) {
        list_.add({rank_, static_cast<std::uint32_t>(groups_.members.size())});
    }
}

void GroupCall::hear(bool is_agreed) {
    const bool is_heard = list_.merge(heard_.bytes);
    is_agreed_ = is_agreed_ && is_agreed && is_heard;
}

LocalGroups GroupCall::take_groups() {
    if (is_settled()) {
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
