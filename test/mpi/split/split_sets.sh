#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Process sets (mpi_pset_name) and hardware types in a program of MPI sessions only, with sets that the
# launcher makes: mpirun 6.0, and prun 5.0, whose mpirun crashes on several programs.
. "$(dirname "$0")/../common.sh"

case $ompi_version in
4.*) echo "ok - process sets # SKIP Open MPI $ompi_version has no MPI sessions"; exit 0 ;;
esac
sets=$HITOPO_TEST_PROGRAMS/split_sets

# launch ARG...: a job. A prte of its own, since that of 5.0 answers with the sets of earlier jobs.
launch() {
    if [[ $ompi_version != 5.* ]]; then
        timeout 300 mpirun "$@"
        return
    fi
    local uri=$scratch/dvm pid=$scratch/dvm.pid i
    rm -f "$uri"
    # Not the folder that the last mpirun may still be removing.
    export TMPDIR=$scratch
    prte --daemonize --no-ready-msg --report-uri "$uri" --report-pid "$pid" >"$scratch/dvm.log" 2>&1 </dev/null
    for ((i = 0; i < 1200; ++i)); do [ -s "$uri" ] && [ -s "$pid" ] && break; sleep 0.1; done
    timeout 120 prun --dvm-uri "file:$uri" "$@"
    local launched=$?
    [ ! -s "$pid" ] || kill "$(cat "$pid")"
    return $launched
}
# sets_job ARG...: three processes in ocean, two in atmos, and two in none. Up to five times where the launcher lost
# their folder, as that of 5.0.7 does now and then, the more so on a busy machine (docs/upstream.md, 32).
sets_job() {
    local attempt
    for attempt in 1 2 3 4 5; do
        start_sets_job "$@"
        [ "$status" = 124 ] && grep -q 'shared memory initialization' <<<"$out" || break
        echo "the launcher lost the job's folder, attempt $attempt"
    done
}
start_sets_job() {
    out=$(launch --map-by :OVERSUBSCRIBE -x LD_PRELOAD="$preload" -x SET=ocean -n 3 --pset ocean "$sets" "$@" : \
        -x LD_PRELOAD="$preload" -x SET=atmos -n 2 --pset atmos "$sets" "$@" : \
        -x LD_PRELOAD="$preload" -x SET=- -n 2 "$sets" "$@" 2>&1 </dev/null)
    status=$?
}
# How the launcher numbered them.
set_of=()
find_sets() { read -ra set_of < <(sed -n 's/^launched: //p' <<<"$out" | head -n 1); }
# line WHAT SIZE FORMULA: `WHAT: ..`, SIZE for ranks of whom FORMULA with $set and $rank is true, else 0.
line() {
    local rank set sizes=
    for rank in "${!set_of[@]}"; do
        set=${set_of[rank]}
        if eval "$3"; then sizes+=" $2"; else sizes+=" 0"; fi
    done
    echo "$1:$sizes"
}
expected() {
    echo "launched: ${set_of[*]}"
    line ocean 3 '[ $set = ocean ]'
    line atmos 2 '[ $set = atmos ]'
    line mpi://WORLD 7 true
    line mpi://SELF 1 true
    for name in Ocean mpi://world mpi://NOBODY no-such-set -; do
        line $name 0 false
    done
    line NODE 7 true
}

sets_job ocean atmos mpi://WORLD mpi://SELF Ocean mpi://world mpi://NOBODY no-such-set - NODE
find_sets
expect "three processes in one set, two in another" \
    test "$(printf '%s\n' "${set_of[@]}" | sort | uniq -c | tr -s ' \n' ' ')" = " 2 - 2 atmos 3 ocean "
# In a first session and, when that is gone, in a second.
expect "process sets and levels with sessions only" test "$status/$out" = "0/$(expected; expected)"

# Each process names its own set: both give a communicator at once, and who names none gets none.
sets_job @SET
both() {
    echo "launched: ${set_of[*]}"
    echo "@SET:$(for set in "${set_of[@]}"; do
        case $set in ocean) echo -n " 3" ;; atmos) echo -n " 2" ;; *) echo -n " 0" ;; esac
    done)"
}
expect "two sets in one call" test "$status/$out" = "0/$(both; both)"
