// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/tables.h"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/job/local_process.h"
#include "ompi/mca/hitopo/base/job/outcome_messages.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Where this process does not know its local rank it speaks for the node too: that costs time only.
Contributor this_process(const Known& known) {
    const bool speaks_for_node =
        known.answers ? known.answers->facts.speaks_for_node : hitopo_glue_local_rank() <= 0;
    return {hitopo_glue_job_rank(), hitopo_glue_job_size(), speaks_for_node, false};
}

// Stands in where the framework could not be opened: what it says is refused by all.
class Unopened : public Participant {
    Contribution contribute(bool) override { return {}; }
    std::string lead(const std::string&) override { return {}; }
    void accept(std::shared_ptr<const SharedBytes>) override {}
};

// Not on the stack, of which a program's thread may have little.
std::unique_ptr<std::optional<Table>> read_table(const std::shared_ptr<const SharedBytes>& block,
                                                 std::size_t num_processes) {
    std::unique_ptr<std::optional<Table>> table(
        new std::optional<Table>(Table::from_block(block, block->view(), num_processes)));
    if (!*table) {
        throw std::runtime_error("a table arrived damaged");
    }
    return table;
}

// comm's table; binding: this process's in it.
std::shared_ptr<CommTable> make_table(ompi_communicator_t* comm,
                                      const std::shared_ptr<const SharedBytes>& block,
                                      const CpuSet& binding) {
    const auto num_local = static_cast<std::size_t>(hitopo_glue_size(comm));
    const auto num_remote = static_cast<std::size_t>(hitopo_glue_remote_size(comm));
    const bool is_first = num_remote == 0 || hitopo_glue_is_first_group(comm);
    return std::make_shared<CommTable>(std::move(**read_table(block, num_local + num_remote)),
                                       is_first ? 0 : num_remote, num_local, is_first ? num_local : 0,
                                       num_remote, binding,
                                       static_cast<std::int64_t>(hash_bytes(block->view()) >> 1));
}

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

Attempt::Attempt(ompi_communicator_t* comm, Known known,
                 std::function<void(const std::shared_ptr<CommTable>&)> keep)
    : exchange(comm),
      me(this_process(known), std::move(known),
         [this, comm, keep = std::move(keep)](const std::shared_ptr<const SharedBytes>& block) {
             fresh = make_table(comm, block, me.answers().facts.cpus);
             keep(fresh);
         }) {}

// Never destroyed: Open MPI may call the finalize hook after static destructors ran.
Tables& Tables::instance() {
    static Tables& tables = *new Tables;
    return tables;
}

std::optional<Answers> Tables::answers() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return answers_;
}

void Tables::keep(Answers answers) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!answers.facts.host_name.empty()) {  // else memory was short before anything was found out
        answers_ = std::move(answers);
    }
}

std::optional<Table> Tables::find_alone() {
    std::optional<Table> table;
    ThisProcess me({0, 1, true, false}, {}, [&](const std::shared_ptr<const SharedBytes>& block) {
        table = std::move(*read_table(block, 1));
    });
    (void)derive_alone(me);
    keep(me.take_answers());
    return table;
}

std::optional<LayerPresence> Tables::find_layer(const char* layer) const {
    const std::shared_ptr<CommTable> world = cache_.world();
    return world ? std::optional(presence_of(world->table().dictionary(), layer)) : std::nullopt;
}

std::unique_ptr<Attempt> Tables::prepare_world() {
    ompi_communicator_t* world = hitopo_glue_world();
    auto attempt = std::make_unique<Attempt>(world, Known(),
                                             [this, world](const std::shared_ptr<CommTable>& fresh) {
                                                 cache_.set_world(fresh);
                                                 cache_.put(world, fresh);
                                             });
    attempt->call =
        std::make_unique<GroupCall>(hitopo_glue_job_rank(), hitopo_glue_job_size(), kPresence);
    return attempt;
}

