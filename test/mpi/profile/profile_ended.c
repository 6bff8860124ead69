/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_ended.sh: programs that are ended before MPI_Finalize, or may be.
 *
 *     profile_ended loop FOLDER    calls MPI until there is FOLDER/end; each rank's process id is in FOLDER/pid.RANK
 *     profile_ended known          gets SIGTERM before MPI_Barrier, as all ranks do
 *     profile_ended silent FOLDER  as loop, but calls nothing after MPI_Init
 *     profile_ended own            has a handler of its own
 *     profile_ended late           gets SIGTERM after MPI_Finalize
 *     profile_ended child          sends it to a child
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void send_round(void)
{
    int rank, size, sent = 0, received;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&sent, 1, MPI_INT, (rank + 1) % size, 0, &received, 1, MPI_INT, (rank + size - 1) % size, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void tell_pid(const char *folder)
{
    char path[4096], whole[4096];
    int rank;
    FILE *file;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s/new.%d", folder, rank);
    snprintf(whole, sizeof whole, "%s/pid.%d", folder, rank);
    file = fopen(path, "w");
    fprintf(file, "%d\n", (int) getpid());
    fclose(file);
    rename(path, whole);
}

static void loop(const char *folder)
{
    char end[4096];
    int is_end = 0;

    snprintf(end, sizeof end, "%s/end", folder);
    while (!is_end) {
        is_end = 0 == access(end, F_OK);
        MPI_Bcast(&is_end, 1, MPI_INT, 0, MPI_COMM_WORLD);
        send_round();
        usleep(1000);
    }
}

static void end(int number)
{
    static const char text[] = "the program's own handler\n";

    (void) number;
    (void) !write(STDOUT_FILENO, text, sizeof text - 1);
    _exit(0);
}

static void end_child(void)
{
    const pid_t child = fork();
    int status = 0;

    if (0 == child) {
        for (;;) {
            pause();
        }
    }
    kill(child, SIGTERM);
    waitpid(child, &status, 0);
    printf("the child got signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

int main(int argc, char **argv)
{
    const char *what = 1 < argc ? argv[1] : "", *folder = 2 < argc ? argv[2] : ".";

    if (0 == strcmp(what, "own")) {
        signal(SIGTERM, end);
    }
    MPI_Init(&argc, &argv);
    if (0 == strcmp(what, "loop")) {
        tell_pid(folder);
        loop(folder);
    } else if (0 == strcmp(what, "silent")) {
        tell_pid(folder);
        for (;;) {
            pause();
        }
    } else if (0 == strcmp(what, "known") || 0 == strcmp(what, "own")) {
        send_round();
        send_round();
        raise(SIGTERM);
        MPI_Barrier(MPI_COMM_WORLD);
        printf("goes on\n");
    } else if (0 == strcmp(what, "child")) {
        end_child();
    }
    MPI_Finalize();
    if (0 == strcmp(what, "late")) {
        raise(SIGTERM);
    }
    return 0;
}
