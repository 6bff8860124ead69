// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/lifecycle.h"

#include <memory>
#include <string>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/or_end_job.h"
#include "ompi/mca/hitopo/base/presence.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
// Never destroyed: Open MPI may call the finalize hook after static destructors ran.
Lifecycle& Lifecycle::instance() {
    static Lifecycle& lifecycle = *new Lifecycle;
    return lifecycle;
}

bool Lifecycle::claim() {
    if (claim_ != Claim::kNone) {
        return false;
    }
    claim_ = hitopo_glue_claim() ? Claim::kOurs : Claim::kAnothers;
    is_framework_open_ = claim_ == Claim::kOurs && hitopo_glue_open() == kSuccess;
    return claim_ == Claim::kOurs;
}

void Lifecycle::announce() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (!claim()) {
        return;
    }
    if (!hitopo_glue_settings()->eager) {
        announce_off();
    } else {
        (void)guarded(announce_presence);
        if (is_framework_open_ && hitopo_glue_local_rank() == 0) {
            hitopo_glue_prepare_components();
        }
    }
}

void Lifecycle::announce_layer(const char* layer) {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (claim_ == Claim::kOurs) {
        hitopo_glue_announce(layer, kPresence);
        set_common(layer, "");
    }
}

// It is too late for an announcement: some processes would see it, and others not.
void Lifecycle::open() {
    (void)claim();
    if (claim_ == Claim::kAnothers) {
        status_ = Status::kSecondCopy;
        return;
    }
    hitopo_glue_tell_left_out();
    ompi_hitopo_base_tell_too_small();
    status_ = is_framework_open_ ? Status::kWorldless : Status::kNoFramework;
}

void Lifecycle::start_without_world() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    const Status status = status_;
    if ((status == Status::kNotStarted || status == Status::kStopped) && hitopo_glue_is_up() &&
        !hitopo_glue_has_world()) {
        open();
    }
}

namespace {

// A process that could not announce itself in time is absent to the others, and must not wait for them.
bool may_check_presence(bool is_announced) {
    return is_announced || hitopo_glue_job_size() == 1 || !hitopo_glue_can_tell();
}

}  // namespace

// It takes no lock: MPI_Init has one thread, and collectives follow.
bool Lifecycle::is_layer_everywhere(const char* layer, const char* help) {
    if (hitopo_glue_job_size() == 1) {
        return true;  // also where it could announce nothing, as a singleton
    }
    if (const std::optional<SettingRanks> found = find_common(layer)) {
        print_missing_layer({layer, help}, *found);
        return !found->lacking;
    }
    if (!may_check_presence(hitopo_glue_has_announced(layer))) {
        return false;
    }
    return or_end_job(hitopo_glue_world(), "MPI_Init", [=] {
        return check_presence({layer, help}, nullptr) == Presence::kAll;  // collective
    });
}

bool Lifecycle::is_layer_alike(const char* const* keys, int num_keys, const char* help) {
    std::string lines;
    if (!is_layer_everywhere(keys[0], help)) {
        return false;
    }
    for (int i = 0; i < num_keys; ++i) {
        const std::optional<SettingRanks> found = find_common(keys[i]);
        if (found && found->differing) {
            lines += std::string("    ") + (i == 0 ? "the version" : keys[i]) + " of rank " +
                     std::to_string(*found->differing) + " is not that of rank 0.\n";
        }
    }
    if (!lines.empty() && hitopo_glue_job_rank() == 0) {
        ompi_hitopo_base_help_from(help, "other-settings", lines.c_str(), "", "");
    }
    return lines.empty();
}

