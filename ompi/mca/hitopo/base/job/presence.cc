// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/presence.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/exchange/roll_call.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

void show(const Layer& layer, const char* topic, const std::string& missing,
          const std::string& present) {
    if (layer.help != nullptr) {
        hitopo_base_help_from(layer.help, topic, missing.c_str(), present.c_str(), "");
    } else {
        hitopo_glue_help("base", topic, missing.c_str(), present.c_str(), "");
    }
}

// Flags in the news of a round, with which the absent ranks go.
enum Flag : std::uint32_t { kIsUnready = 1, kIsInOtherGroup = 2 };

// Who takes part: processes that announced this layer, at their positions.
struct Circle {
    const char* layer;
    std::uint32_t version;
    int position, size;
    const std::vector<std::uint32_t>* ranks;  // by position; NULL: all processes by rank

    int rank(int at) const {
        return ranks == nullptr ? at : static_cast<int>((*ranks)[static_cast<std::size_t>(at)]);
    }
};

class Roll {
public:
    Roll(const Circle& circle, bool is_ready, GroupCall* groups)
        : circle_(circle),
          wire_(hitopo_glue_world()),
          call_(circle.position, circle.size),
          groups_(groups),
          is_unready_(!is_ready),
          lowest_present_(circle.position) {}

    // Collective among those that are here.
    Presence call() {
        for (; !call_.is_over(); call_.end_round()) {
            pass_on(look_up(call_.to()), look_up(call_.from()));
        }
        if (call_.is_anyone_missing()) {
            return Presence::kSome;
        }
        return is_unready_ ? Presence::kUnready : Presence::kAll;
    }

    // Where somebody is missing, the lowest process that is here says so.
    void tell(const Layer& layer) {
        // Nearly all have met a lower one in the roll call. That none of these many is here is proof
        // enough for the others: a message twice is better than to look up half of a large job.
        constexpr int kMaxLookUps = 64;
        const int own = circle_.position;
        for (int at = 0; lowest_present_ == own && at < std::min(own, kMaxLookUps); ++at) {
            (void)look_up(at);
        }
        if (lowest_present_ == own) {
            show(layer, "mixed-job", std::to_string(call_.lowest_missing()), std::to_string(own));
        }
    }

private:
    bool look_up(int position) {
        const bool is_here =
            hitopo_glue_is_present(circle_.layer, circle_.version, circle_.rank(position));
        if (is_here) {
            lowest_present_ = std::min(lowest_present_, position);
        } else {
            call_.note_missing(position);
        }
        return is_here;
    }

    void pass_on(bool is_to_here, bool is_from_here) {
        News news;
        news.absent = static_cast<std::uint32_t>(call_.lowest_missing());
        news.flags = (is_unready_ ? kIsUnready : 0U) |
                     (groups_ != nullptr && groups_->is_agreed() ? 0U : kIsInOtherGroup);
        Message none;
        Message& heard = groups_ != nullptr ? groups_->heard() : none;
        heard.news = {};
        // Whether it was sent does not count: who was to have it has it, or waits for ever, and all have
        // to go on alike.
        const int status = wire_
                               .pass(is_to_here ? peer(call_.to()) : Wire::kNobody, news,
                                     groups_ != nullptr ? groups_->leaders() : std::string_view(),
                                     is_from_here ? peer(call_.from()) : Wire::kNobody, heard)
                               .received;
        if (status != kSuccess && status != kErrorOutOfResource) {
            call_.note_missing(call_.from());
        } else if (is_from_here) {
            hear(heard.news, status == kSuccess);
        }
    }

    // has_bytes: a process without memory for them is here, and has the news all the same.
    void hear(const News& news, bool has_bytes) {
        if (news.absent < static_cast<std::uint32_t>(circle_.size)) {
            call_.note_missing(static_cast<int>(news.absent));
        }
        is_unready_ = is_unready_ || !has_bytes || (news.flags & kIsUnready) != 0;
        if (groups_ != nullptr) {
            groups_->hear(has_bytes && (news.flags & kIsInOtherGroup) == 0);
        }
    }

    std::uint32_t peer(int position) const { return static_cast<std::uint32_t>(circle_.rank(position)); }

    const Circle circle_;
    const Wire wire_;
    RollCall call_;  // of positions
    GroupCall* const groups_;
    bool is_unready_;
    int lowest_present_;  // position that this process knows of
};

