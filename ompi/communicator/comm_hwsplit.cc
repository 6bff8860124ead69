// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI_Comm_split_type and its relatives by the address table. Who belongs together costs no message;
// one allreduce makes sure that all processes ask for the same (comm_hwsplit_agree.h), and nobody leaves
// before it, whatever its arguments.
#include "ompi/communicator/comm_hwsplit.h"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/communicator/comm_hwsplit_agree.h"
#include "ompi/communicator/comm_hwsplit_glue.h"
#include "ompi/communicator/comm_hwsplit_origin.h"
#include "ompi/communicator/comm_hwsplit_request.h"
#include "ompi/mca/hitopo/base/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/session.h"
#include "ompi/mca/hitopo/core/guard.h"
#include "ompi/mca/hitopo/core/split.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"

namespace hitopo {
namespace {

using Comm = ompi_communicator_t*;

// ---- making communicators ----

// One new communicator as a process of the parent sees it.
struct NewComm {
    std::vector<int> ranks;  // of the parent, in their new order; empty: this process is not in it
    int color = -1;          // different for each of those made at once; below 0 where empty
};

std::vector<int> to_ints(const Ranks& ranks) { return {ranks.begin(), ranks.end()}; }

// Makes all at once where context ids can be agreed on, else one after the other by Open MPI's split.
class Maker {
public:
    Maker(Comm comm, Agreement& agreement, std::vector<NewComm> wanted)
        : comm_(comm),
          agreement_(agreement),
          wanted_(std::move(wanted)),
          made_(wanted_.size(), hitopo_glue_comm_null()) {}

    // Collective over the parent.
    int make() {
        constexpr int kMaxRounds = 8;
        for (int round = 0; round < kMaxRounds && hitopo_glue_has_cids(); ++round) {
            bool is_done = false;
            const int status = try_joint(is_done);
            if (status != kSuccess || is_done) {
                return status;
            }
            if (const int other = agreement_.agree_on_other_cids()) {  // collective
                return other;
            }
        }
        agreement_.release_cids();
        return split_each();
    }

    const std::vector<Comm>& made() const { return made_; }

private:
    // One allreduce tells whether all could take the context ids, and that all are ready to receive:
    // before that nobody may send.
    int try_joint(bool& is_done) {
        const bool has_cids = agreement_.take_cids();
        std::int64_t status = kSuccess;
        for (std::size_t i = 0; i < wanted_.size() && has_cids; ++i) {
            status =
                std::min(status, std::int64_t{make_one(wanted_[i], agreement_.cids()[i], made_[i])});
        }
        const std::int64_t mine[2] = {has_cids ? 0 : 1, -status};
        std::int64_t worst[2] = {1, 0};
        const int agreed = hitopo_glue_max64(comm_, mine, worst, 2);  // collective
        if (agreed != kSuccess || worst[0] != 0 || worst[1] != 0) {
            drop_all();
            is_done = worst[0] == 0;
            return agreed != kSuccess ? agreed : static_cast<int>(-worst[1]);
        }
        is_done = true;
        return finish();
    }

    int finish() {
        int status = kSuccess;
        for (Comm made : made_) {
            if (made != hitopo_glue_comm_null()) {
                status = std::min(status, hitopo_glue_finish_comm(made));
            }
        }
        if (status != kSuccess) {
            drop_all();
        }
        return status;
    }

    int make_one(NewComm& wanted, std::int64_t cid, Comm& made) {
        Comm fresh = nullptr;
        const int status = wanted.ranks.empty()
                               ? kSuccess
                               : hitopo_glue_make_comm(comm_, static_cast<int>(wanted.ranks.size()),
                                                       wanted.ranks.data(), cid, &fresh);
        if (fresh != nullptr) {
            made = fresh;
        } else {
            hitopo_glue_release_cids(1, &cid);
        }
        return status;
    }

