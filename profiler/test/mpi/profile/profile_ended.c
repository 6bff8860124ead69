/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_ended.sh: calls MPI until there is FOLDER/end. Each rank's process id is in FOLDER/pid.RANK.
 *
 *     profile_ended FOLDER
 */
#include <unistd.h>

#include "profiler/test/mpi/profile/profile_program.h"

int main(int argc, char **argv)
{
    const char *folder = 1 < argc ? argv[1] : ".";
    char end[4096], path[4096], whole[4096];
    int is_end = 0, received;
    FILE *file;

    begin(&argc, &argv);
    snprintf(end, sizeof(end), "%s/end", folder);
    snprintf(path, sizeof(path), "%s/new.%d", folder, rank);
    snprintf(whole, sizeof(whole), "%s/pid.%d", folder, rank);
    file = fopen(path, "w");
    fprintf(file, "%d\n", (int) getpid());
    fclose(file);
    rename(path, whole);
    while (!is_end) {
        is_end = 0 == access(end, F_OK);
        MPI_Bcast(&is_end, 1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &received, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        usleep(1000);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
