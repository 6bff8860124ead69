// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/trees.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/exchange/exchange.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/or_end_job.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/network/uplinks.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"
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

// Where a process does not know its local rank, it asks for the node too: that costs time only.
AskingProcess asking_process_in(const ompi_communicator_t* comm, const std::optional<Answers>& known) {
    if (comm == nullptr) {
        return {0, 1, true};
    }
    const bool asks_for_node = known ? known->facts.is_host_asked : hitopo_glue_local_rank() <= 0;
    return {hitopo_glue_job_rank(), hitopo_glue_job_size(), asks_for_node};
}

// This process in an exchange among a communicator's processes.
class ProcessExchange : public ExchangeSide {
public:
    // comm: NULL for this process alone. known: this process's answers for an earlier exchange, which
    // hold but for its CPUs. is_open: whether the framework is; else all refuse. Local.
    ProcessExchange(ompi_communicator_t* comm, std::optional<Answers> known, bool is_open)
        : wire_(comm),
          channel_(wire_),
          asking_(asking_process_in(comm, known)),
          known_(std::move(known)),
          is_open_(is_open) {}

    // Collective over comm. identity: of this exchange.
    std::optional<Error> run(const LocalGroups& groups, std::int64_t identity) {
        return exchange(channel_, groups, *this, identity);
    }

    // Answers about the network and from files stay as they were, though a file may be gone meanwhile.
    RecordMessage contribute(bool must_ask) override {
        if (!is_open_) {
            return {};
        }
        if (known_ && !must_ask) {
            answers_ = *std::exchange(known_, std::nullopt);
            answers_.facts.cpus = read_binding();
        } else {
            asking_.asks_for_node = asking_.asks_for_node || must_ask;
            answers_ = ask_components(asking_);
        }
        return make_record(wire_.own(), answers_.facts, answers_.by_component);
    }

    std::string uplinks(const std::string& component) override {
        for (ComponentAnswer& answer : answers_.by_component) {
            if (answer.component == component && answer.values[kSwitch]) {
                if (!answer.uplinks) {
                    ask_uplinks(asking_, answers_.facts, answer);
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

    // The answers of the components; complete after the exchange.
    const Answers& answers() const { return answers_; }
    Answers take_answers() { return std::move(answers_); }
    // After accept: the tree, and the error to show, of any process.
    const std::shared_ptr<CommTree>& tree() const { return tree_; }
    const std::optional<ReportedError>& error() const { return error_; }

private:
    CommWire wire_;
    Channel channel_;
    AskingProcess asking_;
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

// tree: that all members have, whose nodes are groups; NULL: each process is one. Local.
LocalGroups groups_of(ompi_communicator_t* comm, const CommTree* tree) {
    const CommSides sides(comm);
    const std::uint32_t own = sides.number_of({hitopo_glue_rank(comm), false});
    const std::size_t num_groups = tree == nullptr ? sides.size() : tree->tree().nodes().size();
    return LocalGroups::of(own, sides.size(), num_groups, [&](std::uint32_t process) {
        return tree == nullptr ? process : tree->tree().at(process).node;
    });
}

// ---- messages about an exchange of the whole job, at rank 0: the worst one only ----

// The message names the rank that met the error, unless rank 0 did.
void print_error(const ReportedError& reported) {
    const Error& error = reported.error;
    std::string lines = line_of(error);
    for (const Error& other : error.others) {
        lines += line_of(other);
    }
    if (error.num_more > 0) {
        const std::size_t num = 1 + error.others.size() + static_cast<std::size_t>(error.num_more);
        lines += "    .. and " + std::to_string(error.num_more) + " more: " + std::to_string(num) +
                 " entries in all.\n";
    }
    const std::string component =
        reported.component + (reported.rank != 0 ? " of rank " + std::to_string(reported.rank) : "");
    hitopo_glue_help(topic_of(error.code), lines.c_str(), component.c_str(), "");
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

void print_outcome(const std::optional<Error>& refusal, const ProcessExchange& own) {
    if (refusal) {
        hitopo_glue_help("refused", refusal->value.c_str(), refusal->message.c_str(), "");
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

// Collective over comm.
int try_load(ompi_communicator_t* comm, bool can_exchange, bool keeps_answers) {
    enum { kOff, kVersion, kNegatedVersion, kTree, kNumMaxima = kTree + kNumTreeSlots };
    TreeCache& cache = TreeCache::instance();
    const std::shared_ptr<CommTree> tree = can_exchange ? cache.propose(comm).tree : nullptr;
    std::int64_t mine[kNumMaxima] = {can_exchange ? 0 : 1, std::int64_t{kPresence},
                                     -std::int64_t{kPresence}};
    propose_tree(tree.get(), mine + kTree);
    std::int64_t all[kNumMaxima] = {};
    if (const int status = hitopo_glue_allreduce_max(comm, mine, all, kNumMaxima)) {  // collective
        return status;
    }
    if (all[kOff] != 0) {
        return kErrorNotAvailable;
    }
    if (all[kVersion] != -all[kNegatedVersion]) {
        return kErrorNotSupported;
    }
    const TreeAgreement agreed = adopt_tree(comm, tree, all + kTree);
    if (agreed.is_up_to_date() && keeps_answers) {
        return kSuccess;
    }
    const LocalGroups groups = groups_of(comm, agreed.is_one ? tree.get() : nullptr);
    const auto exchange =
        std::make_unique<ProcessExchange>(comm, keeps_answers ? latest_answers() : std::nullopt, true);
    const std::optional<Error> refusal = exchange->run(groups, next_identity());  // collective
    if (!refusal) {
        cache.put(comm, exchange->tree(), is_whole_job(comm));
    }
    keep_answers(exchange->take_answers());
    return refusal ? kErrorNotSupported : kSuccess;
}

}  // namespace

std::shared_ptr<CommTree> find_tree_alone() {
    const auto alone = std::make_unique<ProcessExchange>(nullptr, std::nullopt, true);
    (void)alone->run({{0}, {0}}, 1);  // without any message
    keep_answers(alone->take_answers());
    return alone->tree();
}

std::optional<SettingRanks> find_common(const char* key) {
    const std::shared_ptr<CommTree> world = TreeCache::instance().world();
    return world ? std::optional(ranks_of_setting(world->tree().facts(), key)) : std::nullopt;
}

Presence exchange_world(bool is_open) {
    ompi_communicator_t* world = hitopo_glue_world();
    return or_end_job(world, "MPI_Init", [&] {
        GroupFinder groups = find_groups();
        const Presence presence = check_presence({}, &groups);  // collective
        if (presence == Presence::kAll) {
            const auto exchange = std::make_unique<ProcessExchange>(world, std::nullopt, is_open);
            const std::optional<Error> refusal =
                exchange->run(groups.take_groups(), next_identity());  // collective
            if (!refusal) {
                TreeCache::instance().put(world, exchange->tree(), true);
            }
            if (hitopo_glue_job_rank() == 0) {
                print_outcome(refusal, *exchange);
            }
            keep_answers(exchange->take_answers());
        }
        return presence;
    });
}

int load_tree(ompi_communicator_t* comm, bool can_exchange, bool keeps_answers) {
    return or_end_job(comm, "the exchange of addresses", [&] {
        try {
            return try_load(comm, can_exchange, keeps_answers);  // collective
        } catch (const MessageFailed& failed) {
            return failed.code;  // Open MPI has fault tolerance, and a process died
        }
    });
}

}  // namespace hitopo
