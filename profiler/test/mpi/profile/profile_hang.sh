#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Jobs that stand still, in each way: hitopo report --hang names the rank.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

command -v hitopo >/dev/null || { echo "ok - jobs that stand still # SKIP the command is not built"; exit; }
program=$HITOPO_TEST_PROGRAMS/profile_hang
parts=$scratch/report.parts
echo 'shape switch:2 node:1 ranks:2' >"$scratch/job.map"
mkfifo "$scratch/fifo"

# start SECONDS CASE ARG...: four ranks on two nodes.
start() {
    rm -rf "$parts"
    LD_PRELOAD=$patient timeout -k 10 600 mpirun --oversubscribe --mca mpi_yield_when_idle 1 -np 4 \
        -x LD_PRELOAD="${before-}$patient:$profiler" --mca hitopo_file_path "$scratch/job.map" --mca hitopo_prof_report "$report" \
        --mca hitopo_prof_watch "$1" "${@:3}" "$program" "$2" "$scratch/fifo" >"$scratch/out" 2>&1 </dev/null &
    job=$!
}
# reports LINE...: until it has all of them, as long as the job is there; out: what it had last.
reports() {
    local line missing=
    for ((i = 0; i < 1200; ++i)); do
        capture hitopo report --hang "$parts"
        missing=
        for line; do grep -qF -- "$line" <<<"$out" || missing=$line; done
        [ -n "$missing" ] && kill -0 $job 2>/dev/null || break
        sleep 0.1
    done
    [ -z "$missing" ] || out="lacks: $missing"$'\n'"$out"$'\n'"$(<"$scratch/out")"
    [ -z "$missing" ]
}
said_once() { # TEXT: mpirun forwards it some time
    until grep -qF "$1" "$scratch/out" || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
    [ "$(grep -cF "$1" "$scratch/out")" = 1 ]
}
mpirun_of_job() { ps -o pid= --ppid $job; }
ranks() { ps -o pid= --ppid $(mpirun_of_job); }
stop() {
    kill -9 $(ranks)
    wait $job || : # its status is that of a job that was killed
} 2>/dev/null # mpirun 4.1 may crash
# hangs CASE LINE...
hangs() {
    start 1 "$1"
    expect "$1" reports "${@:2}"
    stop
}

cause="Rank 2 is what the others wait for"
late="rank 2 (s1n0, switch s1) is outside MPI, since"
start 1 looping
expect "looping" reports "4 processes, 2 nodes, 2 switches; last seen" "$late" \
    'wait in MPI_Allreduce number 1 of split of WORLD ("part"), since' \
    "rank 1 (s0n0, switch s0) waits in MPI_Recv from rank 2, tag 7, since" "$cause. To see where it is: ssh $(hostname) gdb -p "
expect "rank 0 says so once" said_once "HiTopo: no progress for 1 s. Who waits for whom: hitopo report --hang $parts"
stop
hangs receives "A deadlock: 0 waits for 1, 1 waits for 0."

is_quick && exit

hangs stopped "rank 2 (s1n0, switch s1) is stopped by a signal or a debugger" "$cause; stopped."
hangs blocked "rank 2 (s1n0, switch s1) is outside MPI, asleep in a system call" "$cause."
hangs mismatched "Collectives of WORLD differ: ranks 0-1,3 are in MPI_Allreduce number 2, rank 2 is in MPI_Bcast number 2."
hangs waiting "$late" "waits in MPI_Waitall for a message from rank 2, tag 4, since" "$cause."
hangs persistent "$late" "waits in MPI_Wait for a message from rank 2, tag 5, since" "$cause."
hangs nonblocking "$late" "3 wait in MPI_Wait for a collective of WORLD" "$cause."
hangs polling "is outside MPI, polling by MPI_Test" "$cause."
hangs finalizing "$late" "3 wait in MPI_Finalize, since" "$cause."
hangs threads "3 wait in MPI_Barrier number 2 of WORLD and MPI_Recv from any rank, tag 8" "another thread is outside MPI" "$cause; with a thread outside MPI."

# A rank that dies ends the job, unless mpirun is told to go on.
goes_on=(--enable-recovery)
[[ $ompi_version == 4.* ]] || goes_on=(--runtime-options recoverable)
start 1 killed "${goes_on[@]}"
expect "killed" reports "rank 2 (s1n0, switch s1) died" "$cause; dead."
stop

# SIGUSR1, long before the time is over.
start 100000 looping
until [ -e "$parts/hang.json" ] || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
signalled() {
    for ((i = 0; i < 100; ++i)); do
        kill -USR1 $(mpirun_of_job)
        sleep 0.2
        reports_now && return
    done
}
reports_now() { capture hitopo report --hang "$parts"; grep -qF "$cause" <<<"$out"; }
expect "SIGUSR1" signalled
stop

start 1 own_handler
expect "a handler of the program's own stays" reports "$cause"
expect "with a message" said_once "the program has a handler of its own for SIGUSR1"
stop

# Where it goes on, nothing is left.
start 1 ending
expect "all outside MPI" reports "4 are outside MPI, since" "No process is found that others wait for."
kill $(ranks)
wait $job
status=$?
out=$(<"$scratch/out")
expect "a job that goes on" succeeded
expect "leaves its report" has_form
expect "and no folder" test ! -e "$parts"
expect "nor memory" test -z "$(ls /dev/shm | grep '^hitopo\.')"

# Without threads, the signal alone.
cat >"$scratch/no_threads.c" <<'SHIM'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = dlsym(RTLD_NEXT, "pthread_create");
    Dl_info info;
    int is_known = dladdr(__builtin_return_address(0), &info);
    int is_cxx = is_known && (strstr(info.dli_fname, "libhitopo_prof") || strstr(info.dli_fname, "libstdc++"));
    return is_cxx ? EAGAIN : next(thread, attributes, run, argument);
}
SHIM
gcc -shared -fPIC "$scratch/no_threads.c" -o "$scratch/no_threads.so" -ldl
before=$scratch/no_threads.so:
start 1 looping
until [ -e "$parts/hang.json" ] || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
expect "SIGUSR1 without threads" signalled
expect "with one message" said_once "no thread can be made for hitopo_prof_watch"
stop
