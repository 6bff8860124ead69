/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_on_demand.sh: two snapshots, counting stopped and continued; at the end all performance
 * variables hitopo_prof_* of three communicators, in file FOLDER/pvars.RANK, lines
 *
 *     LABEL|NAME|DESCRIPTION|VALUE VALUE ..
 */
#include "test/mpi/profile/profile_program.h"

static int value[16];

static void turn_around(void)
{
    rank = size - 1 - rank;
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
}

static void talk(MPI_Comm comm)
{
    MPI_Win win;

    MPI_Sendrecv(value, 3, MPI_INT, right, 0, value + 8, 3, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, value, 2, MPI_INT, MPI_SUM, comm);
    MPI_Win_create(value, sizeof(value), 1, MPI_INFO_NULL, comm, &win);
    MPI_Win_fence(0, win);
    MPI_Get(value + 4, 1, MPI_INT, left, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void read_variable(FILE *file, MPI_T_pvar_session session, int number, const char *name, const char *description,
                          MPI_Comm comm)
{
    MPI_T_pvar_handle handle;
    unsigned long long *values;
    int count;

    if (MPI_SUCCESS != MPI_T_pvar_handle_alloc(session, number, &comm, &handle, &count)) {
        fprintf(stderr, "%s: no handle\n", name);
        return;
    }
    values = calloc((size_t) count, sizeof(*values));
    fprintf(file, "%s|%s|%s|", label, name, description);
    if (MPI_SUCCESS != MPI_T_pvar_read(session, handle, values)) {
        fprintf(stderr, "%s: no value\n", name);
    }
    for (int i = 0; i < count; ++i) {
        fprintf(file, "%s%llu", 0 < i ? " " : "", values[i]);
    }
    fputc('\n', file);
    free(values);
    MPI_T_pvar_handle_free(session, &handle);
}

static void read_variables(const char *folder, MPI_Comm comm, MPI_Comm other)
{
    char path[4096], name[256], description[16384];
    int provided, count;
    MPI_T_pvar_session session;
    FILE *file;

    snprintf(path, sizeof(path), "%s/pvars.%d", folder, rank);
    file = fopen(path, "w");
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_num(&count);
    for (int i = 0; NULL != file && i < count; ++i) {
        int name_length = sizeof(name), length = sizeof(description), verbosity, class, bind, is_readonly,
            is_continuous, is_atomic;
        MPI_Datatype type;
        MPI_T_enum enumeration;

        if (MPI_SUCCESS
                == MPI_T_pvar_get_info(i, name, &name_length, &verbosity, &class, &type, &enumeration, description,
                                       &length, &bind, &is_readonly, &is_continuous, &is_atomic)
            && 0 == strncmp(name, "hitopo_prof_", 12)) {
            read_variable(file, session, i, name, description, MPI_COMM_WORLD, WORLD);
            read_variable(file, session, i, name, description, comm, "pairs");
            read_variable(file, session, i, name, description, other, "-");
        }
    }
    if (NULL != file) {
        fclose(file);
    }
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}

int main(int argc, char **argv)
{
    MPI_Comm comm, other;

    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);

    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);

    talk(MPI_COMM_WORLD, WORLD);
    MPI_Barrier(other);
    MPI_Pcontrol(2);
    turn_around(); /* the ranks of comm */
    talk(comm, "pairs");
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv(value, 3, MPI_INT, right, 0, value + 8, 3, MPI_INT, left, 0, comm, MPI_STATUS_IGNORE);
    MPI_Pcontrol(2); /* also while counting is stopped */
    MPI_Pcontrol(7); /* some other tool's */
    MPI_Pcontrol(1);
    turn_around();
    talk(MPI_COMM_WORLD, WORLD);
    read_variables(1 < argc ? argv[1] : ".", comm, other);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
