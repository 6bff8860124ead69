// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The tree that all members of a communicator go by in a collective of ours.
#ifndef OMPI_MCA_HITOPO_BASE_AGREED_TREE_H
#define OMPI_MCA_HITOPO_BASE_AGREED_TREE_H

#include <optional>

#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/or_end_job.h"
#include "ompi/mca/hitopo/base/tree_cache.h"

namespace hitopo {

// Calls attempt(tree, false), and attempt(tree, true) with a fresh tree if its result is empty, since
// adopt_tree found that members went by different trees or a binding changed. is_agreed: whether the
// members have to go by one tree before the first attempt, too. none(): comm has no tree. function: for
// people. Collective over comm.
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
