#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Counts of threads, and times: of calls that wait, and of those that take a fraction of a microsecond.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"
rounds=$(is_quick && echo 200 || echo 2000) # by hand: 20000

for ranks in $(is_quick || echo 1) 2; do
    profiled -np $ranks --mca hitopo_base_eager 0 "${threads[@]}" "$HITOPO_TEST_PROGRAMS/profile_threads" $rounds
    expect "eight threads in each of $ranks end" succeeded
    expect "each call counts once" is_true "all(calls(f) == $ranks * [8 * $rounds] for f in ('MPI_Irecv', 'MPI_Send', 'MPI_Wait'))"
    expect "at its communicator" is_true "[sorted((report['kinds'][k['id']]['name'], k['made'], c[1], c[2]) for k in p['kinds']
        for c in k['calls'] if c[0] in ('MPI_Send', 'MPI_Wait')) for p in processes] == $ranks * [[(name, made, 4 * $rounds, size)
        for name, made in (('WORLD', 1), ('split of WORLD', 8)) for size in (0, 4 * 36 * $rounds // 2)]]"
    expect "and each byte at its pair" is_true "[p['pairs'] for p in processes] == [[[(r + 1) % $ranks, 8 * $rounds, 4 * 36 * $rounds]]
        for r in range($ranks)]"
    expect "200 communicators beside them" is_true "[k['made'] for p in processes for k in p['kinds'] if report['kinds'][k['id']]['name'] == 'made'] == $ranks * [200]"
    expect "sums agree" has_form
done
is_quick && exit

# Rank 1 sleeps before it sends. The others tell how long they were in MPI_Waitall as they see it, which a loaded machine
# makes a little longer than it was; half of it is what a wrong weight of samples or unit would miss.
cat >"$scratch/late.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, size, number = 0;
    double waited = 0;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 10; ++i) {
        if (1 == rank) {
            usleep(40000);
            for (int to = 0; to < size; ++to) {
                MPI_Send(&number, 1, MPI_INT, 1 == to ? MPI_PROC_NULL : to, 0, MPI_COMM_WORLD);
            }
        } else {
            MPI_Irecv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
            const double start = MPI_Wtime();
            MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
            waited += MPI_Wtime() - start;
        }
    }
    printf("waited %d %.0f\n", rank, waited * 1e9);
    return MPI_Finalize();
}
END
# The highest rank calls what takes a fraction of a microsecond, and the others nothing: no process is in MPI for longer than
# the job runs.
cat >"$scratch/short.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, in = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; rank + 1 == size && i < 500000; ++i) {
        MPI_Sendrecv_replace(&in, 1, MPI_INT, rank, 0, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return MPI_Finalize();
}
END
for program in late short; do
    mpicc -O1 "$scratch/$program.c" -o "$scratch/$program"
done
profiled -np 4 --mca hitopo_base_eager 0 "$scratch/late"
for rank in 0 2 3; do
    told=$(sed -n "s/^waited $rank //p" <<<"$out")
    expect "rank $rank waits for the one that sleeps: ${told:-0} ns" is_true "[0.5 * ${told:-0} < c[3] < 1.01 * ${told:-0}
        for k in processes[$rank]['kinds'] for c in k['calls'] if c[0] == 'MPI_Waitall'] == [True]"
done
for ranks in 1 2; do
    profiled -np $ranks --mca hitopo_base_eager 0 "$scratch/short"
    expect "short calls of the last of $ranks: their time is no longer than all" is_true \
        'max(sum(c[3] for k in p["kinds"] for c in k["calls"]) for p in processes) <= 1.001e9 * report["seconds"]'
done
