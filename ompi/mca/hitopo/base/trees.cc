// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/trees.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/local_process.h"
#include "ompi/mca/hitopo/base/outcome_messages.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Where this process does not know its local rank it speaks for the node too: that costs time only.
Contributor this_process(const Known& known) {
    const bool speaks_for_node =
        known.answers ? known.answers->facts.is_host_asked : hitopo_glue_local_rank() <= 0;
    return {hitopo_glue_job_rank(), hitopo_glue_job_size(), speaks_for_node, false};
}

// Stands in where the framework could not be opened: all refuse.
class Unopened : public ExchangeSide {
    RecordMessage say(bool) override { return {}; }
    std::string uplinks(const std::string&) override { return {}; }
    std::optional<Error> accept(RecordMessage, std::int64_t) override { return std::nullopt; }
};

// Identifies an exchange that this process begins: no other process uses this value, and neither does
// this one again.
std::int64_t next_identity() {
    static std::atomic<std::uint64_t> num_exchanges = 0;
    const std::uint64_t process =
        combine(hitopo_glue_job(), static_cast<std::uint64_t>(hitopo_glue_job_rank()));
    return static_cast<std::int64_t>(combine(process, ++num_exchanges) >> 1 | 1);
}

// Whether comm is MPI_COMM_WORLD, or stands for it where there is none: then trees of others come from
// its own.
bool is_whole_job(ompi_communicator_t* comm) {
    if (hitopo_glue_has_world()) {
        return comm == hitopo_glue_world();
    }
    if (hitopo_glue_is_inter(comm) || hitopo_glue_size(comm) != hitopo_glue_job_size()) {
        return false;
    }
    const std::vector<std::uint32_t> ranks = CommSides(comm).world_ranks(comm);
    return !ranks.empty() && std::is_sorted(ranks.begin(), ranks.end());
}

// Whether all processes got so far, each with its own OMPI_SUCCESS or error code: the greatest code of
// failures. Collective over comm.
int agree_on_success(ompi_communicator_t* comm, int status) {
    constexpr std::int64_t kFailure = std::int64_t{1} << 32;  // codes are negative, MPI's own positive
    const std::int64_t mine = status == kSuccess ? 0 : kFailure + status;
    std::int64_t worst = 0;
    const int agreed = hitopo_glue_max64(comm, &mine, &worst, 1);  // collective
    if (agreed != kSuccess) {
        return status != kSuccess ? status : agreed;
    }
    return worst == 0 ? kSuccess : static_cast<int>(worst - kFailure);
}

}  // namespace

Attempt::Attempt(ompi_communicator_t* comm, Known known,
                 std::function<void(const std::shared_ptr<CommTree>&)> keep)
    : wire(comm),
      channel(wire),
      me(this_process(known), wire.own(), wire.size(), std::move(known),
         [this, comm, keep = std::move(keep)](AddressTree&& tree) {
             fresh =
                 std::make_shared<CommTree>(std::move(tree), CommSides(comm), me.answers().facts.cpus);
             keep(fresh);
         }) {}

// Never destroyed: Open MPI may call the finalize hook after static destructors ran.
Trees& Trees::instance() {
    static Trees& trees = *new Trees;
    return trees;
}

std::optional<Answers> Trees::answers() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return answers_;
}

void Trees::keep(Answers answers) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!answers.facts.host_name.empty()) {  // else memory was short before anything was found out
        answers_ = std::move(answers);
    }
}

std::optional<AddressTree> Trees::find_alone() {
    std::optional<AddressTree> tree;
    ThisProcess me({0, 1, true, false}, 0, 1, {}, [&](AddressTree&& own) { tree = std::move(own); });
    (void)exchange_alone(me, 1);
    keep(me.take_answers());
    return tree;
}

std::optional<SettingRanks> Trees::find_word(const char* key) const {
    const std::shared_ptr<CommTree> world = cache_.world();
    return world ? std::optional(ranks_of_setting(world->tree().facts(), key)) : std::nullopt;
}

std::unique_ptr<Attempt> Trees::prepare_world() {
    ompi_communicator_t* world = hitopo_glue_world();
    auto attempt =
        std::make_unique<Attempt>(world, Known(), [this, world](const std::shared_ptr<CommTree>& fresh) {
            cache_.set_world(fresh);
            cache_.put(world, fresh);
        });
    attempt->finder.emplace(find_groups(kPresence));
    return attempt;
}

bool Trees::exchange_world(Attempt& attempt, bool is_open) {
    Unopened unopened;
    ExchangeSide& side = is_open ? static_cast<ExchangeSide&>(attempt.me) : unopened;
    const LocalGroups groups = attempt.finder->take_groups();  // takes no memory
    const ExchangeOutcome outcome =
        exchange(attempt.channel, groups, side, next_identity());  // collective
    if (!outcome.is_well()) {
        cache_.clear();
        attempt.fresh.reset();
    }
    // What fails here fails at this process alone, and changes nothing.
    (void)guarded([&] {
        if (hitopo_glue_job_rank() == 0) {
            const CommTree* fresh = attempt.fresh.get();
            tell_outcome(outcome, attempt.me.error(), attempt.me.answers(),
                         fresh != nullptr ? &fresh->tree().facts() : nullptr);
        }
        keep(attempt.me.take_answers());
    });
    return outcome.is_well();
}

