// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/session.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/job/binding_watch.h"
#include "ompi/mca/hitopo/base/job/outcome_messages.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Where this process does not know its local rank it speaks for the node too: that costs time only.
Contributor this_process() {
    return {hitopo_glue_job_rank(), hitopo_glue_job_size(), hitopo_glue_local_rank() <= 0, false};
}

// Stands in where the framework could not be opened: what it says is refused by all.
class Unopened : public Participant {
    Contribution contribute(bool) override { return {}; }
    std::string lead(std::uint32_t) override { return {}; }
    void accept(Directory) override {}
};

// comm's table; binding: this process's in it.
std::shared_ptr<CommTable> make_table(ompi_communicator_t* comm, Directory directory,
                                      const CpuSet& binding) {
    const auto num_local = static_cast<std::size_t>(hitopo_glue_size(comm));
    const auto num_remote = static_cast<std::size_t>(hitopo_glue_remote_size(comm));
    const bool is_first = num_remote == 0 || hitopo_glue_is_first_group(comm);
    auto dictionary = std::make_shared<const Dictionary>(std::move(directory.dictionary));
    return std::make_shared<CommTable>(Table(std::move(dictionary), directory.processes),
                                       is_first ? 0 : num_remote, num_local, is_first ? num_local : 0,
                                       num_remote, binding);
}

}  // namespace

// An exchange among comm's processes, with all memory that this one needs before the first word to
// others.
struct Session::Attempt {
    // keep: gets the fresh table at once.
    Attempt(ompi_communicator_t* comm, std::optional<KnownMachine> machine,
            std::function<void(const std::shared_ptr<CommTable>&)> keep)
        : exchange(comm),
          me(this_process(), std::move(machine),
             [this, comm, keep = std::move(keep)](Directory directory) {
                 fresh = make_table(comm, std::move(directory), me.answers().facts.cpus);
                 keep(fresh);
             }) {}

    Exchange exchange;
    ThisProcess me;
    std::shared_ptr<CommTable> fresh;
};

// Never destroyed: Open MPI may call the finalize hook after static destructors ran.
Session& Session::instance() {
    static Session& session = *new Session;
    return session;
}

bool Session::claim() {
    if (is_claimed_ || is_second_copy_) {
        return false;
    }
    is_claimed_ = hitopo_glue_claim();
    is_second_copy_ = !is_claimed_;
    is_framework_open_ = is_claimed_ && hitopo_glue_open() == kSuccess;
    return is_claimed_;
}

void Session::announce() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (claim() && hitopo_glue_settings()->eager) {
        hitopo_glue_announce(nullptr, kPresence);
        if (is_framework_open_ && hitopo_glue_local_rank() == 0) {
            hitopo_glue_prepare_components();
        }
    }
}

void Session::announce_layer(const char* layer) {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (is_claimed_) {
        hitopo_glue_announce(layer, kPresence);
    }
}

// Too late to say that it is here: some would hear it, and others not.
void Session::open() {
    (void)claim();
    if (is_second_copy_) {
        status_ = Status::kSecondCopy;
        return;
    }
    hitopo_glue_tell_not_found();
    is_open_ = is_framework_open_;
    status_ = is_open_ ? Status::kWorldless : Status::kNoFramework;
}

void Session::start_without_world() {
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

}  // namespace

// No lock: MPI_Init has one thread, and what follows are collectives.
bool Session::is_layer_everywhere(const char* layer, const char* help) {
    return may_be_called(hitopo_glue_has_announced(layer)) &&
           check_presence({layer, kPresence, help}, true) == Presence::kAll;
}

void Session::start() {
    const Status before = status_;
    const bool is_announced = hitopo_glue_has_announced(nullptr);  // in time
    if (before == Status::kNotStarted) {
        open();
    }
    if (is_second_copy_ || (before != Status::kNotStarted && before != Status::kWorldless)) {
        return;
    }
    if (!hitopo_glue_settings()->eager) {
        status_ = is_open_ ? Status::kLazy : Status::kNoFramework;
    } else {
        start_eagerly(is_announced);
    }
}