// Leaves those members that announced the same group. Whether all did.
bool keep_present(const AnnouncedGroup& announced, std::vector<std::uint32_t>& members) {
    const std::size_t num_all = members.size();
    const auto is_absent = [&](std::uint32_t member) {
        return !hitopo_glue_is_present(kGroupKey, announced.group_hash, static_cast<int>(member));
    };
    members.erase(std::remove_if(members.begin() + 1, members.end(), is_absent), members.end());
    return members.size() == num_all;
}

// The leader's side.
bool is_settled_among(const AnnouncedGroup& announced, std::uint32_t own, bool is_ready,
                      GroupCall* groups) {
    const auto& leaders = announced.leaders;
    const auto at = std::lower_bound(leaders.begin(), leaders.end(), own);
    const Circle circle{kLeadersKey, announced.leaders_hash, static_cast<int>(at - leaders.begin()),
                        static_cast<int>(leaders.size()), &leaders};
    return Roll(circle, is_ready, groups).call() == Presence::kAll && groups->is_settled();
}

}  // namespace

Presence check_presence(const Layer& layer, bool is_ready, GroupCall* groups) {
    const int rank = hitopo_glue_job_rank();
    const int size = hitopo_glue_job_size();
    if (size == 1) {
        return is_ready ? Presence::kAll : Presence::kUnready;
    }
    if (!hitopo_glue_can_tell()) {
        if (rank == 0) {
            show(layer, "cannot-tell", "", "");
        }
        return Presence::kCannotTell;
    }
    Roll roll({layer.name, layer.version, rank, size, nullptr}, is_ready, groups);
    const Presence presence = roll.call();
    if (presence == Presence::kSome) {
        roll.tell(layer);
    }
    return presence;
}

// Who looks whom up, sees of the other one what that one sees of it: both announced the same hash, or
// not.
Opening call_leaders(AnnouncedGroup announced, bool is_ready, GroupCall* groups) {
    Opening opening;
    if (announced.members.empty() ||
        announced.size != static_cast<std::uint32_t>(hitopo_glue_job_size())) {
        return opening;
    }
    const auto own = static_cast<std::uint32_t>(hitopo_glue_job_rank());
    const auto leader = static_cast<int>(announced.members[0]);
    if (announced.members[0] != own) {
        const bool is_same = groups != nullptr
                                 ? groups->is_agreed()
                                 : hitopo_glue_is_present(kGroupKey, announced.group_hash, leader);
        opening.is_expected = is_same && hitopo_glue_has_any(kLeadersKey, leader);
        opening.is_settled = opening.is_expected && is_ready;
        opening.groups.members = std::move(announced.members);
        return opening;
    }
    if (announced.leaders.empty()) {
        return opening;
    }
    opening.is_expected = true;
    const bool are_all_here = keep_present(announced, announced.members);
    opening.is_settled = is_settled_among(announced, own, is_ready && are_all_here, groups);
    opening.groups.members = std::move(announced.members);
    if (!opening.is_settled) {
        announced.leaders.assign(1, own);  // takes no memory
    }
    opening.groups.leaders = std::move(announced.leaders);
    return opening;
}

void tell_layer(const Layer& layer, const LayerPresence& found) {
    const auto rank = static_cast<std::uint32_t>(hitopo_glue_job_rank());
    if (found.missing && found.present && *found.present == rank) {
        show(layer, "mixed-job", std::to_string(*found.missing), std::to_string(rank));
    }
}

bool Acquaintances::reaches_beyond_world(ompi_communicator_t* comm, bool knows_own_job) {
    if (hitopo_glue_has_world() && !hitopo_base_has_outsiders(comm)) {
        return false;
    }
    return are_all_present(comm, false, knows_own_job) &&
           (!hitopo_glue_is_inter(comm) || are_all_present(comm, true, knows_own_job));
}

bool Acquaintances::are_all_present(ompi_communicator_t* comm, bool is_remote, bool knows_own_job) {
    const int size = is_remote ? hitopo_glue_remote_size(comm) : hitopo_glue_size(comm);
    for (int i = 0; i < size; ++i) {
        Process process;
        const bool is_on_own_node =
            hitopo_glue_member(comm, is_remote, i, &process.first, &process.second);
        const bool is_known = knows_own_job && process.first == hitopo_glue_job();
        if (!is_known && !is_present(process, is_on_own_node)) {
            return false;
        }
    }
    return true;
}

bool Acquaintances::is_present(const Process& process, bool is_on_own_node) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = known_.find(process);
    if (known != known_.end()) {
        return known->second;
    }
    const bool is_here =
        hitopo_glue_is_foreigner_present(version_, process.first, process.second, is_on_own_node);
    known_.emplace(process, is_here);
    return is_here;
}

}  // namespace hitopo
