/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a split is what the address table says. The table has the eight levels only; so a type that is
 * none of them is held between two: what shares a core shares any cache, and that lies in one node.
 */
#ifndef EXAMPLES_SPLITTING_CHECK_TABLE_H
#define EXAMPLES_SPLITTING_CHECK_TABLE_H

#include <mpi.h>
#include <mpiext_hitopo_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/hitopo_level.h"

#define UNKNOWN (-1) /* HITOPO_UNKNOWN of hitopo.h, which includes internal headers of Open MPI */

static int num_wrong = 0;

/* Whether the addresses agree about that level. The node's number and those outside of it count in the whole
 * communicator; those inside count siblings. */
static inline int is_shared(const int32_t *a, const int32_t *b, int level)
{
    for (int i = level < HITOPO_LEVEL_NODE ? level : HITOPO_LEVEL_NODE; i <= level; ++i) {
        if (a[i] != b[i] || UNKNOWN == a[i]) {
            return 0;
        }
    }
    return 1;
}

/* is_member[r]: whether rank r of comm is in newcomm. */
static inline void find_members(MPI_Comm comm, MPI_Comm newcomm, int size, int *is_member)
{
    MPI_Group group, newgroup = MPI_GROUP_EMPTY;

    MPI_Comm_group(comm, &group);
    if (MPI_COMM_NULL != newcomm) {
        MPI_Comm_group(newcomm, &newgroup);
    }
    for (int rank = 0; rank < size; ++rank) {
        MPI_Group_translate_ranks(group, 1, &rank, newgroup, &is_member[rank]);
        is_member[rank] = MPI_UNDEFINED != is_member[rank];
    }
    MPI_Group_free(&group);
    if (MPI_COMM_NULL != newcomm) {
        MPI_Group_free(&newgroup);
    }
}

static inline void wrong(int rank, const char *what, int level, int other)
{
    printf("rank %d: level %d: %s rank %d\n", rank, level, what, other);
    ++num_wrong;
}

typedef struct bounds_t {
    int outer, inner; /* all that share inner are together; all that are together share outer */
} bounds_t;

static inline bounds_t bounds_of(const char *type)
{
    static const struct {
        const char *type;
        bounds_t bounds;
    } known[] = {
        {"hitopo://Cluster", {HITOPO_LEVEL_CLUSTER, HITOPO_LEVEL_CLUSTER}},
        {"hitopo://Island", {HITOPO_LEVEL_ISLAND, HITOPO_LEVEL_ISLAND}},
        {"hitopo://Switch", {HITOPO_LEVEL_SWITCH, HITOPO_LEVEL_SWITCH}},
        {"hitopo://Node", {HITOPO_LEVEL_NODE, HITOPO_LEVEL_NODE}},
        {"hwloc://Machine", {HITOPO_LEVEL_NODE, HITOPO_LEVEL_NODE}},
        {"hwloc://Package", {HITOPO_LEVEL_SOCKET, HITOPO_LEVEL_SOCKET}},
        {"hwloc://Core", {HITOPO_LEVEL_CORE, HITOPO_LEVEL_CORE}},
        {"hwloc://PU", {HITOPO_LEVEL_CORE, HITOPO_LEVEL_HWTHREAD}},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); ++i) {
        if (0 == strcmp(type, known[i].type)) {
            return known[i].bounds;
        }
    }
    return (bounds_t){HITOPO_LEVEL_NODE, HITOPO_LEVEL_CORE};
}

/* A level that nobody knows is 0 for all, and nobody shares it. It looks like one that all share. */
static inline int is_perhaps_unknown(int32_t **addrs, int size, int level)
{
    for (int rank = 0; rank < size; ++rank) {
        if (0 != addrs[rank][level]) {
            return 0;
        }
    }
    return 1;
}

/* newcomm is what a guided split of MPI_COMM_WORLD by `type` gave this process. */
static inline void check_guided(MPI_Comm newcomm, const char *type)
{
    const bounds_t bounds = bounds_of(type);
    int32_t **addrs = ompi_hitopo_get_addrs((struct ompi_communicator_t *) MPI_COMM_WORLD);
    int rank, size, *is_member;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (NULL == addrs) {
        wrong(rank, "there is no address table for", 0, rank);
        return;
    }
    if (MPI_COMM_NULL == newcomm && is_perhaps_unknown(addrs, size, bounds.inner)) {
        return;
    }
    is_member = malloc(size * sizeof(*is_member));
    find_members(MPI_COMM_WORLD, newcomm, size, is_member);
    for (int other = 0; other < size; ++other) {
        if (is_member[other] && !is_shared(addrs[rank], addrs[other], bounds.outer)) {
            wrong(rank, "is together with", bounds.outer, other);
        }
        if (!is_member[other] && is_shared(addrs[rank], addrs[other], bounds.inner)) {
            wrong(rank, "is apart from", bounds.inner, other);
        }
    }
    free(is_member);
}

/*
 * newcomm is what an unguided split of comm gave this process: its largest part of comm that shares something.
 * So it contains all that share a level with this process and are less than comm, and is less than comm itself.
 * Cores are the last: the number of a hardware thread is no promise that it is one's own.
 */
static inline void check_unguided(MPI_Comm comm, MPI_Comm newcomm)
{
    int32_t **addrs = ompi_hitopo_get_addrs((struct ompi_communicator_t *) comm);
    int rank, size, num_members = 0, *is_member;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (NULL == addrs) {
        wrong(rank, "there is no address table for", 0, rank);
        return;
    }
    is_member = malloc(size * sizeof(*is_member));
    find_members(comm, newcomm, size, is_member);
    for (int other = 0; other < size; ++other) {
        num_members += is_member[other];
    }
    if (num_members == size) {
        wrong(rank, "nothing was split for", 0, rank);
    }
    for (int level = 0; level <= HITOPO_LEVEL_CORE; ++level) {
        int num_sharing = 0;
        for (int other = 0; other < size; ++other) {
            num_sharing += is_shared(addrs[rank], addrs[other], level);
        }
        for (int other = 0; other < size && num_sharing < size; ++other) {
            if (!is_member[other] && is_shared(addrs[rank], addrs[other], level)) {
                wrong(rank, "is apart from", level, other);
            }
        }
    }
    free(is_member);
}

/* comms[0] is what an unguided split of MPI_COMM_WORLD gave this process, comms[i] what one of comms[i - 1] did. Frees
 * them; the last is MPI_COMM_NULL. */
static inline void check_steps(MPI_Comm *comms, int num_comms)
{
    for (int i = 0; i < num_comms; ++i) {
        check_unguided(0 == i ? MPI_COMM_WORLD : comms[i - 1], comms[i]);
    }
    for (int i = 0; i < num_comms - 1; ++i) {
        MPI_Comm_free(&comms[i]);
    }
}

/* The exit code: the same for all processes. */
static inline int finish(void)
{
    int rank, total;

    MPI_Allreduce(&num_wrong, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (0 == rank && 0 == total) {
        printf("as the address table says\n");
    }
    MPI_Finalize();
    return 0 == total ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