    int split_each() {
        const int rank = hitopo_glue_rank(comm_);
        for (std::size_t i = 0; i < wanted_.size(); ++i) {
            const std::vector<int>& ranks = wanted_[i].ranks;
            const auto place = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
            const int status = hitopo_glue_split(comm_, ranks.empty() ? -1 : wanted_[i].color,
                                                 static_cast<int>(place), &made_[i]);  // collective
            if (status != kSuccess) {
                drop_all();
                return status;
            }
        }
        return kSuccess;
    }

    void drop_all() {
        for (Comm& made : made_) {
            if (made != hitopo_glue_comm_null()) {
                hitopo_glue_drop_comm(made);
                made = hitopo_glue_comm_null();
            }
        }
    }

    Comm comm_;
    Agreement& agreement_;
    std::vector<NewComm> wanted_;
    std::vector<Comm> made_;
};

// ---- one split ----

struct Arguments {
    Comm comm;
    int split_type;
    int key;
    ompi_info_t* info;
    Comm* newcomm;
    Comm* rootscomm;  // or NULL
    ompi_hitopo_split_type_fn_t next;
    const char* function;  // its name, for the error handler
};

class Splitter {
public:
    explicit Splitter(const Arguments& arguments)
        : args_(arguments),
          rank_(static_cast<std::size_t>(hitopo_glue_rank(arguments.comm))),
          is_inter_(hitopo_glue_is_inter(arguments.comm)) {}

    // MPI_SUCCESS, an error class or an OMPI_ERR_* code, the same at all processes.
    int split() {
        constexpr int kMaxExchanges = 2;  // somebody may be bound anew meanwhile
        for (int i = 0; i < kMaxExchanges; ++i) {
            table_ = Session::instance().table_for_collective(args_.comm);  // collective
            if (table_ == nullptr) {
                return pass_on();
            }
            const std::optional<int> status = try_split(i + 1 == kMaxExchanges);
            if (status) {
                return *status;
            }
            const int loaded = Session::instance().load(args_.comm);  // collective
            if (loaded != kSuccess) {
                return loaded;
            }
        }
        return MPI_SUCCESS;
    }

private:
    // Empty where somebody's binding changed, so that the addresses have to be exchanged first.
    std::optional<int> try_split(bool is_last) {
        request_ = Request(args_.split_type, args_.info, *table_);
        const std::size_t num_cids = is_inter_ ? 0 : args_.rootscomm != nullptr ? 2 : 1;
        Agreement agreement(args_.comm, num_cids);
        say(agreement);
        if (const int status = agreement.agree()) {  // collective
            return status;
        }
        const bool is_stale = !is_last && agreement.has(Agreement::kHasChanged);
        const Verdict verdict = is_stale ? Verdict{} : judge(agreement);
        if (is_stale || verdict.status != MPI_SUCCESS || agreement.has(Agreement::kIsApart)) {
            agreement.release_cids();
            return is_stale                        ? std::nullopt
                   : verdict.status != MPI_SUCCESS ? std::optional(verdict.status)
                                                   : pass_on();
        }
        if (verdict.is_contradictory && rank_ == 0) {
            hitopo_glue_help("base", "split-disagree", args_.function, "", "");
        }
        return carry_out(verdict, agreement);
    }

    void say(Agreement& agreement) {
        request_.tell(agreement);
        if (!is_first()) {
            agreement.choose(Agreement::kKey, args_.key);
            agreement.choose(Agreement::kOffset,
                             std::int64_t{args_.key} - static_cast<std::int64_t>(rank_));
        }
        if (Session::instance().may_binding_have_changed()) {
            agreement.raise(Agreement::kHasChanged);
        }
        if (request_.asks_for_shared_memory() && !is_inter_ && !is_beside_lowest()) {
            agreement.raise(Agreement::kIsApart);
        }
    }

    // In a split with roots, the parent's rank 0 sorts before every key.
    bool is_first() const { return args_.rootscomm != nullptr && rank_ == 0; }

    // Whether Open MPI, which will open the shared memory, agrees that this process is on one node with
    // the lowest of those that it would share it with.
    bool is_beside_lowest() const {
        const Split split = split_by_shared_memory(table_->table());
        const std::int32_t own = split.group[rank_];
        const auto lowest = std::find(split.group.begin(), split.group.end(), own) - split.group.begin();
        return hitopo_glue_is_local(args_.comm, static_cast<int>(lowest));
    }