void Session::start_eagerly(bool is_announced) {
    if (!may_be_called(is_announced)) {
        status_ = Status::kMixed;
        return;
    }
    status_ =
        Status::kFailed;  // also where this process alone fails on its way: it must not start again
    std::optional<Attempt> ready;
    const int status = guarded([&] {
        ompi_communicator_t* world = hitopo_glue_world();
        ready.emplace(world, std::nullopt, [this, world](const std::shared_ptr<CommTable>& fresh) {
            cache_.set_world(fresh);
            cache_.put(world, fresh);
        });
        return kSuccess;
    });
    switch (check_presence({nullptr, kPresence, nullptr}, ready.has_value())) {
        case Presence::kAll:
            exchange_world(*ready);
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

std::optional<Table> Session::table_alone() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    if (status_ != Status::kNotStarted || hitopo_glue_is_up()) {
        return std::nullopt;
    }
    announce();
    if (!is_framework_open_) {
        return std::nullopt;
    }
    std::optional<Table> table;
    ThisProcess me({0, 1, true, false}, std::nullopt, [&](Directory directory) {
        table.emplace(std::make_shared<const Dictionary>(std::move(directory.dictionary)),
                      directory.processes);
    });
    (void)derive_alone(me);
    keep(me.take_answers());
    return table;
}

void Session::keep(Answers answers) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::swap(answers_, answers);
}

// What may fail at one process alone comes last.
void Session::exchange_world(Attempt& attempt) {
    auto& [exchange, me, fresh] = attempt;
    Unopened unopened;
    const Outcome outcome =
        exchange.run(is_open_ ? static_cast<Participant&>(me) : unopened);  // collective
    if (outcome.status == kSuccess && !outcome.refused) {
        status_ = Status::kRunning;
    } else {
        cache_.clear();
        fresh.reset();
        status_ = is_open_ ? Status::kFailed : Status::kNoFramework;
    }
    if (hitopo_glue_job_rank() == 0) {
        tell_outcome(outcome, me.answers(), fresh ? &fresh->table().dictionary() : nullptr);
    }
    keep(me.take_answers());
}

int Session::load(ompi_communicator_t* comm) {
    start_without_world();
    enum { kOff, kHasNoTable, kHasChanged, kVersion, kNegatedVersion, kNumMaxima };
    std::int64_t mine[kNumMaxima] = {1, 0, 0, std::int64_t{kPresence}, -std::int64_t{kPresence}};
    (void)guarded([&] {
        const std::shared_ptr<CommTable> table = cache_.find(comm);
        mine[kHasNoTable] = table == nullptr ? 1 : 0;
        mine[kHasChanged] = table != nullptr && is_bound_anew(*table) ? 1 : 0;
        mine[kOff] = can_exchange() ? 0 : 1;
        return kSuccess;
    });
    std::int64_t all[kNumMaxima] = {};
    const int status = hitopo_glue_max64(comm, mine, all, kNumMaxima);  // collective
    if (status != kSuccess) {
        return status;
    }
    if (all[kOff] != 0) {
        return kErrorNotAvailable;
    }
    if (all[kVersion] != -all[kNegatedVersion]) {
        return kErrorNotSupported;
    }
    if (all[kHasNoTable] == 0 && all[kHasChanged] == 0) {
        return kSuccess;
    }
    return exchange_for(comm, true);
}

namespace {

// Whether comm is MPI_COMM_WORLD, or stands for it where there is none: then tables of others come from
// its own.
bool is_whole_job(ompi_communicator_t* comm) {
    if (hitopo_glue_has_world()) {
        return comm == hitopo_glue_world();
    }
    const int size = hitopo_glue_size(comm);
    if (hitopo_glue_is_inter(comm) || size != hitopo_glue_job_size()) {
        return false;
    }
    std::vector<std::uint32_t> ranks(static_cast<std::size_t>(size));
    if (hitopo_glue_world_ranks(comm, false, ranks.data()) != kSuccess) {
        return false;
    }
    return std::is_sorted(ranks.begin(), ranks.end());
}

}  // namespace

std::optional<KnownMachine> Session::machine_of_node(ompi_communicator_t* comm) {
    std::shared_ptr<CommTable> table = cache_.find(comm);
    std::size_t rank =
        table ? table->first_local() + static_cast<std::size_t>(hitopo_glue_rank(comm)) : 0;
    if (table == nullptr && (table = cache_.world()) != nullptr) {
        rank = static_cast<std::size_t>(hitopo_glue_job_rank());
    }
    if (table == nullptr || table->table().node(rank).machine < 0) {
        return std::nullopt;
    }
    const Dictionary& dictionary = table->table().dictionary();
    const auto machine = static_cast<std::size_t>(table->table().node(rank).machine);
    return KnownMachine{dictionary.machine_components[machine], dictionary.machines[machine].encode()};
}

