// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/launched_nodes.h"

#include <algorithm>
#include <functional>

#include "ompi/mca/hitopo/core/text/rank_list.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using Ranks = std::vector<std::uint32_t>;

bool contains(const Ranks& ranks, std::uint32_t rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

// The first rank behind the leader that is not one of `ranks`, its own ones.
std::uint32_t next_leader(std::uint32_t leader, const Ranks& ranks) {
    std::uint32_t next = leader + 1;
    for (auto at = std::upper_bound(ranks.begin(), ranks.end(), leader);
         at != ranks.end() && *at == next; ++at) {
        ++next;
    }
    return next;
}

class Search {
public:
    Search(const std::vector<std::string>& names, const Ranks& members, std::uint32_t size,
           const Launcher& launcher)
        : names_(names), members_(members), size_(size), launcher_(launcher) {}

    Ranks run() {
        if (!ask()) {
            return {};
        }
        if (unknown_) {
            const std::optional<std::uint32_t> found = find_unknown();
            if (!found) {
                return {};
            }
            leaders_[*unknown_] = *found;
        }
        std::sort(leaders_.begin(), leaders_.end());
        return is_sound() ? std::move(leaders_) : Ranks();
    }

private:
    // False where more than one is unknown.
    bool ask() {
        for (std::size_t i = 0; i < names_.size(); ++i) {
            const std::optional<std::uint32_t> leader = launcher_.leader_of(names_[i]);
            if (!leader && unknown_) {
                return false;
            }
            if (!leader) {
                unknown_ = i;
            }
            leaders_.push_back(leader.value_or(size_));
        }
        return true;
    }

    std::optional<std::uint32_t> find_unknown() const {
        for (const std::uint32_t certain : {members_[0], std::uint32_t{0}}) {
            if (!contains(leaders_, certain)) {
                return certain;
            }
        }
        if (*unknown_ == 0) {
            return std::nullopt;
        }
        const std::uint32_t before = leaders_[*unknown_ - 1];
        const std::uint32_t next = next_leader(before, group_of(before, names_[*unknown_ - 1]));
        return next < size_ && launcher_.node_of(next) == names_[*unknown_] ? std::optional(next)
                                                                            : std::nullopt;
    }

    Ranks group_of(std::uint32_t leader, const std::string& node) const {
        if (leader == members_[0]) {
            return members_;
        }
        const Result<RankList> ranks = RankList::parse(launcher_.ranks_of(node));
        return ranks ? ranks->below(size_) : Ranks{leader};
    }

    // Ascending, each once, of the job; rank 0 leads its group, and the own one has one.
    bool is_sound() const {
        const bool is_ascending = std::adjacent_find(leaders_.begin(), leaders_.end(),
                                                     std::greater_equal<>()) == leaders_.end();
        return !leaders_.empty() && leaders_.front() == 0 && leaders_.back() < size_ && is_ascending &&
               std::binary_search(leaders_.begin(), leaders_.end(), members_[0]);
    }

    const std::vector<std::string>& names_;
    const Ranks& members_;
    const std::uint32_t size_;
    const Launcher& launcher_;
    Ranks leaders_;                       // by node; `size` for the unknown one
    std::optional<std::size_t> unknown_;  // node
};

}  // namespace

std::vector<std::uint32_t> find_leaders(std::string_view nodes,
                                        const std::vector<std::uint32_t>& members, std::uint32_t size,
                                        const Launcher& launcher) {
    if (members.size() == size) {
        return {members[0]};
    }
    const std::vector<std::string_view> pieces = split(nodes, ',');
    if (nodes.empty() || pieces.size() > kMaxLaunchedNodes) {
        return {};
    }
    const std::vector<std::string> names(pieces.begin(), pieces.end());
    return Search(names, members, size, launcher).run();
}

}  // namespace hitopo
