/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_on_demand.sh: two snapshots, counting stopped and continued; at the end each rank prints what the
 * performance variables hitopo_prof_* have, by a handle of the main thread and in another thread, "-" where it has
 * none:
 *
 *     variable RANK NAME VALUE VALUE
 *
 *     profile_on_demand [THREAD-LEVEL]
 */
#include <pthread.h>

#include "profiler/test/mpi/profile/profile_program.h"

static int value[16];
static MPI_T_pvar_session session;

static void talk(MPI_Comm comm)
{
    MPI_Win win;

    find_ring(comm);
    MPI_Sendrecv(value, 3, MPI_INT, right, 0, value + 8, 3, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, value, 2, MPI_INT, MPI_SUM, comm);
    MPI_Win_create(value, sizeof(value), 1, MPI_INFO_NULL, comm, &win);
    MPI_Win_fence(0, win);
    MPI_Get(value + 4, 1, MPI_INT, left, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void *read_variable(void *name)
{
    static char text[2][32];
    static int times;
    char *made = text[times++ % 2];
    MPI_T_pvar_handle handle;
    unsigned long long number = 0;
    int index, count;

    if (MPI_SUCCESS == MPI_T_pvar_get_index(name, MPI_T_PVAR_CLASS_GENERIC, &index)
        && MPI_SUCCESS == MPI_T_pvar_handle_alloc(session, index, NULL, &handle, &count) && 1 == count
        && MPI_SUCCESS == MPI_T_pvar_read(session, handle, &number)) {
        snprintf(made, sizeof(text[0]), "%llu", number);
    } else {
        strcpy(made, "-");
    }
    return made;
}

static void print_variable(char *name)
{
    pthread_t thread;
    void *other;
    const char *own = read_variable(name);

    pthread_create(&thread, NULL, read_variable, name);
    pthread_join(thread, &other);
    printf("variable %d %s %s %s\n", rank, name, own, (const char *) other);
}

int main(int argc, char **argv)
{
    MPI_Comm comm, other;
    int provided;

    MPI_Init_thread(&argc, &argv, 1 < argc ? atoi(argv[1]) : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    talk(MPI_COMM_WORLD);
    MPI_Barrier(other);
    MPI_Pcontrol(2);
    talk(comm);
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(value, 3, MPI_INT, right, 0, value + 8, 3, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE);
    MPI_Pcontrol(2); /* also while counting is stopped */
    MPI_Pcontrol(7); /* some other tool's */
    MPI_Pcontrol(1);
    talk(MPI_COMM_WORLD);
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    MPI_T_pvar_session_create(&session);
    print_variable("hitopo_prof_time_ns");
    print_variable("hitopo_prof_bytes");
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    MPI_Finalize();
    return EXIT_SUCCESS;
}
