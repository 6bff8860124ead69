/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The registry is thread safe: threads register one communicator at once, which gets one registration, and
 * make, register and free their own.
 */
/* ranks: 1 2 4 */
/* mpirun: --bind-to none */
/* mpirun 6.0: --mca btl self,tcp */
#include <sched.h>

#include "test/mpi/checks.h"
#include "ompi/communicator/registry/comm_registry.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"
#include "test/mpi/threads.h"

#define NUM_ROUNDS 300

static MPI_Comm shared[NUM_ROUNDS];
static ompi_hitopo_registration_t *found[NUM_THREADS][NUM_ROUNDS];
static int num_freed = 0;
static int num_arrived = 0;

static void freed(ompi_hitopo_registration_t *registration)
{
    (void) registration;
    __atomic_fetch_add(&num_freed, 1, __ATOMIC_RELAXED);
}

/* Closer together than a pthread_barrier lets them go. */
static void wait_for_all(int round)
{
    __atomic_fetch_add(&num_arrived, 1, __ATOMIC_ACQ_REL);
    while (__atomic_load_n(&num_arrived, __ATOMIC_ACQUIRE) < (round + 1) * NUM_THREADS) {
        sched_yield();
    }
}

/* One round of a thread in which the others do the same. */
static int register_shared(MPI_Comm comm, const char *name, ompi_hitopo_registration_t **registration)
{
    char read[8];

    *registration = ompi_hitopo_registration(inner(comm));
    const int rc = MPIX_Comm_register(comm, name);
    ompi_hitopo_registration_name(*registration, read, sizeof(read));
    /* Anybody's, but whole. */
    return MPI_SUCCESS == rc && 3 == strlen(read) && read[0] == read[1] && read[1] == read[2]
           && 1 == MPIX_Comm_is_registered(comm);
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
    static const char *const names[NUM_THREADS] = {"000", "111", "222", "333"};
    const int thread = (int) (intptr_t) argument;

    for (int i = 0; i < NUM_ROUNDS; ++i) {
        wait_for_all(i);
        num_wrong[thread] += !register_shared(shared[i], names[thread], &found[thread][i]);
        num_wrong[thread] += !register_own(own[thread]);
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
    ompi_hitopo_registry_observe(freed);
    run_threads(work);
    CHECK(NUM_THREADS * NUM_ROUNDS == num_freed);
    for (int i = 0; i < NUM_ROUNDS; ++i) {
        for (int thread = 0; thread < NUM_THREADS; ++thread) {
            CHECK(NULL != found[0][i] && found[0][i] == found[thread][i]);
        }
        MPI_Comm_free(&shared[i]);
    }
    CHECK((NUM_THREADS + 1) * NUM_ROUNDS == num_freed);
    ompi_hitopo_registry_observe(NULL);
    return finish();
}
