// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/trees.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/exchange/exchange.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/network/uplinks.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
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

// Where a process does not know its local rank it asks for the node too: that costs time only.
Asker asker_in(const ompi_communicator_t* comm, const std::optional<Answers>& known) {
    if (comm == nullptr) {
        return {0, 1, true};
    }
    const bool asks_for_node = known ? known->facts.is_host_asked : hitopo_glue_local_rank() <= 0;
    return {hitopo_glue_job_rank(), hitopo_glue_job_size(), asks_for_node};
}

// This process in an exchange among a communicator's processes, with all memory that it needs before it
// sends its first message.
class Attempt : public ExchangeSide {
public:
    // comm: NULL for this process alone. known: this process's answers for an earlier exchange, which
    // hold but for its CPUs. is_open: whether the framework is; else all refuse. Local.
    Attempt(ompi_communicator_t* comm, std::optional<Answers> known, bool is_open)
        : wire_(comm),
          channel_(wire_),
          asker_(asker_in(comm, known)),
          known_(std::move(known)),
          is_open_(is_open) {}

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
        for (ComponentAnswer& answer : answers_.by_component) {
            if (answer.component == component && answer.values[kSwitch]) {
                if (!answer.uplinks) {
                    ask_uplinks(asker_, answers_.facts, answer);
                }
                return answer.uplinks
                           ? encode(LedSwitch{component, *answer.values[kSwitch], *answer.uplinks})
                           : "";
            }
        }
        return "";
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

// ---- what members of a communicator agree on, and need before they exchange ----

// Codes are negative, MPI's positive.
constexpr std::int64_t kAnyFailure = std::int64_t{1} << 32;

std::int64_t number_of_failure(int status) { return status == kSuccess ? 0 : kAnyFailure + status; }
int failure_of_number(std::int64_t number) {
    return number == 0 ? kSuccess : static_cast<int>(number - kAnyFailure);
}

// The greatest code of all processes that failed. Collective over comm.
int agree_on_success(ompi_communicator_t* comm, int status) {
    const std::int64_t mine = number_of_failure(status);
    std::int64_t all = 0;
    const int reduced = hitopo_glue_max64(comm, &mine, &all, 1);  // collective
    return reduced != kSuccess ? reduced : failure_of_number(all);
}

struct LoadVerdict {  // the same at all
    int status;
    bool has_tree, has_changed;
};

// proposed: whether this process could propose the tree, or found that it has none: NULL. Collective
// over comm.
LoadVerdict agree_on_load(ompi_communicator_t* comm, bool can_exchange, int proposed,
                          const CommTree* tree, bool has_changed) {
    enum { kOff, kFailure, kHasChanged, kVersion, kNegatedVersion, kTree, kNegatedTree, kNumMaxima };
    const std::int64_t identity = tree == nullptr ? 0 : tree->identity();
    const std::int64_t mine[kNumMaxima] = {can_exchange ? 0 : 1,
                                           number_of_failure(proposed),
                                           has_changed ? 1 : 0,
                                           std::int64_t{kPresence},
                                           -std::int64_t{kPresence},
                                           identity,
                                           -identity};
    std::int64_t all[kNumMaxima] = {};
    const int reduced = hitopo_glue_max64(comm, mine, all, kNumMaxima);  // collective
    const int status = reduced != kSuccess                      ? reduced
                       : all[kOff] != 0                         ? kErrorNotAvailable
                       : all[kVersion] != -all[kNegatedVersion] ? kErrorNotSupported
                                                                : failure_of_number(all[kFailure]);
    return {status, all[kTree] > 0 && all[kTree] == -all[kNegatedTree], all[kHasChanged] != 0};
}

struct Preparation {
    bool is_whole_job = false;
    LocalGroups groups;
    std::unique_ptr<Attempt> attempt;
};

// tree: that all members have, whose nodes are groups; NULL: each process is one. Apart from the
// exchange: a program's thread may have little stack for both. Local; may throw.
[[gnu::noinline]] void prepare(ompi_communicator_t* comm, TreeCache& cache, std::optional<Answers> known,
                               const CommTree* tree, Preparation& ready) {
    const CommSides sides(comm);
    const std::uint32_t own = sides.number_of({hitopo_glue_rank(comm), false});
    const std::size_t num_groups = tree == nullptr ? sides.size() : tree->tree().nodes().size();
    ready.is_whole_job = is_whole_job(comm);
    ready.groups = LocalGroups::of(own, sides.size(), num_groups, [&](std::uint32_t process) {
        return tree == nullptr ? process : tree->tree().at(process).node;
    });
    ready.attempt = std::make_unique<Attempt>(comm, std::move(known), true);
    cache.prepare(comm);
}

// ---- what the user should know of an exchange of the whole job, rank 0's: one message, the worst ----

void print_failure(int rank, int status) {
    const std::string process = rank < 0 ? "one process" : "rank " + std::to_string(rank);
    char why[HITOPO_ERROR_TEXT_BYTES];
    hitopo_glue_error_text(status, why);
    hitopo_glue_help("exchange-failed", process.c_str(), why, "");
}

// The message names the rank that met the error, unless rank 0 did.
void print_error(const ReportedError& reported) {
    std::string where = reported.error.position();
    if (reported.rank != 0) {
        where.insert(0, "rank " + std::to_string(reported.rank) + (where.empty() ? "" : ", "));
    }
    const std::string value = reported.component + ": " + reported.error.value;
    hitopo_glue_help(topic_of(reported.error.code), value.c_str(), where.c_str(),
                     reported.error.message.c_str());
}

// hitopo_base_level_<name> with a component that is not open here, or never fills that level.
std::vector<std::string> useless_components(const Answers& answers) {
    std::vector<std::string> warnings;
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        const std::string& name = answers.facts.forced[level];
        const auto found =
            std::find_if(answers.by_component.begin(), answers.by_component.end(),
                         [&](const ComponentAnswer& answer) { return answer.component == name; });
        const bool is_open = found != answers.by_component.end();
        if (!name.empty() && (!is_open || (found->levels >> i & 1) == 0)) {
            warnings.push_back("hitopo_base_level_" + std::string(level_name(level)) +
                               " names the component " + name + ", which " +
                               (is_open ? "does not fill this level" : "is not open") +
                               ": the priorities decide this level; name another component "
                               "(`hitopo info` lists them with their levels)");
        }
    }
    return warnings;
}

