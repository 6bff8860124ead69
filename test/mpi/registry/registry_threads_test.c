/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The registry is thread safe: threads register one communicator at once, again and again, and end that, and make,
 * register and free their own.
 */
/* ranks: 1 2 4 */
/* mpirun: --bind-to none */
/* mpirun 6.0: --mca btl self,tcp */
#include <sched.h>

#include "test/mpi/checks.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"
#include "test/mpi/threads.h"

#define NUM_ROUNDS 300
#define NUM_AGAIN 10000

static MPI_Comm shared[NUM_ROUNDS], again;
static int num_arrived = 0;

/* Closer together than a pthread_barrier lets them go. */
static void wait_for_all(int round)
{
    __atomic_fetch_add(&num_arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&num_arrived, __ATOMIC_ACQUIRE) < (round + 1) * NUM_THREADS) {
        sched_yield();
    }
}

static int register_own(MPI_Comm parent)
{
    MPI_Comm comm;

    MPI_Comm_dup(parent, &comm);
    const int is_right = 0 == MPIX_Comm_is_registered(comm) && MPI_SUCCESS == MPIX_Comm_register(comm, "own")
                         && 1 == MPIX_Comm_is_registered(comm) && MPI_SUCCESS == MPIX_Comm_unregister(comm)
                         && 0 == MPIX_Comm_is_registered(comm);
    MPI_Comm_free(&comm);
    return is_right;
}

static void *work(void *argument)
{
    const int thread = (int) (intptr_t) argument;

    for (int i = 0; i < NUM_ROUNDS; ++i) {
        wait_for_all(i);
        num_wrong[thread] +=
            MPI_SUCCESS != MPIX_Comm_register(shared[i], "shared") || 1 != MPIX_Comm_is_registered(shared[i]);
        num_wrong[thread] += !register_own(own[thread]);
    }
    for (int i = 0; i < NUM_AGAIN; ++i) {
        num_wrong[thread] +=
            MPI_SUCCESS != MPIX_Comm_register(shared[0], "shared") || 1 != MPIX_Comm_is_registered(shared[0]);
        num_wrong[thread] += MPI_SUCCESS != MPIX_Comm_register(again, "again");
        (void) MPIX_Comm_unregister(again); /* another thread may have been first */
    }
    return NULL;
}

int main(int argc, char **argv)
{
    if (!init_threads(&argc, &argv)) {
        return finish();
    }
    for (int i = 0; i < NUM_ROUNDS; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &shared[i]);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &again);
    run_threads(work);
    MPI_Comm_free(&again);
    for (int i = 0; i < NUM_ROUNDS; ++i) {
        CHECK(MPI_SUCCESS == MPIX_Comm_unregister(shared[i]) && 0 == MPIX_Comm_is_registered(shared[i]));
        MPI_Comm_free(&shared[i]);
    }
    return finish();
}
