# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For the labs in the folders beside this file: real parts (launchers, fabrics, nodes in namespaces) that
# one machine can play. Each folder has three commands:
#     up      starts the lab in build/lab/NAME; again is harmless
#     run     up, the tests, down; what ./check runs, with the variables and verdicts of test/mpi/common.sh
#     down    ends everything that up started, and leaves nothing; also after an interrupted run
# By hand, they use what `./check build-gcc mpi` built.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$root/config/common.sh"
export HITOPO_PREFIX=${HITOPO_PREFIX-$root/build/check/gcc/install}
export HITOPO_TEST_PROGRAMS=${HITOPO_TEST_PROGRAMS-$root/build/check/gcc/mpi}
lab_name=$(basename "$(cd "$(dirname "$0")" && pwd)")
lab=$root/build/lab/$lab_name
# Where `down` finds it after an interrupted run.
mkdir -p "$root/build/lab"
scratch_template=$lab.XXXXXX
. "$root/test/mpi/common.sh"

# need COMMAND PACKAGE...: skips the whole lab, loudly, unless all are there and we are root.
need() {
    [ "$(id -u)" = 0 ] || skip_lab "must be root"
    while [ $# -gt 0 ]; do
        PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null || skip_lab "no command $1 (package $2)"
        shift 2
    done
}

no_namespaces="this kernel or container allows no namespaces, or / is no mount, as in a chroot (mount --bind FOLDER FOLDER before it helps)"

skip_lab() {
    echo "ok - lab $lab_name # SKIP $1"
    exit 0
}

# cannot_start NAME LOG...: one failure, at once, instead of one for each test of what is not there.
cannot_start() {
    echo "not ok - $1 does not start"
    tail -n 5 "${@:2}" 2>/dev/null | sed 's/^/    /'
    exit 1
}

# await SECONDS COMMAND...: until it succeeds, for at least that long.
await() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -le $deadline ] || return 1
        sleep 0.05
    done
}

# ---- processes of ours ----

# `down` ends by number what another shell started, and a number may be another process's by now: a file
# records it with the time of its start. Inside a lab's own process namespace the number is enough.

# record PID FILE
record() { echo "$1 $(start_time "$1")" >"$2"; }

# Nothing for a process that has ended, reaped or not.
start_time() { sed -nE 's/.*\) [^XZ] ([^ ]+ ){18}([0-9]+) .*/\2/p' "/proc/$1/stat" 2>/dev/null; }

# recorded FILE: the process's number, as long as it lives.
recorded() {
    local pid started
    read -r pid started 2>/dev/null <"$1" && [ -n "$started" ] && [ "$started" = "$(start_time "$pid")" ] && echo "$pid"
}

# signal_recorded SIGNAL FILE...
signal_recorded() {
    local signal=$1 file pid
    shift
    for file; do
        pid=$(recorded "$file") && kill "-$signal" "$pid" 2>/dev/null
    done
}

# are_over FILE...
are_over() {
    local file
    for file; do
        ! recorded "$file" >/dev/null || return 1
    done
}

record $$ "$scratch/owner"

# The lab's folder, and what interrupted commands left beside it.
remove_lab() {
    local folder
    rm -rf "$lab"
    for folder in "$lab".??????; do
        [ ! -e "$folder/owner" ] || recorded "$folder/owner" >/dev/null || rm -rf "$folder"
    done
}