Tables::World Tables::exchange_world(Attempt& attempt, Opening opening, bool is_open) {
    Unopened unopened;
    Participant& speaker = is_open ? static_cast<Participant&>(attempt.me) : unopened;
    const Outcome outcome =
        attempt.exchange.run(std::move(opening.groups), speaker, opening.is_settled);  // collective
    if (outcome.is_unsettled) {
        return World::kUnsettled;
    }
    const bool is_there = outcome.status == kSuccess && !outcome.is_refused;
    if (!is_there) {
        cache_.clear();
        attempt.fresh.reset();
    }
    // What fails here fails at this process alone, and changes nothing.
    (void)guarded([&] {
        const CommTable* fresh = attempt.fresh.get();
        if (hitopo_glue_job_rank() == 0) {
            tell_outcome(outcome, attempt.me.answers(),
                         fresh != nullptr ? &fresh->table().dictionary() : nullptr);
        }
        keep(attempt.me.take_answers());
    });
    return is_there ? World::kTable : World::kNone;
}

int Tables::load(ompi_communicator_t* comm, bool can_exchange) {
    enum {
        kOff,
        kHasNoTable,
        kHasChanged,
        kVersion,
        kNegatedVersion,
        kTable,
        kNegatedTable,
        kNumMaxima
    };
    std::int64_t mine[kNumMaxima] = {1, 0, 0, std::int64_t{kPresence}, -std::int64_t{kPresence}, 0, 0};
    std::shared_ptr<CommTable> table;
    (void)guarded([&] {
        table = cache_.propose(comm).table;
        mine[kHasNoTable] = table == nullptr ? 1 : 0;
        mine[kHasChanged] = table != nullptr && read_binding() != table->binding() ? 1 : 0;
        mine[kTable] = table != nullptr ? table->identity() : 0;
        mine[kNegatedTable] = -mine[kTable];
        mine[kOff] = can_exchange ? 0 : 1;
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
    const bool has_table = all[kHasNoTable] == 0 && all[kTable] == -all[kNegatedTable];
    if (has_table) {
        cache_.accept(comm, table);
    }
    return has_table && all[kHasChanged] == 0 ? kSuccess : exchange_for(comm, true, has_table);
}

std::optional<KnownMachine> Tables::machine_of_node(ompi_communicator_t* comm) {
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
    return KnownMachine{dictionary.machine_components()[machine],
                        dictionary.machines()[machine].encode()};
}

// Equal at all members, as their tables are; where they have none, nobody can tell who goes with whom.
LocalGroups Tables::groups_of(ompi_communicator_t* comm, bool has_table) {
    const Wire wire(comm);
    if (!has_table) {
        return LocalGroups::of_one(wire.own(), wire.size());
    }
    const std::shared_ptr<CommTable> table = cache_.find(comm);
    if (table == nullptr) {
        throw std::bad_alloc();
    }
    return LocalGroups::of(wire.own(), wire.size(), table->table().num_nodes(),
                           [&](std::uint32_t process) { return table->table().node_number(process); });
}

// Apart from the exchange: a program's thread may have little stack for both.
[[gnu::noinline]] std::unique_ptr<Attempt> Tables::prepare(ompi_communicator_t* comm, bool keeps_answers,
                                                           bool has_table) {
    Known known = keeps_answers ? Known{machine_of_node(comm), answers()} : Known();
    auto attempt = std::make_unique<Attempt>(comm, std::move(known),
                                             [this, comm](const std::shared_ptr<CommTable>& fresh) {
                                                 if (is_whole_job(comm)) {
                                                     cache_.set_world(fresh);
                                                 }
                                                 cache_.put(comm, fresh);
                                             });
    attempt->groups = groups_of(comm, has_table);
    return attempt;
}

int Tables::exchange_for(ompi_communicator_t* comm, bool keeps_answers, bool has_table) {
    std::unique_ptr<Attempt> ready;
    Outcome outcome;
    const int status = guarded([&] { ready = prepare(comm, keeps_answers, has_table); });
    if (!have_all_succeeded(comm, status, static_cast<std::uint32_t>(hitopo_glue_rank(comm)),
                            outcome)) {  // collective
        return outcome.status;
    }
    const TableCache::State before = cache_.state(comm);
    outcome = ready->exchange.run(std::move(ready->groups), ready->me);  // collective
    const int result = outcome.is_refused ? kErrorNotSupported : outcome.status;
    if (ready->fresh != nullptr && result != kSuccess) {
        cache_.restore(comm, before, ready->fresh);
    }
    keep(ready->me.take_answers());
    return result;
}

int Tables::replace_world() {
    const bool has_table = cache_.world() != nullptr;                        // the same at all
    const int status = exchange_for(hitopo_glue_world(), false, has_table);  // collective
    cache_.forget_all_but(hitopo_glue_world());
    return status;
}

}  // namespace hitopo