int Session::exchange_for(ompi_communicator_t* comm, bool keeps_machines) {
    std::optional<Attempt> ready;
    Outcome outcome;
    const int status = guarded([&] {
        ready.emplace(comm, keeps_machines ? machine_of_node(comm) : std::nullopt,
                      [this, comm](const std::shared_ptr<CommTable>& fresh) {
                          if (is_whole_job(comm)) {
                              cache_.set_world(fresh);
                          }
                          cache_.put(comm, fresh);
                      });
        return kSuccess;
    });
    if (!have_all_succeeded(comm, status, static_cast<std::uint32_t>(hitopo_glue_rank(comm)),
                            outcome)) {  // collective
        return outcome.status;
    }
    const TableCache::State before = cache_.state(comm);
    auto& [exchange, me, fresh] = *ready;
    outcome = exchange.run(me);  // collective
    if (fresh != nullptr && outcome.status != kSuccess) {
        cache_.restore(comm, before, fresh);
    }
    keep(me.take_answers());
    return outcome.refused ? kErrorNotSupported : outcome.status;
}

// All members find a table or none of them does: whether all of them lie in MPI_COMM_WORLD, and whether
// all called load, is the same at all.
std::shared_ptr<CommTable> Session::table_for_collective(ompi_communicator_t* comm) {
    start_without_world();
    std::shared_ptr<CommTable> table = cache_.find(comm);
    const bool can_try = table == nullptr && can_exchange();
    if (can_try && acquaintances_.reaches_beyond_world(comm, status_ == Status::kRunning) &&
        load(comm) == kSuccess) {
        table = cache_.find(comm);
    }
    return table;
}

int Session::simulate(const char* topology, const char* binding, const char* map_path) {
    if (!can_exchange()) {
        return kErrorNotAvailable;
    }
    hitopo_glue_set_variable("hwloc", "topology", topology);
    hitopo_glue_set_variable("hwloc", "binding", binding);
    hitopo_glue_set_variable("file", "path", map_path);
    const int status = exchange_for(hitopo_glue_world(), false);  // collective
    cache_.forget_all_but(hitopo_glue_world());
    return status;
}

bool Session::can_exchange() const {
    const Status status = status_;
    return is_open_ &&
           (status == Status::kRunning || status == Status::kLazy || status == Status::kMixed ||
            status == Status::kCannotTell || status == Status::kWorldless);
}

Answers Session::answers() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return answers_;
}

const char* Session::reason() const {
    switch (status_) {
        case Status::kRunning:
            return nullptr;
        case Status::kNotStarted:
            return "MPI_Init has not run, or nothing made HiTopo part of it: install the hook, link "
                   "with "
                   "-lmpi_hitopo, or run mpirun with --tune hitopo.conf";
        case Status::kSecondCopy:
            return "another copy of HiTopo runs in this process";
        case Status::kNoFramework:
            return "Open MPI could not open the framework hitopo: see its message above";
        case Status::kLazy:
            return "hitopo_base_eager is false: set it to true, or call ompi_hitopo_load";
        case Status::kMixed:
            return "not all processes of the job run this version of HiTopo: start all of them alike";
        case Status::kCannotTell:
            return "there is no PMIx server to ask which processes run HiTopo";
        case Status::kWorldless:
            return "there are MPI sessions only: call ompi_hitopo_load";
        case Status::kFailed:
            return "the exchange of addresses failed: see the message above";
        case Status::kStopped:
            break;
    }
    return "MPI_Finalize has run";
}

void Session::stop() {
    const std::lock_guard<std::recursive_mutex> turn(turn_);
    const Status status = status_.exchange(Status::kStopped);
    cache_.clear();
    if (is_open_ && status != Status::kStopped) {
        hitopo_glue_stop_watching();
    }
    if (is_framework_open_) {
        is_framework_open_ = false;
        hitopo_glue_close();
    }
    if (is_claimed_) {
        is_claimed_ = false;
        hitopo_glue_retire();
        hitopo_glue_unclaim();
    }
}

}  // namespace hitopo
