// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The processes of a split agree by it: the slots of one allreduce of maxima.
#ifndef OMPI_COMM_HWSPLIT_AGREE_H
#define OMPI_COMM_HWSPLIT_AGREE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/mca/hitopo/base/tree_cache.h"

namespace hitopo {

// The values of one process, and after agree() those of all. Context ids ride along, so that most splits
// need one allreduce less than Open MPI's.
class Agreement {
public:
    // If all processes that choose one choose the same, it is one value.
    enum Choice { kCall, kSimulatesShared, kType, kForeign, kKey, kOffset, kNumChoices };
    // Set if one process raises it.
    enum Flag {
        kHasHardware,
        kHasSet,
        kIsUndirected,
        kAbstains,
        kSharesWithFewer,
        kHasNoPlace,            // for its results
        kFirstSimulatesShared,  // raised by the first process alone, whose setting counts
        kNumFlags
    };

    // Asks for `num_cids` context ids: the same number at all processes.
    Agreement(ompi_communicator_t* comm, std::size_t num_cids);
    Agreement(const Agreement&) = delete;
    Agreement& operator=(const Agreement&) = delete;
    ~Agreement() { release_cids(); }

    void choose(Choice choice, std::int64_t value);
    void raise(Flag flag) { slots_[flag_slot(flag)] = 1; }
    std::int64_t* tree_slots() { return &slots_[kFirstTreeSlot]; }  // of propose_tree and adopt_tree

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
    static constexpr std::size_t kFirstTreeSlot = kGeneration + 1;
    static constexpr std::size_t kFirstCid = kFirstTreeSlot + kNumTreeSlots;
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

// Agrees on nothing else: MPI_ERR_ARG at all processes if one has no place for its results. Collective.
int agree_on_places(ompi_communicator_t* comm, bool has_places);

}  // namespace hitopo

#endif
