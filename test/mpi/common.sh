# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For the shell tests beside this file, which ./check runs with
#     HITOPO_PREFIX         where HiTopo is installed
#     HITOPO_TEST_PROGRAMS  the folder of the compiled programs
# and whose lines `pass NAME`, `fail NAME` and `skip NAME: WHY` it counts.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export PATH="$HITOPO_PREFIX/bin:$PATH"
maps=$HITOPO_PREFIX/share/hitopo/maps
preload=$HITOPO_PREFIX/lib/hitopo/libmpi_hitopo.so
probe=$HITOPO_TEST_PROGRAMS/probe
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run ARG...: mpirun in bounded time; its output is left in $out, its exit code in $status.
run() {
    out=$(timeout 60 mpirun --oversubscribe --mca mpi_yield_when_idle 1 "$@" 2>&1 </dev/null)
    status=$?
}

# preloaded ARG...: likewise, with the table made in a program that knows nothing of HiTopo.
preloaded() { run -x LD_PRELOAD="$preload" "$@"; }

# expect NAME CONDITION...: one test; shows the last run's output where it fails.
expect() {
    local name=$1
    shift
    if "$@"; then
        echo "pass $name"
    else
        echo "fail $name"
        printf '%s\n' "status $status, output:" "$out" | sed 's/^/    /' >&2
    fi
}

succeeded() { [ "$status" = 0 ]; }
printed() { [ "$status" = 0 ] && grep -qF -- "$1" <<<"$out"; }
# One message in the whole job, whatever the number of processes that met the problem.
printed_once() { [ "$status" = 0 ] && [ "$(grep -cF -- "$1" <<<"$out")" = 1 ]; }
has_rows() { [ "$status" = 0 ] && [ "$(grep -cE '^(-?[0-9]+\.){7}-?[0-9]+$' <<<"$out")" = "$1" ]; }
