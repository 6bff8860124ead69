// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI_Comm_split_type and its relatives by the address tree. Groups follow from the tree without a
// message; one allreduce makes sure that all processes ask for the same (comm_hwsplit_agree.h), and no
// process leaves before it, whatever its arguments.
#include "ompi/communicator/comm_hwsplit.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/communicator/hwsplit/comm_hwsplit_agree.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_make.h"
#include "ompi/communicator/hwsplit/comm_hwsplit_request.h"
#include "ompi/communicator/registry/registered.h"
#include "ompi/mca/hitopo/base/agreed_tree.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/tree/partition.h"

namespace hitopo {
namespace {

using Comm = ompi_communicator_t*;

constexpr const char* kSplitType = "MPI_Comm_split_type";

struct Arguments {
    Comm comm;
    int split_type;
    int key;
    opal_info_t* info;   // as the caller has it
    opal_info_t* hints;  // the readable part of it, or NULL
    Comm* newcomm;
    bool has_roots;   // a split with a roots communicator
    Comm* rootscomm;  // NULL without
    ompi_hitopo_split_type_fn_t next;
    const char* function;  // its name
    bool raises = true;    // calls the error handler

    bool has_places() const { return newcomm != nullptr && (!has_roots || rootscomm != nullptr); }
};

class Splitter {
public:
    explicit Splitter(const Arguments& arguments)
        : args_(arguments),
          rank_(static_cast<std::size_t>(hitopo_glue_rank(arguments.comm))),
          is_inter_(hitopo_glue_is_inter(arguments.comm)) {}

    // MPI_SUCCESS, an error class or an OMPI_ERR_* code, the same at all processes.
    int split() {
        return with_tree(
            args_.comm, args_.function, false,
            [this](const std::shared_ptr<CommTree>& tree, bool is_last) {
                tree_ = tree;
                return try_split(is_last);
            },
            [this] { return pass_on(true, false); });
    }

    // Whether Open MPI's own split has called the error handler, if there was an error.
    bool has_raised() const { return has_raised_; }

private:
    // Empty where the addresses have to be exchanged first.
    std::optional<int> try_split(bool is_last) {
        request_ = Request(args_.comm, args_.split_type, args_.hints, tree_->tree());
        const std::size_t num_cids = is_inter_ ? 0 : args_.has_roots ? 2 : 1;
        Agreement agreement(args_.comm, num_cids);
        contribute(agreement);
        if (const int status = agreement.agree()) {  // collective
            return status;
        }
        if (!adopt_tree(args_.comm, tree_, agreement.tree_slots()).is_up_to_date() && !is_last) {
            return std::nullopt;
        }
        const SplitDecision decision = decide(agreement);
        if (decision.status != MPI_SUCCESS) {
            return decision.status;
        }
        if (decision.is_foreign) {
            return pass_on(request_.takes_part(decision), agreement.has(Agreement::kAbstains));
        }
        warn_of(decision, agreement);
        return carry_out(decision, agreement);
    }

    // Called in the first process; prints each warning once, not in each round of a loop.
    void warn_of(const SplitDecision& decision, const Agreement& agreement) const {
        static std::atomic<bool> has_warned_of_types = false, has_warned_of_settings = false;
        if (own_rank() != 0) {
            return;
        }
        if (decision.is_contradictory && !has_warned_of_types.exchange(true)) {
            hitopo_glue_help("split-disagree", args_.function, "", "");
        }
        if (!agreement.is_one(Agreement::kSimulatesShared) && !has_warned_of_settings.exchange(true)) {
            hitopo_glue_help("simulate-shared-disagree", decision.simulates_shared ? "true" : "false",
                             "", "");
        }
    }

    void contribute(Agreement& agreement) {
        request_.add_to(agreement);
        if (!is_first()) {
            agreement.choose(Agreement::kKey, args_.key);
            agreement.choose(Agreement::kOffset,
                             std::int64_t{args_.key} - static_cast<std::int64_t>(rank_));
        }
        propose_tree(tree_.get(), agreement.tree_slots());
        if (!args_.has_places()) {
            agreement.raise(Agreement::kHasNoPlace);
        }
        if (own_rank() == 0 && hitopo_glue_settings()->simulate_shared) {
            agreement.raise(Agreement::kFirstSimulatesShared);
        }
        if (request_.asks_for_shared_memory() && !is_inter_ && !is_beside_lowest()) {
            agreement.raise(Agreement::kSharesWithFewer);
        }
    }

