// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The tree that a split goes by.
#ifndef OMPI_COMM_HWSPLIT_TREE_H
#define OMPI_COMM_HWSPLIT_TREE_H

#include <memory>
#include <optional>

#include "ompi/communicator/hwsplit/comm_hwsplit_agree.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/trees.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

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

// attempt(tree, is_last), and once more with a fresh tree where it gives nothing, since members went
// by different ones or a binding changed; in the last it gives a status. is_agreed: whether the members
// have to go by one tree before the attempt, too. none(): comm has no tree. Collective over comm.
template <class Attempt, class None>
int with_tree(ompi_communicator_t* comm, bool is_agreed, Attempt&& attempt, None&& none) {
    Lifecycle& lifecycle = Lifecycle::instance();
    for (const bool is_last : {false, true}) {
        const TreeCache::Proposal proposal = lifecycle.tree_for_collective(comm);  // collective
        if (proposal.tree == nullptr) {
            return none();
        }
        if (proposal.is_agreed || !is_agreed) {
            if (const std::optional<int> status = attempt(proposal.tree, is_last)) {
                return *status;
            }
        }
        if (const int status = lifecycle.load(comm)) {  // collective
            return status;
        }
    }
    return kSuccess;
}

}  // namespace hitopo

#endif