void print_outcome(const ExchangeOutcome& outcome, const Attempt& own) {
    if (outcome.status != kSuccess) {
        print_failure(outcome.failed_rank, outcome.status);
        return;
    }
    if (outcome.is_refused) {
        if (outcome.reason) {
            hitopo_glue_help("refused", outcome.reason->value.c_str(), outcome.reason->message.c_str(),
                             "");
        }
        return;
    }
    const std::optional<ReportedError>& error = own.error();
    if (error && error->error.code != Errc::kNone) {
        print_error(*error);
        if (cost_of(error->error.code) == cost_of(Errc::kMalformed)) {
            return;
        }
    }
    std::string lines;
    const auto add = [&](const std::string& warning) {
        lines += "    " + safe(warning, Charset::kAscii) + ".\n";
    };
    const std::vector<std::string> useless = useless_components(own.answers());
    std::for_each(useless.begin(), useless.end(), add);
    const std::vector<std::string>& found = own.tree()->tree().facts().warnings;
    std::for_each(found.begin(), found.end(), add);
    if (!lines.empty()) {
        hitopo_glue_help("warning", lines.c_str(), "", "");
    }
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
    const auto alone = std::make_unique<Attempt>(nullptr, std::nullopt, true);
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
    std::unique_ptr<Attempt> ready;  // NULL where memory was short
    std::optional<GroupFinder> groups;
    const int status = guarded([&] {
        groups.emplace(find_groups());
        cache_.prepare(world);
        ready = std::make_unique<Attempt>(world, std::nullopt, is_open);
    });
    const Presence presence =
        check_presence({}, ready != nullptr, groups ? &*groups : nullptr);  // collective
    const bool is_rank_0 = hitopo_glue_job_rank() == 0;
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
            print_outcome(outcome, *ready);
        }
        keep(ready->take_answers());
    });
    return presence;
}

int Trees::load(ompi_communicator_t* comm, bool can_exchange, bool keeps_answers) {
    std::shared_ptr<CommTree> tree;
    bool has_changed = false;
    const int proposed = guarded([&] {
        if (can_exchange) {
            tree = cache_.propose(comm).tree;
            has_changed = tree != nullptr && read_binding() != tree->binding();
        }
    });
    const LoadVerdict verdict =
        agree_on_load(comm, can_exchange, proposed, tree.get(), has_changed);  // collective
    if (verdict.status != kSuccess) {
        return verdict.status;
    }
    if (verdict.has_tree) {
        cache_.accept(comm, tree);
    }
    if (verdict.has_tree && keeps_answers && !verdict.has_changed) {
        return kSuccess;
    }
    Preparation ready;
    const int prepared =
        agree_on_success(comm, guarded([&] {  // collective
                             prepare(comm, cache_, keeps_answers ? answers() : std::nullopt,
                                     verdict.has_tree ? tree.get() : nullptr, ready);
                         }));
    if (prepared != kSuccess) {
        return prepared;
    }
    const ExchangeOutcome outcome = ready.attempt->run(ready.groups, next_identity());  // collective
    if (outcome.is_well()) {
        cache_.put(comm, ready.attempt->tree(), ready.is_whole_job);
    }
    keep(ready.attempt->take_answers());
    return outcome.is_refused ? kErrorNotSupported : outcome.status;
}

}  // namespace hitopo