    // In a split with roots, the parent's rank 0 sorts before every key.
    bool is_first() const { return args_.has_roots && rank_ == 0; }

    // Whether Open MPI, which will open the shared memory, agrees that this process is on one node with
    // the lowest process that would share it.
    bool is_beside_lowest() const {
        const Ranks ranks = Partition::by_shared_memory(tree_->tree()).members(own_rank());
        return hitopo_glue_is_local(args_.comm, static_cast<int>(ranks[0]));
    }

    // The lowest of those processes that Open MPI has on this node, at last this one.
    std::size_t lowest_beside() const {
        const Ranks ranks = Partition::by_shared_memory(tree_->tree()).members(own_rank());
        const auto found = std::find_if(ranks.begin(), ranks.end(), [this](std::uint32_t rank) {
            return rank == rank_ || hitopo_glue_is_local(args_.comm, static_cast<int>(rank));
        });
        return *found;
    }

    // This process's rank in the tree.
    std::uint32_t own_rank() const {
        return static_cast<std::uint32_t>(tree_->sides().first_local + rank_);
    }

    int carry_out(const SplitDecision& decision, Agreement& agreement) {
        if (is_inter_) {
            return split_inter(decision);
        }
        own_ = make_partition(decision, tree_->tree()).own(own_rank());
        const bool is_in_order =
            agreement.is_one(Agreement::kKey) || agreement.is_one(Agreement::kOffset);
        const bool are_all_in = !agreement.has(Agreement::kAbstains) &&
                                !agreement.is_chosen(Agreement::kForeign) && !decision.excludes_some;
        keys_.clear();
        if (!is_in_order || !are_all_in || decision.is_by_set || decision.is_divided) {
            if (const int status = gather_keys(decision)) {
                return status;
            }
        }
        return own_.count == 0 ? MPI_SUCCESS : create(decision, agreement);  // 0: all MPI_COMM_NULL
    }

    // Finds the processes that take part, their sets or lowest neighbours, and their order; takes the
    // others out of the split. From here on it is known by rank. Collective.
    int gather_keys(const SplitDecision& decision) {
        std::int64_t color = request_.color(decision);
        if (color != 0 && decision.is_divided) {
            color = static_cast<std::int64_t>(lowest_beside()) + 1;
        }
        const std::int64_t mine[2] = {color, is_first() ? INT64_MIN : std::int64_t{args_.key}};
        std::vector<std::int64_t> all(2 * tree_->tree().size());
        const int status = hitopo_glue_allgather(args_.comm, false, mine, 2, all.data());
        if (status != kSuccess) {
            return status;
        }
        std::vector<std::int64_t> colors;
        for (std::size_t rank = 0; rank < tree_->tree().size(); ++rank) {
            colors.push_back(all[2 * rank]);
            keys_.push_back(all[2 * rank + 1]);
        }
        const bool says_color = decision.is_by_set || decision.is_divided;
        split_ = says_color ? split_by_color(colors) : split_without_abstainers(decision, colors);
        const std::string type = says_color ? "" : own_.type;
        own_ = split_.own(own_rank());
        own_.type = type;
        return kSuccess;
    }

    Split split_without_abstainers(const SplitDecision& decision,
                                   const std::vector<std::int64_t>& colors) const {
        std::vector<std::int32_t> group = make_partition(decision, tree_->tree()).split().group;
        for (std::size_t rank = 0; rank < group.size(); ++rank) {
            group[rank] = colors[rank] != 0 ? group[rank] : Split::kNone;
        }
        return split_by_number(group);
    }