    int carry_out(const Verdict& verdict, Agreement& agreement) {
        Split split = make_split(verdict, *table_);
        const bool takes_part = request_.takes_part(verdict);
        if (is_inter_) {
            return split_inter(split, takes_part);
        }
        const bool is_in_order =
            agreement.is_one(Agreement::kKey) || agreement.is_one(Agreement::kOffset);
        const bool are_all_in = !agreement.has(Agreement::kAbstains) && !verdict.excludes_some;
        keys_.clear();
        if (!is_in_order || !are_all_in) {
            const int status = gather_keys(takes_part, split);
            if (status != kSuccess) {
                agreement.release_cids();
                return status;
            }
        }
        if (split.count() == 0) {
            agreement.release_cids();
            return MPI_SUCCESS;  // all MPI_COMM_NULL
        }
        return create(split, verdict, agreement);
    }

    // Who takes part and how they are ordered; takes the others out of the split. Collective.
    int gather_keys(bool takes_part, Split& split) {
        const std::int64_t mine[2] = {takes_part ? 1 : 0,
                                      is_first() ? INT64_MIN : std::int64_t{args_.key}};
        std::vector<std::int64_t> all(2 * split.group.size());
        const int status = hitopo_glue_allgather64(args_.comm, mine, 2, all.data());
        if (status != kSuccess) {
            return status;
        }
        for (std::size_t rank = 0; rank < split.group.size(); ++rank) {
            split.group[rank] = all[2 * rank] != 0 ? split.group[rank] : Split::kNone;
            keys_.push_back(all[2 * rank + 1]);
        }
        split = without_empty_groups(split);
        return kSuccess;
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
    std::vector<int> leaders(const Split& split) const {
        std::vector<int> first(split.count(), -1);
        for (std::size_t rank = 0; rank < split.group.size(); ++rank) {
            if (split.group[rank] < 0) {
                continue;
            }
            int& leader = first[static_cast<std::size_t>(split.group[rank])];
            if (leader < 0 ||
                (!keys_.empty() && keys_[rank] < keys_[static_cast<std::size_t>(leader)])) {
                leader = static_cast<int>(rank);
            }
        }
        std::sort(first.begin(), first.end());
        return first;
    }

    int create(const Split& split, const Verdict& verdict, Agreement& agreement) {
        const std::int32_t own = split.group[rank_];
        std::vector<NewComm> wanted(1);
        if (own >= 0) {
            wanted[0] = {in_order(split.members(static_cast<std::size_t>(own))), own};
        }
        if (args_.rootscomm != nullptr) {
            const bool is_root = own >= 0 && wanted[0].ranks[0] == static_cast<int>(rank_);
            wanted.push_back(is_root ? NewComm{leaders(split), 0} : NewComm{});
        }
        Maker maker(args_.comm, agreement, std::move(wanted));
        if (const int status = maker.make()) {  // collective
            return status;
        }
        *args_.newcomm = maker.made()[0];
        if (args_.rootscomm != nullptr) {
            *args_.rootscomm = maker.made()[1];
        }
        return own < 0 ? MPI_SUCCESS : describe(split, static_cast<std::size_t>(own), verdict);
    }

    int describe(const Split& split, std::size_t own, const Verdict& verdict) {
        const std::string& type = split.types[own];
        if (verdict.is_unguided && hitopo_glue_is_info(args_.info)) {
            hitopo_glue_info_set(args_.info, "mpi_hw_resource_type", type.c_str());
        }
        return set_origin(*args_.newcomm, own, split.count(), type);
    }

    // Open MPI's split knows what to do with groups that have members on one side only.
    int split_inter(const Split& split, bool takes_part) {
        const std::int32_t own = split.group[table_->first_local() + rank_];
        const int status = hitopo_glue_split(args_.comm, takes_part ? own : -1, args_.key,
                                             args_.newcomm);  // collective
        if (status != kSuccess || *args_.newcomm == hitopo_glue_comm_null()) {
            return status;
        }
        return set_origin(*args_.newcomm, static_cast<std::size_t>(own), split.count(),
                          split.types[static_cast<std::size_t>(own)]);
    }

    // Open MPI's own split, at all processes alike.
    int pass_on() {
        if (const int status =
                args_.next(args_.comm, args_.split_type, is_first() ? INT32_MIN : args_.key, args_.info,
                           args_.newcomm)) {
            return status;
        }
        if (args_.rootscomm == nullptr) {
            return MPI_SUCCESS;
        }
        const bool is_root =
            *args_.newcomm != hitopo_glue_comm_null() && hitopo_glue_rank(*args_.newcomm) == 0;
        return hitopo_glue_split(args_.comm, is_root ? 0 : -1, 0, args_.rootscomm);  // collective
    }

    const Arguments& args_;
    const std::size_t rank_;
    const bool is_inter_;
    std::shared_ptr<CommTable> table_;
    Request request_;
    std::vector<std::int64_t> keys_;  // by rank, where they decide the order
};

int split(const Arguments& args) {
    if (!hitopo_glue_is_mpi_up() || hitopo_glue_is_invalid(args.comm) || args.newcomm == nullptr) {
        return args.next(args.comm, args.split_type, args.key, args.info, args.newcomm);
    }
    *args.newcomm = hitopo_glue_comm_null();
    if (args.rootscomm != nullptr) {
        *args.rootscomm = hitopo_glue_comm_null();
    }
    const int status = guarded([&] { return Splitter(args).split(); });
    return hitopo_glue_raise(args.comm, status, args.function);
}

// ---- the whole hierarchy ----

struct HierarchyArguments {
    Comm comm;
    int max_steps;
    Comm* newcomms;
    Comm* rootscomms;
    const char** types;
    int* num_steps;
};

class HierarchySplitter {
public:
    explicit HierarchySplitter(const HierarchyArguments& arguments) : args_(arguments) {}

