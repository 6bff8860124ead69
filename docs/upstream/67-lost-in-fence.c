/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Rank 0 dies, and then the others, which wait for it in MPI_Finalize. mpirun sees all that at once, as it may where
 * rank 0 calls MPI_Abort on a busy machine:
 *
 *     mpicc 67-lost-in-fence.c && mpirun -np 4 --oversubscribe ./a.out
 *
 * Wanted: mpirun ends. Open MPI 4.1.4 with PMIx 4.2.2: it crashes, or hangs in PMIx_server_finalize until SIGKILL. At
 * each loss lost_connection (ptl_base_sendrecv.c) finds the fence complete; each time _mdxcbfunc (pmix_server.c)
 * releases it.
 */
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, pids[4], pid = (int) getpid();
    const pid_t mpirun = getppid();

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gather(&pid, 1, MPI_INT, pids, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (0 != rank) {
        MPI_Finalize();
        return 0;
    }
    sleep(2);
    if (0 == fork()) {
        for (int fd = 3; fd < 1000; ++fd) {
            close(fd); /* else rank 0's connection with mpirun lasts */
        }
        kill(mpirun, SIGSTOP);
        for (int i = 0; i < 4; ++i) {
            kill(pids[i], SIGKILL);
            usleep(100000);
        }
        kill(mpirun, SIGCONT);
        return 0;
    }
    pause();
}