    std::vector<int> in_order(const Ranks& members) const {
        std::vector<int> ranks = to_ints(members);
        if (!keys_.empty()) {
            std::stable_sort(ranks.begin(), ranks.end(), [this](int a, int b) {
                return keys_[static_cast<std::size_t>(a)] < keys_[static_cast<std::size_t>(b)];
            });
        }
        return ranks;
    }

    // The first of each group, in the order of their ranks.
    std::vector<int> leaders(const SplitDecision& decision) const {
        if (keys_.empty()) {
            return to_ints(make_partition(decision, tree_->tree()).lowest_ranks());
        }
        std::vector<int> first(split_.count, -1);
        for (std::size_t rank = 0; rank < split_.group.size(); ++rank) {
            if (split_.group[rank] < 0) {
                continue;
            }
            int& leader = first[static_cast<std::size_t>(split_.group[rank])];
            if (leader < 0 || keys_[rank] < keys_[static_cast<std::size_t>(leader)]) {
                leader = static_cast<int>(rank);
            }
        }
        std::sort(first.begin(), first.end());
        return first;
    }

    int create(const SplitDecision& decision, Agreement& agreement) {
        std::vector<NewComm> wanted(1);
        if (own_.number >= 0) {
            wanted[0] = {in_order(own_.ranks), own_.number};
        }
        if (args_.has_roots) {
            const bool is_root = own_.number >= 0 && wanted[0].ranks[0] == static_cast<int>(rank_);
            wanted.push_back(is_root ? NewComm{leaders(decision), 0} : NewComm{});
        }
        Maker maker(args_.comm, agreement, std::move(wanted), args_.hints);
        if (const int status = maker.make()) {  // collective
            return status;
        }
        *args_.newcomm = maker.made()[0];
        if (args_.has_roots) {
            *args_.rootscomm = maker.made()[1];
        }
        if (own_.number >= 0) {
            describe(decision);
        }
        return MPI_SUCCESS;
    }

    void describe(const SplitDecision& decision) {
        if (decision.is_unguided && args_.hints != nullptr) {
            hitopo_glue_info_set(args_.hints, kResourceKey, own_.type.c_str());
        }
        set_origin(*args_.newcomm, static_cast<std::size_t>(own_.number), own_.count, own_.type);
    }

    // Open MPI's split handles groups that have members on one side only.
    int split_inter(const SplitDecision& decision) {
        if (!decision.is_by_set) {
            own_ = make_partition(decision, tree_->tree()).own(own_rank());
        } else if (const int status = gather_sets(decision)) {
            return status;
        }
        const int status =
            hitopo_glue_split(args_.comm, request_.takes_part(decision) ? own_.number : -1, args_.key,
                              args_.hints, args_.newcomm);  // collective
        if (status == kSuccess && *args_.newcomm != hitopo_glue_comm_null()) {
            describe(decision);
        }
        return status;
    }

    // The processes of both sides by their sets. Collective.
    int gather_sets(const SplitDecision& decision) {
        const std::int64_t mine = request_.color(decision);
        std::vector<std::int64_t> colors(tree_->sides().size());
        for (const bool is_remote : {false, true}) {
            const std::size_t first =
                is_remote ? tree_->sides().first_remote() : tree_->sides().first_local;
            const int status =
                hitopo_glue_allgather(args_.comm, is_remote, &mine, 1, &colors[first]);  // collective
            if (status != kSuccess) {
                return status;
            }
        }
        own_ = split_by_color(colors).own(own_rank());
        return kSuccess;
    }

    // Open MPI's own split, without the processes that abstain: it looks at its arguments in each
    // process by itself, and they would wait for others that found an error.
    int pass_on(bool is_in, bool has_abstainers) {
        if (args_.has_roots) {
            if (const int status = agree_on_places(args_.comm, args_.has_places())) {  // collective
                return status;
            }
        }
        const int status = has_abstainers ? split_part(is_in) : split_by_next(args_.comm);
        if (status != MPI_SUCCESS || !args_.has_roots) {
            return status;
        }
        const bool is_root =
            *args_.newcomm != hitopo_glue_comm_null() && hitopo_glue_rank(*args_.newcomm) == 0;
        return hitopo_glue_split(args_.comm, is_root ? 0 : -1, 0, args_.hints,
                                 args_.rootscomm);  // collective
    }

