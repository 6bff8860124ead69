/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_languages.sh: files of a registered communicator, by collective calls for which the io
 * component sends a lot. Nothing of that is counted.
 */
#include "profiler/test/mpi/profile/profile_program.h"

#define COUNT 4096

static int numbers[COUNT], back[COUNT];

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Datatype strided;
    MPI_Request request;
    char path[4096];

    begin(&argc, &argv);
    for (int i = 0; i < COUNT; ++i) {
        numbers[i] = rank * COUNT + i;
    }
    snprintf(path, sizeof(path), "%s/written", 1 < argc ? argv[1] : ".");
    MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Type_vector(COUNT, 1, size, MPI_INT, &strided);
    MPI_Type_commit(&strided);
    MPI_File_set_view(file, (MPI_Offset) sizeof(int) * rank, MPI_INT, strided, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, numbers, COUNT, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
    MPI_File_read_all(file, back, COUNT, MPI_INT, MPI_STATUS_IGNORE);
    if (0 != memcmp(numbers, back, sizeof(numbers))) {
        fprintf(stderr, "rank %d reads what it did not write\n", rank);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_File_iwrite_at(file, 0, numbers, COUNT, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 0, back, COUNT, MPI_INT);
    MPI_File_read_at_all_end(file, back, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_close(&file);
    MPI_Type_free(&strided);
    MPI_Barrier(MPI_COMM_WORLD);
    if (0 == rank) {
        MPI_File_delete(path, MPI_INFO_NULL);
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