bool Lifecycle::start() {
    const Status before = status_;
    const bool is_announced = hitopo_glue_has_announced(nullptr);                        // in time
    const bool is_closed = before == Status::kNotStarted || before == Status::kStopped;  // by sessions
    if (is_closed) {
        open();
    }
    if (claim_ == Claim::kAnothers || (!is_closed && before != Status::kWorldless)) {
        return false;
    }
    if (!hitopo_glue_settings()->eager) {
        status_ = is_framework_open_ ? Status::kLazy : Status::kNoFramework;
    } else if (!may_check_presence(is_announced)) {
        status_ = Status::kMixed;
    } else {
        const Presence presence = exchange_world(is_framework_open_);  // collective
        status_ = presence == Presence::kSome                ? Status::kMixed
                  : presence == Presence::kCannotTell        ? Status::kCannotTell
                  : TreeCache::instance().world() != nullptr ? Status::kRunning
                  : is_framework_open_                       ? Status::kFailed
                                                             : Status::kNoFramework;
    }
    return status_ == Status::kRunning;
}

std::shared_ptr<CommTree> Lifecycle::tree_alone() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (status_ != Status::kNotStarted || hitopo_glue_is_up()) {
        return nullptr;
    }
    announce();
    return is_framework_open_ ? find_tree_alone() : nullptr;
}

int Lifecycle::load(ompi_communicator_t* comm) {
    start_without_world();
    return load_tree(comm, can_exchange());  // collective
}

// All members find a tree or none of them does: whether all of them lie in MPI_COMM_WORLD, and whether
// all called load, is the same at all.
TreeCache::Proposal Lifecycle::tree_for_collective(ompi_communicator_t* comm) {
    start_without_world();
    TreeCache& cache = TreeCache::instance();
    TreeCache::Proposal proposal = cache.propose(comm);
    // Other jobs see what this one announced, and nothing else; without a launcher it announced nothing.
    const bool has_own_job = status_ == Status::kRunning && hitopo_glue_has_announced(nullptr);
    if (proposal.tree == nullptr && reaches_beyond_world(comm, has_own_job) &&
        load_tree(comm, can_exchange()) == kSuccess) {  // collective
        proposal = cache.propose(comm);
    }
    return proposal;
}

int Lifecycle::simulate(const char* topology, const char* binding, const char* map_path) {
    if (!can_exchange()) {
        return kErrorNotAvailable;
    }
    hitopo_glue_set_variable("hwloc", "topology", topology);
    hitopo_glue_set_variable("hwloc", "binding", binding);
    hitopo_glue_set_variable("file", "path", map_path);
    ompi_communicator_t* world = hitopo_glue_world();
    const int status = load_tree(world, true, false);  // collective
    TreeCache::instance().forget_all_but(world);
    return status;
}

bool Lifecycle::can_exchange() const {
    const Status status = status_;
    return is_framework_open_ &&
           (status == Status::kRunning || status == Status::kLazy || status == Status::kMixed ||
            status == Status::kCannotTell || status == Status::kWorldless);
}

const char* Lifecycle::reason() const {
    switch (status_) {
        case Status::kRunning:
            return nullptr;
        case Status::kNotStarted:
            return "MPI_Init has not run, or ran without HiTopo: install the hook, link with "
                   "-lmpi_hitopo, or run mpirun with --tune hitopo.conf";
        case Status::kSecondCopy:
            return "another copy of HiTopo runs in this process: load only one";
        case Status::kNoFramework:
            return "Open MPI could not open the framework hitopo: see the message of Open MPI above";
        case Status::kLazy:
            return "hitopo_base_eager is false: set it to true, or call ompi_hitopo_load";
        case Status::kMixed:
            return "not all processes of the job run this version of HiTopo: start all of them with one "
                   "installation";
        case Status::kCannotTell:
            return "there is no PMIx server, so HiTopo cannot find out which processes run it: start "
                   "the job with mpirun, or with srun --mpi=pmix";
        case Status::kWorldless:
            return "the program uses MPI sessions only: call ompi_hitopo_load";
        case Status::kFailed:
            return "the exchange of addresses failed: see the message above";
        case Status::kStopped:
            break;
    }
    return "MPI_Finalize has run";
}

void Lifecycle::stop() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    status_ = Status::kStopped;
    clear_common();
    TreeCache::instance().clear();
    if (is_framework_open_) {
        is_framework_open_ = false;
        hitopo_glue_close();
    }
    if (claim_ == Claim::kOurs) {
        claim_ = Claim::kNone;
        hitopo_glue_retire();
        hitopo_glue_unclaim();
    }
}

}  // namespace hitopo
