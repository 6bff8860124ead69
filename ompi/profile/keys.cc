// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Keys of new communicators. Each member works them out by itself, from what all members know: the
// parent's key, how many communicators the parent gave before, and which of its ranks the new one begins
// with. All members of the parent count alike, also those that get MPI_COMM_NULL.
#include <algorithm>

#include "ompi/mca/hitopo/core/flat_map.h"
#include "ompi/mca/hitopo/core/name.h"
#include "ompi/profile/ledger.h"
#include "ompi/profile/scope.h"
#include "ompi/profile/world.h"

namespace hitopo::profile {
namespace {

// Of the local group, in the parent's.
std::uint64_t lowest_parent_rank(MPI_Comm made, MPI_Group parent) {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(made, &group);
    const std::vector<int> ranks = ranks_in(parent, group, all_ranks(group));
    PMPI_Group_free(&group);
    return static_cast<std::uint64_t>(*std::min_element(ranks.begin(), ranks.end()));
}

void give_key(MPI_Comm made, const Communicator& parent, std::uint64_t count) {
    if (made != MPI_COMM_NULL) {
        const std::uint64_t lowest = lowest_parent_rank(made, parent.group());
        (void)Ledger::instance().of(made, combine(combine(parent.key(), count), lowest));
    }
}

}  // namespace

void Scope::create(MPI_Comm parent, MPI_Comm made) noexcept {
    quietly([&] {
        if (Communicator* communicator = Ledger::instance().of(parent)) {
            give_key(made, *communicator, communicator->count_creation());
        }
    });
}

void Scope::create(MPI_Comm parent, MPI_Comm made, MPI_Comm roots) noexcept {
    create(parent, made);
    create(parent, roots);
}

// Only the group's members know of it, so they alone count.
void Scope::create_group(MPI_Comm parent, MPI_Group group, int tag, MPI_Comm made) noexcept {
    quietly([&] {
        if (Communicator* communicator = Ledger::instance().of(parent)) {
            const std::uint64_t members =
                combine(hash_of_members(group), static_cast<std::uint64_t>(tag) + 1);
            give_key(made, *communicator, combine(members, communicator->count_creation(members)));
        }
    });
}

// The two sides of what it was merged of have no key in common. Merges count by themselves: others of
// the same members may be seen sooner here than there.
void Scope::create_of_members(MPI_Comm made) noexcept {
    static constexpr std::uint64_t kMerged = 1;
    quietly([&] {
        MPI_Group group = MPI_GROUP_NULL;
        PMPI_Comm_group(made, &group);
        const std::uint64_t hash = combine(hash_of_members(group), kMerged);
        PMPI_Group_free(&group);
        (void)Ledger::instance().of(made, Ledger::instance().key_of_members(hash));
    });
}

}  // namespace hitopo::profile