    // Collective over comm. Open MPI's split looks at newcomm at each process by itself.
    int split_by_next(Comm comm) {
        has_raised_ = true;
        return args_.next(comm, args_.split_type, is_first() ? INT32_MIN : args_.key, args_.info,
                          args_.newcomm);
    }

    // An error of those that are in is one of all.
    int split_part(bool is_in) {
        Comm part = hitopo_glue_comm_null();
        if (const int status = hitopo_glue_split(args_.comm, is_in ? 0 : -1, 0, nullptr, &part)) {
            return status;
        }
        const int own = part != hitopo_glue_comm_null() ? split_by_next(part) : MPI_SUCCESS;
        hitopo_glue_free_comm(&part);
        const std::int64_t mine[2] = {std::max(own, 0), -std::min(own, 0)};
        std::int64_t worst[2] = {0, 0};
        const int agreed = hitopo_glue_allreduce_max(args_.comm, mine, worst, 2);  // collective
        return agreed != kSuccess ? agreed : static_cast<int>(worst[0] != 0 ? worst[0] : -worst[1]);
    }

    const Arguments& args_;
    bool has_raised_ = false;
    const std::size_t rank_;
    const bool is_inter_;
    std::shared_ptr<CommTree> tree_;  // of the attempt
    Request request_;
    OwnGroup own_;
    std::vector<std::int64_t> keys_;  // by rank, where they decide the order or the participants
    Split split_;                     // likewise
};

int split(const Arguments& args) {
    if (!hitopo_glue_is_up() || hitopo_glue_is_invalid(args.comm)) {
        return args.next(args.comm, args.split_type, args.key, args.info, args.newcomm);
    }
    for (Comm* result : {args.newcomm, args.rootscomm}) {
        if (result != nullptr) {
            *result = hitopo_glue_comm_null();
        }
    }
    bool has_raised = false;
    const int status = guarded([&] {
        Splitter splitter(args);
        const int result = splitter.split();
        has_raised = splitter.has_raised();
        return result;
    });
    return has_raised || !args.raises ? status : hitopo_glue_raise(args.comm, status, args.function);
}

}  // namespace
}  // namespace hitopo

extern "C" void ompi_hitopo_join_communicators() {
    (void)ompi_hitopo_base_at_stop(hitopo_registry_stop);
    (void)ompi_hitopo_base_at_stop(hitopo::end_origins);
}

extern "C" int ompi_hitopo_split_type(ompi_communicator_t* comm, int split_type, int key,
                                      ompi_info_t* info, ompi_communicator_t** newcomm,
                                      ompi_hitopo_split_type_fn_t next) {
    return hitopo::split({comm, split_type, key, reinterpret_cast<opal_info_t*>(info),
                          hitopo_glue_hints(info), newcomm, false, nullptr, next, hitopo::kSplitType});
}

extern "C" int ompi_hitopo_comm_split_type(ompi_communicator_t* comm, int split_type, int key,
                                           opal_info_t* info, ompi_communicator_t** newcomm,
                                           ompi_hitopo_split_type_fn_t next) {
    return hitopo::split({comm, split_type, key, info, hitopo_glue_hints_within(info), newcomm, false,
                          nullptr, next, hitopo::kSplitType, false});
}

extern "C" int ompi_hitopo_split_roots(ompi_communicator_t* comm, int split_type, int key,
                                       ompi_info_t* info, ompi_communicator_t** newcomm,
                                       ompi_communicator_t** rootscomm,
                                       ompi_hitopo_split_type_fn_t next) {
    constexpr const char* kFunction = "MPIX_Comm_split_roots";
    const bool is_comm = hitopo_glue_is_up() && !hitopo_glue_is_invalid(comm);
    if (!is_comm || hitopo_glue_is_inter(comm)) {
        return hitopo_glue_raise(comm, MPI_ERR_COMM, kFunction);
    }
    return hitopo::split({comm, split_type, key, reinterpret_cast<opal_info_t*>(info),
                          hitopo_glue_hints(info), newcomm, true, rootscomm, next, kFunction});
}