    int split() {
        std::shared_ptr<CommTable> table = Session::instance().table_for_collective(args_.comm);
        if (table == nullptr) {
            return MPI_SUCCESS;  // no process knows anything, and none has a step
        }
        bool has_changed = false;
        int status = try_split(*table, has_changed);
        if (has_changed) {
            status = Session::instance().load(args_.comm);  // collective
            table = Session::instance().table_for_collective(args_.comm);
            if (status == kSuccess && table != nullptr) {
                bool is_ignored = false;
                status = try_split(*table, is_ignored);
            }
        }
        return status;
    }

private:
    int try_split(CommTable& table, bool& has_changed) {
        const auto rank = static_cast<std::uint32_t>(hitopo_glue_rank(args_.comm));
        const Hierarchy hierarchy =
            table.unguided_split().count() == 0 ? Hierarchy() : make_hierarchy(table.table(), rank);
        Agreement agreement(args_.comm, 2 * hierarchy.depth);
        agreement.choose(Agreement::kCall, args_.max_steps);
        if (Session::instance().may_binding_have_changed()) {
            agreement.raise(Agreement::kHasChanged);
        }
        if (const int status = agreement.agree()) {  // collective
            return status;
        }
        has_changed = !is_second_try_ && agreement.has(Agreement::kHasChanged);
        is_second_try_ = true;
        const bool is_usable = agreement.is_one(Agreement::kCall) && args_.max_steps >= 0;
        if (has_changed || !is_usable || hierarchy.depth == 0) {
            agreement.release_cids();
            return has_changed || is_usable ? MPI_SUCCESS : MPI_ERR_ARG;
        }
        return create(hierarchy, agreement);
    }

