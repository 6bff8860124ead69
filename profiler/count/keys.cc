// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Keys of new communicators. Each member works them out by itself, from what all members know: the
// parent's key, how many communicators the parent gave before, and which of its ranks is the new one's
// rank 0. All members of the parent count alike, also those that get MPI_COMM_NULL.
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "profiler/count/communicators.h"
#include "profiler/count/scope.h"
#include "profiler/count/world.h"

namespace hitopo::profile {
namespace {

// The rank of the local group's rank 0 in the parent. Only one is asked for: translating takes as long
// as the parent has ranks, for each.
std::uint64_t parent_rank_of_first(MPI_Comm made, MPI_Group parent) {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(made, &group);
    const int first = 0;
    int rank = MPI_UNDEFINED;
    PMPI_Group_translate_ranks(group, 1, &first, parent, &rank);
    PMPI_Group_free(&group);
    return static_cast<std::uint64_t>(rank);
}

void give_key(MPI_Comm made, const Communicator& parent, std::uint64_t count) {
    if (made != MPI_COMM_NULL) {
        const std::uint64_t first = parent_rank_of_first(made, parent.group());
        (void)Communicators::instance().of(made, combine(combine(parent.key(), count), first));
    }
}

}  // namespace

void Scope::create(MPI_Comm parent, MPI_Comm made) noexcept {
    quietly([&] {
        if (Communicator* communicator = Communicators::instance().of(parent)) {
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
        if (Communicator* communicator = Communicators::instance().of(parent)) {
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
        (void)Communicators::instance().of(made, Communicators::instance().key_of_members(hash));
    });
}

}  // namespace hitopo::profile
