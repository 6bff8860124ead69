// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/lifecycle.h"

#include <memory>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/outcome_messages.h"
#include "ompi/mca/hitopo/base/presence.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/base/words.h"
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
    if (claim() && hitopo_glue_settings()->eager) {
        (void)guarded([] { announce_presence(kPresence); });
        if (is_framework_open_ && hitopo_glue_local_rank() == 0) {
            hitopo_glue_prepare_components();
        }
    }
}

void Lifecycle::announce_layer(const char* layer) {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (claim_ == Claim::kOurs) {
        hitopo_glue_announce(layer, kPresence);
        say_word(layer, "");
    }
}

// Too late to say that it is here: some would hear it, and others not.
void Lifecycle::open() {
    (void)claim();
    if (claim_ == Claim::kAnothers) {
        status_ = Status::kSecondCopy;
        return;
    }
    hitopo_glue_tell_not_found();
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

// Nobody calls one that could not say that it is here, and it must not wait for a call.
bool may_be_called(bool is_announced) {
    return is_announced || hitopo_glue_job_size() == 1 || !hitopo_glue_can_tell();
}

// ready: NULL where memory was short: then this process takes part by what its stack holds.
Presence check_world(Attempt* ready) {
    const Layer layer = {nullptr, kPresence, nullptr};
    if (ready != nullptr) {
        return check_presence(layer, ready->channel, true, &*ready->finder);
    }
    CommWire wire(hitopo_glue_world());
    Channel channel(wire);
    return check_presence(layer, channel, false, nullptr);
}

}  // namespace

// No lock: MPI_Init has one thread, and what follows are collectives.
bool Lifecycle::is_layer_everywhere(const char* layer, const char* help) {
    if (hitopo_glue_job_size() == 1) {
        return true;  // also where it could announce nothing, as a singleton
    }
    if (const std::optional<SettingRanks> found = Trees::instance().find_word(layer)) {
        tell_layer({layer, kPresence, help}, *found);
        return !found->lacking;
    }
    if (!may_be_called(hitopo_glue_has_announced(layer))) {
        return false;
    }
    CommWire wire(hitopo_glue_world());
    Channel channel(wire);
    return check_presence({layer, kPresence, help}, channel, true, nullptr) == Presence::kAll;
}

bool Lifecycle::start() {
    const Status before = status_;
    const bool is_announced = hitopo_glue_has_announced(nullptr);  // in time
    if (before == Status::kNotStarted) {
        open();
    }
    if (claim_ == Claim::kAnothers || (before != Status::kNotStarted && before != Status::kWorldless)) {
        return false;
    }
    if (!hitopo_glue_settings()->eager) {
        status_ = is_framework_open_ ? Status::kLazy : Status::kNoFramework;
    } else {
        start_eagerly(is_announced);
    }
    return status_ == Status::kRunning;
}

void Lifecycle::start_eagerly(bool is_announced) {
    if (!may_be_called(is_announced)) {
        status_ = Status::kMixed;
        return;
    }
    // Also where this process alone fails on its way: it must not start again.
    status_ = Status::kFailed;
    std::unique_ptr<Attempt> ready;
    const int status = guarded([&] { ready = Trees::instance().prepare_world(); });
    switch (check_world(ready.get())) {  // collective
        case Presence::kAll:
            if (Trees::instance().exchange_world(*ready, is_framework_open_)) {  // collective
                status_ = Status::kRunning;
            } else if (!is_framework_open_) {
                status_ = Status::kNoFramework;
            }
            break;
        case Presence::kUnready:
            if (hitopo_glue_job_rank() == 0) {
                tell_failure(ready ? -1 : 0, ready ? kErrorOutOfResource : status);
            }
            break;
        case Presence::kSome:
            status_ = Status::kMixed;
            break;
        case Presence::kCannotTell:
            status_ = Status::kCannotTell;
            break;
    }
}

std::optional<AddressTree> Lifecycle::tree_alone() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (status_ != Status::kNotStarted || hitopo_glue_is_up()) {
        return std::nullopt;
    }
    announce();
    return is_framework_open_ ? Trees::instance().find_alone() : std::nullopt;
}

int Lifecycle::load(ompi_communicator_t* comm) {
    start_without_world();
    return Trees::instance().load(comm, can_exchange());  // collective
}

// All members find a tree or none of them does: whether all of them lie in MPI_COMM_WORLD, and whether
// all called load, is the same at all.
TreeCache::Proposal Lifecycle::tree_for_collective(ompi_communicator_t* comm) {
    start_without_world();
    Trees& trees = Trees::instance();
    TreeCache::Proposal proposal = trees.cache().propose(comm);
    // Others see what this job announced, and nothing else; a job without a launcher announced nothing.
    const bool has_own_job = status_ == Status::kRunning && hitopo_glue_has_announced(nullptr);
    if (proposal.tree == nullptr && trees.reaches_beyond_world(comm, has_own_job) &&
        trees.load(comm, can_exchange()) == kSuccess) {  // collective
        proposal = trees.cache().propose(comm);
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
    return Trees::instance().replace_world();  // collective
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
    const Status status = status_.exchange(Status::kStopped);
    forget_words();
    Trees::instance().cache().clear();
    if (is_framework_open_ && status != Status::kNotStarted && status != Status::kStopped) {
        hitopo_glue_stop_watching();
    }
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
