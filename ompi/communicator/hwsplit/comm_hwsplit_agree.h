// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The processes of a split agree by it: the slots of one allreduce of maxima.
#ifndef OMPI_COMM_HWSPLIT_AGREE_H
#define OMPI_COMM_HWSPLIT_AGREE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/mca/hitopo/base/binding.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/or_end_job.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

// One process's word, and after agree() that of all. Context ids ride along, so that most splits need
// one allreduce less than Open MPI's.
class Agreement {
public:
    // Where all that say something say the same, it is one value.
    enum Choice { kCall, kTree, kSimulatesShared, kType, kForeign, kKey, kOffset, kNumChoices };
    // Whether anyone says so.
    enum Flag {
        kHasHardware,
        kHasSet,
        kIsUndirected,
        kAbstains,
        kHasChanged,
        kIsApart,
        kHasNoPlace,            // for its results
        kFirstSimulatesShared,  // said by the first process alone, whose setting counts
        kNumFlags
    };

    // Asks for `num_cids` context ids: the same number at all processes.
    Agreement(ompi_communicator_t* comm, std::size_t num_cids);
    Agreement(const Agreement&) = delete;
    Agreement& operator=(const Agreement&) = delete;
    ~Agreement() { release_cids(); }

    void choose(Choice choice, std::int64_t value);
    void raise(Flag flag) { slots_[flag_slot(flag)] = 1; }

    // Collective.
    int agree();

    bool has(Flag flag) const { return slots_[flag_slot(flag)] != 0; }
    bool is_chosen(Choice choice) const { return slots_[choice_slot(choice)] != kNothing; }
    bool is_one(Choice choice) const {
        return !is_chosen(choice) || slots_[choice_slot(choice)] == -slots_[choice_slot(choice) + 1];
    }
    std::int64_t value(Choice choice) const { return slots_[choice_slot(choice)]; }

    // ---- after agree(): context ids that are free at all processes ----

    const std::vector<std::int64_t>& cids() const { return agreed_; }
    // The new communicators' generation is larger than that of any earlier one of these processes.
    std::int64_t generation() const { return slots_[kGeneration]; }
    // Whether this process could take them; they are the caller's then. Local.
    bool take_cids();
    // Where a process could not take them, and no process holds any now: others. Collective.
    int agree_on_other_cids();

private:
    static constexpr std::int64_t kNothing = INT64_MIN;
    static constexpr std::size_t kFirstFlag = std::size_t{2} * kNumChoices;
    static constexpr std::size_t kGeneration = kFirstFlag + kNumFlags;
    static constexpr std::size_t kFirstCid = kGeneration + 1;
    static std::size_t choice_slot(Choice choice) { return std::size_t{2} * choice; }
    static std::size_t flag_slot(Flag flag) { return kFirstFlag + flag; }

    void reserve(std::int64_t start);
    void release_cids();
    int num_cids() const { return static_cast<int>(slots_.size() - kFirstCid); }

    ompi_communicator_t* comm_;
    std::vector<std::int64_t> slots_;
    std::vector<std::int64_t> held_;  // context ids that this process keeps for the split
    std::vector<std::int64_t> agreed_;
};

// Where nothing else is agreed on: MPI_ERR_ARG at all processes if one has no place for its results.
// Collective.
int agree_on_places(ompi_communicator_t* comm, bool has_places);

// ---- the tree that a split goes by ----

// Before agree().
inline void tell_tree(const CommTree& tree, Agreement& agreement) {
    agreement.choose(Agreement::kTree, tree.identity());
    if (read_binding() != tree.binding()) {
        agreement.raise(Agreement::kHasChanged);
    }
}

// After agree(): whether comm's members all go by `tree`, and it has their present bindings.
inline bool accept_tree(ompi_communicator_t* comm, const std::shared_ptr<CommTree>& tree,
                        const Agreement& agreement) {
    if (!agreement.is_one(Agreement::kTree)) {
        return false;
    }
    Trees::instance().cache().accept(comm, tree);
    return !agreement.has(Agreement::kHasChanged);
}

// attempt(tree, false), and attempt(tree, true) with a fresh tree where that gives nothing, since
// members went by different ones or a binding changed. is_agreed: whether the members have to go by one
// tree before the first attempt, too. none(): comm has no tree. function: for people. Collective over
// comm.
template <class Attempt, class None>
int with_tree(ompi_communicator_t* comm, const char* function, bool is_agreed, Attempt&& attempt,
              None&& none) {
    // The others wait for this process, in an exchange or in the allreduce of an attempt.
    return or_end_job(comm, function, [&]() -> int {
        Lifecycle& lifecycle = Lifecycle::instance();
        const TreeCache::Proposal first = lifecycle.tree_for_collective(comm);  // collective
        if (first.tree == nullptr) {
            return none();
        }
        if (first.is_agreed || !is_agreed) {
            if (const std::optional<int> status = attempt(first.tree, false)) {
                return *status;
            }
        }
        if (const int status = lifecycle.load(comm)) {  // collective
            return status;
        }
        const TreeCache::Proposal fresh = lifecycle.tree_for_collective(comm);
        return fresh.is_agreed ? attempt(fresh.tree, true).value_or(kErrorGeneric) : kErrorNotAvailable;
    });
}

}  // namespace hitopo

#endif
