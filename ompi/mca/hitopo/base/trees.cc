// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/trees.h"

#include <algorithm>
#include <atomic>
#include <new>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/exchange.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/outcome_messages.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {
namespace {

// Identifies an exchange that this process begins: no other process uses this value, and neither does
// this one again.
std::int64_t next_identity() {
    static std::atomic<std::uint64_t> num_exchanges = 0;
    const std::uint64_t process =
        combine(hitopo_glue_job(), static_cast<std::uint64_t>(hitopo_glue_job_rank()));
    return static_cast<std::int64_t>(combine(process, ++num_exchanges) >> 1 | 1);
}

// This process in an exchange among a communicator's processes, with all memory that it needs before it
// sends its first message.
class Attempt : public ExchangeSide {
public:
    // comm: NULL for this process alone. known: this process's answers for an earlier exchange, which
    // hold but for its CPUs. is_open: whether the framework is; else all refuse. Local.
    Attempt(ompi_communicator_t* comm, const Asker& asker, std::optional<Answers> known, bool is_open)
        : wire_(comm), channel_(wire_), asker_(asker), known_(std::move(known)), is_open_(is_open) {}

    Channel& channel() { return channel_; }

    // Collective over comm. identity: of this exchange.
    ExchangeOutcome run(const LocalGroups& groups, std::int64_t identity) {
        return exchange(channel_, groups, *this, identity);
    }

    // What was found out of the network and in files is as it was, though a file may be gone meanwhile.
    RecordMessage contribute(bool must_ask) override {
        if (!is_open_) {
            return {};
        }
        if (known_ && !must_ask) {
            answers_ = *std::exchange(known_, std::nullopt);
            answers_.facts.cpus = read_binding();
        } else {
            asker_.asks_for_node = asker_.asks_for_node || must_ask;
            answers_ = ask_components(asker_);
        }
        return make_record(wire_.own(), answers_.facts, answers_.by_component);
    }

    std::string uplinks(const std::string& component) override {
        std::string bytes;
        (void)guarded([&] {
            for (ComponentAnswer& answer : answers_.by_component) {
                if (answer.component == component && !answer.uplinks) {
                    ask_uplinks(asker_, component, answers_);
                }
                if (answer.component == component && answer.uplinks && answer.values[kSwitch]) {
                    bytes = encode(LedSwitch{component, *answer.values[kSwitch], *answer.uplinks});
                }
            }
        });
        return bytes;
    }

    std::optional<Error> accept(RecordMessage all, std::int64_t identity) override {
        Result<AddressTree> tree = make_tree(all, wire_.size(), identity);
        if (!tree) {
            return tree.error();
        }
        error_ = std::move(all.error);
        tree_ = std::make_shared<CommTree>(std::move(*tree), wire_.sides(), answers_.facts.cpus);
        return std::nullopt;
    }

