/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_registry.sh: the communicators of HiTopo's own splits, each registered by its kind and its lowest
 * rank in MPI_COMM_WORLD.
 */
#include "test/mpi/profile/profile_trace.h"

#define MAX_STEPS 8

#pragma weak MPIX_Comm_split_roots
#pragma weak MPIX_Comm_split_hierarchy
int MPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                          MPI_Comm *rootscomm);
int MPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                              const char *types[], int *num_steps);

static char labels[4 * MAX_STEPS + 2][32];
static int num_labels = 0;

static const char *use(MPI_Comm comm, const char *kind)
{
    char *label = labels[num_labels++];
    int lowest;

    if (MPI_COMM_NULL == comm) {
        return "-";
    }
    MPI_Allreduce(&rank, &lowest, 1, MPI_INT, MPI_MIN, comm); /* not registered yet */
    snprintf(label, sizeof(labels[0]), "%s-%d", kind, lowest);
    trace_comm(comm, label, 1);
    CALL(MPI_Barrier, label, "", comm);
    return label;
}

static void use_hierarchy(MPI_Comm comm, const char *label, const char *name)
{
    MPI_Comm steps[MAX_STEPS], roots[MAX_STEPS];
    const char *types[MAX_STEPS];
    char kind[16];
    int num_steps;

    CALL(MPIX_Comm_split_hierarchy, label, "", comm, MAX_STEPS, steps, roots, types, &num_steps);
    for (int i = 0; i < MAX_STEPS; ++i) {
        snprintf(kind, sizeof(kind), "%s%d", name, i);
        use(steps[i], kind);
        snprintf(kind, sizeof(kind), "%s%droots", name, i);
        use(roots[i], kind);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm, roots;

    MPI_Init(&argc, &argv);
    trace_begin(argc, argv);
    if (NULL == MPIX_Comm_register || NULL == MPIX_Comm_split_hierarchy) {
        fprintf(stderr, "no HiTopo\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    CALL(MPIX_Comm_split_roots, "MPI_COMM_WORLD", "", MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm,
         &roots);
    const char *label = use(comm, "shared");
    use(roots, "sharedroots");
    use_hierarchy(MPI_COMM_WORLD, "MPI_COMM_WORLD", "step");
    use_hierarchy(comm, label, "again");
    return trace_end();
}
