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

// One round's message.
struct Word {
    std::int32_t lowest_missing;
    std::int32_t is_unready;  // the sender, or one that it heard of
};

class Roll {
public:
    Roll(int rank, int size, const Layer& layer, bool is_ready)
        : rank_(rank),
          size_(size),
          layer_(layer),
          call_(rank, size),
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
        const Word sent = {call_.lowest_missing(), is_unready_ ? 1 : 0};
        Word heard = {size_, 0};
        const int status =
            hitopo_glue_pass_on(hitopo_glue_world(), is_to_here ? call_.to() : -1, &sent.lowest_missing,
                                is_from_here ? call_.from() : -1, &heard.lowest_missing, 2);
        call_.note_missing(status == kSuccess ? heard.lowest_missing : call_.from());
        is_unready_ = is_unready_ || heard.is_unready != 0;
    }

    const int rank_, size_;
    const Layer& layer_;
    RollCall call_;
    bool is_unready_;
    int lowest_present_;  // that this process knows of
};

}  // namespace

Presence check_presence(const Layer& layer, bool is_ready) {
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
    Roll roll(rank, size, layer, is_ready);
    const Presence presence = roll.call();
    if (presence == Presence::kSome) {
        roll.tell();
    }
    return presence;
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
