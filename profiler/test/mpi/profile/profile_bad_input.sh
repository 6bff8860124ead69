#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The profiler where something is wrong: paths, programs without it, bad handles, and programs that end early.
# No job hangs or fails that would not without it.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

program=$HITOPO_TEST_PROGRAMS/profile_misused
warned_once() { [ "$status" = 0 ] && [ "$(grep -c "HiTopo's profiler" <<<"$out")" = 1 ]; }
# But for where the report is.
is_silent() { [ "$status" = 0 ] && ! grep -v 'of the time was in MPI. Where: hitopo report ' <<<"$out" | grep -qi hitopo; }
is_alone() { [ "$(ls "$scratch" | grep -cE "$1")" = "${2-0}" ]; }

# to PATH ARG...
to() { run -np 2 -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$@"; }

profiled -np 2 "$program" fine
expect "without anything wrong" is_silent
expect "one line says where the report is" grep -qE "^HiTopo: [0-9]+ % of the time was in MPI\. Where: hitopo report $scratch/.*\.report\.json$" <<<"$out"
expect "there is a report" has_form
profiled -np 1 "$program" fine
expect "one process" has_form

mkdir "$scratch/folder"
to "$scratch/folder" "$program"
expect "a folder as the report" warned_once
to "$scratch/absent/report.json" "$program"
expect "a report in no folder" warned_once
expect "the warning names the path and the remedy" grep -qF "absent/report.json: No such file or directory (MCA variable hitopo_prof_report" <<<"$out"
to "" "$program"
expect "an empty hitopo_prof_report" test "$status/$out" = 0/
expect "nothing is left behind" is_alone part
to /dev/full "$program"
expect "a full disk" warned_once
expect "a device stays one" test -c /dev/full
to "$scratch/limited.json" --mca btl self,tcp bash -c 'ulimit -f 0 && exec "$@"' - "$program"
expect "the largest size of files" warned_once
expect "the warning names it" grep -qF "cannot write $scratch/limited.json: File too large" <<<"$out"
to /dev/null "$program"
expect "a report to /dev/null" is_silent
expect "/dev/null stays a device" test -c /dev/null
mkfifo "$scratch/pipe"
exec 3<>"$scratch/pipe" 4<"$scratch/pipe" # it has a reader, whenever cat begins
cat <&4 >"$report" 3>&- &
to "$scratch/pipe" "$program"
exec 3>&- 4<&-
expect "a report into a pipe" is_silent
wait $!
expect "arrives" has_form
to "$scratch/pipe" "$program"
expect "a pipe that nobody reads is not waited for" warned_once
ln -s real.json "$scratch/link"
to "$scratch/link" "$program"
expect "a link stays one" test -L "$scratch/link" -a -s "$scratch/real.json"
to "$scratch/100%-%p-%%.json" "$program"
expect "%p and %%" test "$(ls "$scratch" | grep -cE '^100%-[0-9]+-%\.json$')" = 1
to "$scratch/%h:%j.json" "$program" job
expect "%h and %j" test -s "$scratch/$(hostname):$(sed -n 's/^job //p' <<<"$out").json"

# A job that spawns two others, of 1 and 2 processes, with one path for all.
cat >"$scratch/spawning.c" <<'END'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    MPI_Comm parent, spawned;
    setenv("OMPI_MCA_hitopo_prof_report", argv[1], 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    for (int i = 0; MPI_COMM_NULL == parent && i < 2; ++i) {
        MPI_Comm_spawn(argv[0], argv + 1, 1 + i, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &spawned, MPI_ERRCODES_IGNORE);
        MPI_Comm_disconnect(&spawned);
    }
    if (MPI_COMM_NULL != parent) {
        MPI_Comm_disconnect(&parent);
    }
    return MPI_Finalize();
}
END
mpicc "$scratch/spawning.c" -o "$scratch/spawning" $(PKG_CONFIG_PATH=$HITOPO_PREFIX/lib/pkgconfig pkg-config --libs hitopo-prof)
run -np 3 "$scratch/spawning" "$scratch/spawning.json"
expect "two spawned jobs with the same path" test "$status/$(grep -c 'this job was spawned, and its report is ' <<<"$out")" = 0/2
out=$(cd "$scratch" && grep -Eo '"profile","size":[0-9]+' spawning.*json | sed 's/spawning\.[^:]*\.json/other/' | sort)
expect "each has a report" test "$out" = $'other:"profile","size":1\nother:"profile","size":2\nspawning.json:"profile","size":3'
run -np 3 "$scratch/spawning" /dev/null
expect "/dev/null takes them all" is_silent

# A folder that is everybody's, where somebody waits at the names of a part and of the report itself.
mkdir -m 1777 "$scratch/shared"
echo private >"$scratch/private"
ln -s "$scratch/private" "$scratch/shared/report.json.part"
to "$scratch/shared/report.json" "$program"
expect "a link at NAME.part is not written through" grep -qx private "$scratch/private"
expect "the report is there" test -s "$scratch/shared/report.json" -a ! -L "$scratch/shared/report.json"
rm "$scratch"/shared/*
mkfifo "$scratch/shared/report.json.part"
to "$scratch/shared/report.json" "$program"
expect "a pipe at NAME.part is not waited for" is_silent
expect "the report is there then, too" test -s "$scratch/shared/report.json"
if [ "$(id -u)" = 0 ]; then
    ln -s "$scratch/private" "$scratch/shared/link.json"
    chown -h nobody "$scratch/shared/link.json"
    to "$scratch/shared/link.json" "$program"
    expect "another user's link as the report" warned_once
    expect "is not written through" grep -qx private "$scratch/private"
else
    echo "ok - another user's link as the report # SKIP only root makes one"
fi

# How the part is opened, and that its name is another one each time.
mpicc -shared -fPIC -D_GNU_SOURCE -o "$scratch/opens.so" -x c - -ldl <<'END'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
int open(const char *path, int flags, ...)
{
    int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    va_list rest;
    va_start(rest, flags);
    int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
    va_end(rest);
    if (strstr(path, "/watched.json")) {
        fprintf(stderr, "opened %d %s\n", (flags & (O_CREAT | O_EXCL | O_NOFOLLOW)) == (O_CREAT | O_EXCL | O_NOFOLLOW), path);
    }
    return next(path, flags, mode);
}
END
watched() { run -np 2 -x LD_PRELOAD="$scratch/opens.so:$profiler" --mca hitopo_prof_report "$scratch/watched.json" "$program"; }
watched
first=$(grep '^opened ' <<<"$out")
watched
second=$(grep '^opened ' <<<"$out")
expect "parts are made anew" grep -qE '^opened 1 .*/watched\.json\.[0-9a-f]{16}\.part$' <<<"$first"
expect "under a name that nobody knows" test "$(wc -l <<<"$first"$'\n'"$second")" = 2 -a "$first" != "$second"

# As a user who may write nowhere: a file that is there stays.
echo before >"$report"
mkdir "$scratch/old" && echo before >"$scratch/old/report.json"
to "$scratch/old/report.json" "$program" abort
expect "an old report stays where the job breaks off" grep -qx before "$scratch/old/report.json"

# Without the profiler in some of the programs. Not by -x, which mpirun 6.0 takes for all.
run -np 1 --mca hitopo_prof_report "$report" env LD_PRELOAD="$profiler" "$program" : -np 1 "$program"
expect "only the first program has it" warned_once
run -np 1 "$program" : -np 1 --mca hitopo_prof_report "$report" env LD_PRELOAD="$profiler" "$program"
expect "only the second program has it" warned_once
expect "there is no report" grep -qx before "$report"
rm "$report"

profiled -np 2 "$program" handles
expect "bad handles are refused" test "$(grep -cx 'refused 1' <<<"$out")" = 2
expect "MPI still refuses what it does" test "$(grep -cx 'failed 1' <<<"$out")" = 2
expect "and the report is whole" has_form

# What ends as it does without the profiler. On a busy machine mpirun 4.1.4 has another status for the same program now and
# then, without the profiler too: such a pair is run again.
for way in twice abort quit; do
    for _ in 1 2 3; do
        run -np 2 "$program" $way
        without=$status
        profiled -np 2 "$program" $way
        [ "$status" != "$without" ] || break
    done
    expect "$way ends as without" test "$status" = "$without" -a "$status" != 124
done

out=$(cd "$scratch" && LD_PRELOAD=$profiler timeout 300 "$program" fine 2>&1)
status=$?
expect "a singleton" is_silent
expect "leaves its report where it is" is_alone "^hitopo-profile\\.[0-9]{8}T[0-9]{6}\\.$(hostname)\\.[-A-Za-z0-9@._+]*\\.[0-9]*\\.json$" 1

# Another tool. MPI's profiling interface has room for one.
mpicc -shared -fPIC -o "$scratch/tool.so" -x c - <<'END'
#include <mpi.h>
int MPI_Init(int *argc, char ***argv) { return PMPI_Init(argc, argv); }
int MPI_Finalize(void) { return PMPI_Finalize(); }
int MPI_Barrier(MPI_Comm comm) { return PMPI_Barrier(comm); }
END
beside() {
    rm -f "$report"
    run -np 2 -x LD_PRELOAD="$1" --mca hitopo_prof_report "$report" "$program"
}
beside "$scratch/tool.so:$profiler"
expect "a tool before the profiler costs a warning" warned_once
expect "which names it and a function" grep -qF "tool.so stands before the profiler for 1 of MPI's functions (the first is MPI_Barrier)" <<<"$out"
expect "the report tells it, too" is_true 'len(report["warnings"]) == 1 and "tool" in report["warnings"][0] and calls("MPI_Barrier") == [0, 0]'
expect "the remedy: the order" grep -qF "libhitopo_prof.so before it in LD_PRELOAD" <<<"$out"
mpicc -o "$scratch/own" -x c - <<'END'
#include <mpi.h>
int MPI_Barrier(MPI_Comm comm) { return PMPI_Barrier(comm); }
int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
END
run -np 2 -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$report" "$scratch/own"
expect "a program's own function costs a warning" warned_once
expect "whose remedy is another build" grep -qF "Build the program without its own functions of these names" <<<"$out"
beside "$profiler:$scratch/tool.so"
expect "a tool behind it is nobody's trouble" is_silent
expect "and all is counted" is_true 'report["warnings"] == [] and calls("MPI_Barrier") == [1, 1]'

# MPI without MPI_Init: OpenSHMEM's, where this machine can run it, and sessions.
cat >"$scratch/shmem.c" <<'END'
#include <shmem.h>
int main(void)
{
    shmem_init();
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
END
shmem=(-np 2 --mca memory ^patcher "$scratch/shmem")
! capture oshcc "$scratch/shmem.c" -o "$scratch/shmem" || run "${shmem[@]}"
if succeeded; then
    profiled "${shmem[@]}"
    expect "OpenSHMEM: there is no report" warned_once
else
    echo "ok - the profiler and OpenSHMEM # SKIP no program of it runs here"
fi
if [[ $ompi_version = 4.* ]]; then
    echo "ok - the profiler and sessions # SKIP Open MPI $ompi_version has none"
    exit
fi
cat >"$scratch/sessions.c" <<'END'
#include <mpi.h>
static void use_session(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, own, between, merged;
    MPI_Request request;
    MPI_Win win;
    int rank, in = 1, out;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "a", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Sendrecv(&in, 1, MPI_INT, 1 - rank, 0, &out, 1, MPI_INT, 1 - rank, 0, comm, MPI_STATUS_IGNORE);
    MPI_Iallreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split(comm, rank, 0, &own);
    MPI_Intercomm_create(own, 0, comm, 1 - rank, 0, &between);
    MPI_Intercomm_merge(between, rank, &merged);
    MPI_Win_create(&in, sizeof(in), 1, MPI_INFO_NULL, merged, &win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&between);
    MPI_Comm_free(&own);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}
int main(int argc, char **argv)
{
    use_session();
    if (argc > 1) {
        MPI_Init(&argc, &argv);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Finalize();
        use_session();
    }
    return 0;
}
END
mpicc "$scratch/sessions.c" -o "$scratch/sessions"
profiled -np 2 "$scratch/sessions"
expect "sessions: there is no report" warned_once
profiled -np 2 "$scratch/sessions" and world
expect "sessions before MPI_Init and after MPI_Finalize" is_silent
expect "only what is between these is counted" is_true '[c[:2] for p in processes for k in p["kinds"] for c in k["calls"]] == 2 * [["MPI_Barrier", 1]]'