    // What the components answered; complete after the exchange.
    const Answers& answers() const { return answers_; }
    Answers take_answers() { return std::move(answers_); }
    // After accept: the tree, and the error to show, of any process.
    const std::shared_ptr<CommTree>& tree() const { return tree_; }
    const std::optional<ReportedError>& error() const { return error_; }

private:
    CommWire wire_;
    Channel channel_;
    Asker asker_;
    std::optional<Answers> known_;
    const bool is_open_;
    Answers answers_;
    std::shared_ptr<CommTree> tree_;
    std::optional<ReportedError> error_;
};

// Where this process does not know its local rank it asks for the node too: that costs time only.
Asker asker_of(const std::optional<Answers>& known) {
    const bool asks_for_node = known ? known->facts.is_host_asked : hitopo_glue_local_rank() <= 0;
    return {hitopo_glue_job_rank(), hitopo_glue_job_size(), asks_for_node};
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

// Checks HiTopo's presence. ready: NULL where memory was short: then this process takes part with what
// its stack holds. Collective over the processes that are here.
Presence check_world(Attempt* ready, GroupFinder* groups) {
    if (ready != nullptr) {
        return check_presence(Layer{}, ready->channel(), true, groups);
    }
    CommWire wire(hitopo_glue_world());
    Channel channel(wire);
    return check_presence(Layer{}, channel, false, nullptr);
}

}  // namespace

// Never destroyed: Open MPI may call the finalize hook after static destructors ran. Takes no memory,
// since its first use can be a collective.
Trees& Trees::instance() {
    alignas(Trees) static char storage[sizeof(Trees)];
    static Trees& trees = *new (storage) Trees;
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

std::shared_ptr<CommTree> Trees::find_alone() {
    const auto alone = std::make_unique<Attempt>(nullptr, Asker{0, 1, true}, std::nullopt, true);
    (void)alone->run({{0}, {0}}, 1);  // without any message
    keep(alone->take_answers());
    return alone->tree();
}

std::optional<SettingRanks> Trees::find_common(const char* key) const {
    const std::shared_ptr<CommTree> world = cache_.world();
    return world ? std::optional(ranks_of_setting(world->tree().facts(), key)) : std::nullopt;
}

Presence Trees::exchange_world(bool is_open) {
    ompi_communicator_t* world = hitopo_glue_world();
    std::unique_ptr<Attempt> ready;
    std::optional<GroupFinder> groups;
    const int status = guarded([&] {
        groups.emplace(find_groups());
        cache_.prepare(world);
        ready = std::make_unique<Attempt>(world, asker_of(std::nullopt), std::nullopt, is_open);
    });
    const bool is_rank_0 = hitopo_glue_job_rank() == 0;
    const Presence presence = check_world(ready.get(), groups ? &*groups : nullptr);  // collective
    if (presence == Presence::kUnready && is_rank_0) {
        print_failure(ready ? -1 : 0, ready ? kErrorOutOfResource : status);
    }
    if (presence != Presence::kAll) {
        return presence;
    }
    const ExchangeOutcome outcome = ready->run(groups->take_groups(), next_identity());  // collective
    if (outcome.is_well()) {
        cache_.put(world, ready->tree(), true);
    }
    // What fails here fails at this process alone, and changes nothing.
    (void)guarded([&] {
        if (is_rank_0) {
            print_outcome(outcome, ready->error(), ready->answers(), ready->tree().get());
        }
        keep(ready->take_answers());
    });
    return presence;
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

// Equal at all members, as their trees are; where they have none, each process is a group.
LocalGroups Trees::groups_of(ompi_communicator_t* comm, bool has_tree) {
    const CommSides sides(comm);
    const std::uint32_t own = sides.number_of({hitopo_glue_rank(comm), false});
    if (!has_tree) {
        return LocalGroups::of(own, sides.size(), sides.size(),
                               [](std::uint32_t process) { return process; });
    }
    const std::shared_ptr<CommTree> tree = cache_.find(comm);
    if (tree == nullptr) {
        throw std::bad_alloc();
    }
    return LocalGroups::of(own, sides.size(), tree->tree().nodes().size(),
                           [&](std::uint32_t process) { return tree->tree().at(process).node; });
}

int Trees::exchange_for(ompi_communicator_t* comm, bool keeps_answers, bool has_tree) {
    bool is_job = false;
    LocalGroups groups;
    std::unique_ptr<Attempt> ready;
    // Apart from the exchange: a program's thread may have little stack for both.
    const auto prepare = [&]() __attribute__((noinline)) {
        is_job = is_whole_job(comm);
        groups = groups_of(comm, has_tree);
        cache_.prepare(comm);
        std::optional<Answers> known = keeps_answers ? answers() : std::nullopt;
        const Asker asker = asker_of(known);
        ready = std::make_unique<Attempt>(comm, asker, std::move(known), true);
    };
    const int status = agree_on_success(comm, guarded(prepare));  // collective
    if (status != kSuccess) {
        return status;
    }
    const ExchangeOutcome outcome = ready->run(groups, next_identity());  // collective
    if (outcome.is_well()) {
        cache_.put(comm, ready->tree(), is_job);
    }
    keep(ready->take_answers());
    return outcome.is_refused ? kErrorNotSupported : outcome.status;
}

int Trees::replace_world() {
    const bool has_tree = cache_.world() != nullptr;                        // the same at all
    const int status = exchange_for(hitopo_glue_world(), false, has_tree);  // collective
    cache_.forget_all_but(hitopo_glue_world());
    return status;
}

}  // namespace hitopo