    int create(const Hierarchy& hierarchy, Agreement& agreement) {
        const auto num_kept =
            std::min(hierarchy.steps.size(), static_cast<std::size_t>(args_.max_steps));
        std::vector<NewComm> wanted(2 * hierarchy.depth);
        for (std::size_t i = 0; i < num_kept; ++i) {
            const HierarchyStep& step = hierarchy.steps[i];
            wanted[2 * i] = {to_ints(step.ranks), static_cast<int>(step.ranks[0])};
            if (!step.roots.empty()) {
                wanted[2 * i + 1] = {to_ints(step.roots), static_cast<int>(step.roots[0])};
            }
        }
        Maker maker(args_.comm, agreement, std::move(wanted));
        if (const int status = maker.make()) {  // collective
            return status;
        }
        int status = kSuccess;
        *args_.num_steps = static_cast<int>(hierarchy.steps.size());
        for (std::size_t i = 0; i < num_kept; ++i) {
            const HierarchyStep& step = hierarchy.steps[i];
            args_.newcomms[i] = maker.made()[2 * i];
            args_.rootscomms[i] = maker.made()[2 * i + 1];
            if (args_.types != nullptr) {
                args_.types[i] = constant_of(step.type);
            }
            const int set = set_origin(args_.newcomms[i], step.number, step.num_siblings, step.type);
            status = status == kSuccess ? set : status;
        }
        return status;
    }

    const HierarchyArguments& args_;
    bool is_second_try_ = false;
};

constexpr const char* kHierarchy = "MPIX_Comm_split_hierarchy";

int split_hierarchy(const HierarchyArguments& args) {
    const bool has_arrays =
        args.max_steps <= 0 || (args.newcomms != nullptr && args.rootscomms != nullptr);
    if (!hitopo_glue_is_mpi_up() || hitopo_glue_is_invalid(args.comm)) {
        return hitopo_glue_raise(args.comm, MPI_ERR_COMM, kHierarchy);
    }
    if (!has_arrays || args.num_steps == nullptr) {
        return hitopo_glue_raise(args.comm, MPI_ERR_ARG, kHierarchy);
    }
    *args.num_steps = 0;
    for (int i = 0; i < args.max_steps; ++i) {
        args.newcomms[i] = args.rootscomms[i] = hitopo_glue_comm_null();
        if (args.types != nullptr) {
            args.types[i] = "";
        }
    }
    const int status = hitopo_glue_is_inter(args.comm)
                           ? MPI_ERR_COMM
                           : guarded([&] { return HierarchySplitter(args).split(); });
    return hitopo_glue_raise(args.comm, status, kHierarchy);
}

}  // namespace
}  // namespace hitopo

extern "C" int ompi_hitopo_split_type(ompi_communicator_t* comm, int split_type, int key,
                                      ompi_info_t* info, ompi_communicator_t** newcomm,
                                      ompi_hitopo_split_type_fn_t next) {
    return hitopo::split({comm, split_type, key, info, newcomm, nullptr, next, "MPI_Comm_split_type"});
}

extern "C" int ompi_hitopo_split_roots(ompi_communicator_t* comm, int split_type, int key,
                                       ompi_info_t* info, ompi_communicator_t** newcomm,
                                       ompi_communicator_t** rootscomm,
                                       ompi_hitopo_split_type_fn_t next) {
    constexpr const char* kFunction = "MPIX_Comm_split_roots";
    const bool is_comm = hitopo_glue_is_mpi_up() && !hitopo_glue_is_invalid(comm);
    if (!is_comm || hitopo_glue_is_inter(comm)) {
        return hitopo_glue_raise(comm, MPI_ERR_COMM, kFunction);
    }
    if (newcomm == nullptr || rootscomm == nullptr) {
        return hitopo_glue_raise(comm, MPI_ERR_ARG, kFunction);
    }
    return hitopo::split({comm, split_type, key, info, newcomm, rootscomm, next, kFunction});
}

extern "C" int ompi_hitopo_split_hierarchy(ompi_communicator_t* comm, int max_steps,
                                           ompi_communicator_t** newcomms,
                                           ompi_communicator_t** rootscomms, const char** types,
                                           int* num_steps) {
    return hitopo::split_hierarchy({comm, max_steps, newcomms, rootscomms, types, num_steps});
}