int Trees::load(ompi_communicator_t* comm, bool can_exchange) {
    enum { kOff, kHasNoTree, kHasChanged, kVersion, kNegatedVersion, kTree, kNegatedTree, kNumMaxima };
    std::int64_t mine[kNumMaxima] = {1, 0, 0, std::int64_t{kPresence}, -std::int64_t{kPresence}, 0, 0};
    std::shared_ptr<CommTree> tree;
    (void)guarded([&] {
        tree = cache_.propose(comm).tree;
        mine[kHasNoTree] = tree == nullptr ? 1 : 0;
        mine[kHasChanged] = tree != nullptr && read_binding() != tree->binding() ? 1 : 0;
        mine[kTree] = tree != nullptr ? tree->identity() : 0;
        mine[kNegatedTree] = -mine[kTree];
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
    const bool has_tree = all[kHasNoTree] == 0 && all[kTree] == -all[kNegatedTree];
    if (has_tree) {
        cache_.accept(comm, tree);
    }
    return has_tree && all[kHasChanged] == 0 ? kSuccess : exchange_for(comm, true, has_tree);
}

std::optional<KnownMachine> Trees::machine_of_node(ompi_communicator_t* comm) {
    std::shared_ptr<CommTree> tree = cache_.find(comm);
    std::uint32_t rank = tree ? tree->number_of(hitopo_glue_rank(comm)) : 0;
    if (tree == nullptr && (tree = cache_.world()) != nullptr) {
        rank = static_cast<std::uint32_t>(hitopo_glue_job_rank());
    }
    if (tree == nullptr) {
        return std::nullopt;
    }
    const JobFacts& facts = tree->tree().facts();
    const std::int32_t machine = facts.kind_of(tree->tree().listed(tree->tree().at(rank).node)).machine;
    if (machine < 0) {
        return std::nullopt;
    }
    return KnownMachine{facts.machine_components[static_cast<std::size_t>(machine)],
                        facts.machines[static_cast<std::size_t>(machine)].encode()};
}

// Equal at all members, as their trees are; where they have none, nobody can tell who goes with whom.
LocalGroups Trees::groups_of(ompi_communicator_t* comm, const CommWire& wire, bool has_tree) {
    if (!has_tree) {
        return LocalGroups::of_one(wire.own(), wire.size());
    }
    const std::shared_ptr<CommTree> tree = cache_.find(comm);
    if (tree == nullptr) {
        throw std::bad_alloc();
    }
    return LocalGroups::of(wire.own(), wire.size(), tree->tree().nodes().size(),
                           [&](std::uint32_t process) { return tree->tree().at(process).node; });
}

// Apart from the exchange: a program's thread may have little stack for both.
[[gnu::noinline]] std::unique_ptr<Attempt> Trees::prepare(ompi_communicator_t* comm, bool keeps_answers,
                                                          bool has_tree) {
    Known known = keeps_answers ? Known{machine_of_node(comm), answers()} : Known();
    auto attempt = std::make_unique<Attempt>(comm, std::move(known),
                                             [this, comm](const std::shared_ptr<CommTree>& fresh) {
                                                 if (is_whole_job(comm)) {
                                                     cache_.set_world(fresh);
                                                 }
                                                 cache_.put(comm, fresh);
                                             });
    attempt->groups = groups_of(comm, attempt->wire, has_tree);
    return attempt;
}

int Trees::exchange_for(ompi_communicator_t* comm, bool keeps_answers, bool has_tree) {
    std::unique_ptr<Attempt> ready;
    int status = guarded([&] { ready = prepare(comm, keeps_answers, has_tree); });
    status = agree_on_success(comm, status);  // collective
    if (status != kSuccess) {
        return status;
    }
    const TreeCache::State before = cache_.state(comm);
    const ExchangeOutcome outcome =
        exchange(ready->channel, ready->groups, ready->me, next_identity());  // collective
    if (ready->fresh != nullptr && !outcome.is_well()) {
        cache_.restore(comm, before, ready->fresh);
    }
    keep(ready->me.take_answers());
    return outcome.is_refused ? kErrorNotSupported : outcome.status;
}

int Trees::replace_world() {
    const bool has_tree = cache_.world() != nullptr;                        // the same at all
    const int status = exchange_for(hitopo_glue_world(), false, has_tree);  // collective
    cache_.forget_all_but(hitopo_glue_world());
    return status;
}

}  // namespace hitopo
