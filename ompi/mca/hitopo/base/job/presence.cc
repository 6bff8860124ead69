// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/presence.h"

#include <algorithm>
#include <string>

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

// Of the news of a round; who is absent goes with them.
enum Flag : std::uint32_t { kIsUnready = 1, kIsInOtherGroup = 2 };

class Roll {
public:
    Roll(int rank, int size, const Layer& layer, bool is_ready, GroupCall* groups)
        : rank_(rank),
          layer_(layer),
          wire_(hitopo_glue_world()),
          call_(rank, size),
          groups_(groups),
          is_unready_(!is_ready),
          lowest_present_(rank) {}

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
    void tell() {
        // Nearly all have met a lower one in the roll call. That none of these many is here is proof
        // enough for the others: a message twice is better than to look up half of a large job.
        constexpr int kMaxLookUps = 64;
        for (int rank = 0; lowest_present_ == rank_ && rank < std::min(rank_, kMaxLookUps); ++rank) {
            (void)look_up(rank);
        }
        if (lowest_present_ == rank_) {
            show(layer_, "mixed-job", std::to_string(call_.lowest_missing()), std::to_string(rank_));
        }
    }

private:
    bool look_up(int rank) {
        const bool is_here = hitopo_glue_is_present(layer_.name, layer_.version, rank);
        if (is_here) {
            lowest_present_ = std::min(lowest_present_, rank);
        } else {
            call_.note_missing(rank);
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
        const int status = wire_.pass(is_to_here ? peer(call_.to()) : Wire::kNobody, news,
                                      groups_ != nullptr ? groups_->leaders() : std::string_view(),
                                      is_from_here ? peer(call_.from()) : Wire::kNobody, heard);
        if (status != kSuccess) {
            call_.note_missing(call_.from());
        } else if (is_from_here) {
            call_.note_missing(static_cast<int>(heard.news.absent));
            is_unready_ = is_unready_ || (heard.news.flags & kIsUnready) != 0;
            if (groups_ != nullptr) {
                groups_->hear((heard.news.flags & kIsInOtherGroup) == 0);
            }
        }
    }

    static std::uint32_t peer(int rank) { return static_cast<std::uint32_t>(rank); }

    const int rank_;
    const Layer& layer_;
    const Wire wire_;
    RollCall call_;
    GroupCall* const groups_;
    bool is_unready_;
    int lowest_present_;  // that this process knows of
};

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
    Roll roll(rank, size, layer, is_ready, groups);
    const Presence presence = roll.call();
    if (presence == Presence::kSome) {
        roll.tell();
    }
    return presence;
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
