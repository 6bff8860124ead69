# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For the shell tests beside this file, which ./check runs with
#     HITOPO_PREFIX         where HiTopo is installed
#     HITOPO_TEST_PROGRAMS  the folder of the compiled programs
#     HITOPO_IN_TREE        where an Open MPI with HiTopo in it is installed, else unset; $preload then does nothing
#     HITOPO_QUICK          not empty: the quick part is asked for alone
# and whose lines `ok - NAME`, `not ok - NAME` and `ok - NAME # SKIP WHY` it counts; lines behind a failed one that begin with four
# spaces are its output.
set -u
here=$(cd "$(dirname "$0")" && pwd)
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export PATH="$HITOPO_PREFIX/bin:$PATH"
maps=$HITOPO_PREFIX/share/hitopo/maps
preload=$HITOPO_PREFIX/lib/hitopo/libmpi_hitopo.so
probe=$HITOPO_TEST_PROGRAMS/probe
patient=$HITOPO_TEST_PROGRAMS/patience.so
in_tree=${HITOPO_IN_TREE-}
scratch=$(mktemp -d ${scratch_template:+"$scratch_template"})
trap 'rm -rf "$scratch"' EXIT

ompi_version=$(ompi_info --version | sed -n 's/^Open MPI v//p')
ompi_components=$(ompi_info --path pkglibdir --parsable | cut -d: -f3-)

# From 5.0 on, mpirun ends where an earlier one with its process's number left its folder behind (docs/upstream.md, 71).
[[ $ompi_version == 4.* ]] || export TMPDIR=$scratch

# Fast boxes lose messages of several threads (docs/upstream.md, 43).
[[ $ompi_version != 6.* ]] || export OMPI_MCA_btl_sm_fbox_max=0

# A script begins with its quick part, and ends there where that is asked for alone: is_quick && exit
is_quick() { [ -n "${HITOPO_QUICK-}" ]; }

# capture COMMAND...: its output is left in $out, its exit code in $status.
capture() {
    out=$("$@" 2>&1)
    status=$?
}

# run ARG...: captures mpirun, for at most $seconds (default 300).
run() {
    local arguments=(--oversubscribe --mca mpi_yield_when_idle 1 "${@/#LD_PRELOAD=/LD_PRELOAD=$patient:}")
    local -x LD_PRELOAD=$patient${LD_PRELOAD:+:$LD_PRELOAD}
    [[ $ompi_version != 5.0.* || " $* " != *" : "* ]] || join_programs "${arguments[@]}"
    capture timeout -k 10 "${seconds-300}" mpirun "${arguments[@]}" </dev/null
    # Seldom mpirun errs (docs/upstream.md, 61), and hardly twice in a row.
    if [[ $ompi_version = 4.* && $out = *"exiting improperly"* ]]; then
        echo "once more, since mpirun erred: ${arguments[*]}" >&2
        capture timeout -k 10 "${seconds-300}" mpirun "${arguments[@]}" </dev/null
    fi
}

# join_programs ARG...: leaves a job of one program in $arguments, which becomes one of several in each
# process: Debian's mpirun 5.0.7 crashes on several (docs/upstream.md).
join_programs() {
    local script=$scratch/programs first=0 environment=()
    arguments=()
    echo '#!/bin/bash' >"$script"
    chmod +x "$script"
    while [ $# -gt 0 ]; do
        case $1 in
        :) shift ;;
        -np) first=$((first + $2)); shift 2 ;;
        -x) environment+=("$2"); shift 2 ;;
        --mca) arguments+=("$1" "$2" "$3"); shift 3 ;;
        --oversubscribe) arguments+=("$1"); shift ;;
        -*) arguments+=("$1" "$2"); shift 2 ;;
        *)
            printf 'if [ $OMPI_COMM_WORLD_RANK -lt %d ]; then\n    exec env' $first
            [ ${#environment[@]} = 0 ] || printf ' %q' "${environment[@]}"
            while [ $# -gt 0 ] && [ "$1" != : ]; do printf ' %q' "$1"; shift; done
            printf '\nfi\n'
            environment=()
            ;;
        esac >>"$script"
    done
    arguments+=(-np $first "$script")
}

# of_this_ompi PROGRAM: Debian's program is there, and linked with this Open MPI's libmpi.
of_this_ompi() {
    local libdir soname
    libdir=$(ompi_info --path libdir --parsable | cut -d: -f3-)
    soname=$(readelf -d "$libdir/libmpi.so" | sed -n 's/.*(SONAME).*\(\[.*\]\)$/\1/p')
    command -v "$1" >/dev/null && readelf -d "$(command -v "$1")" | grep -qF "$soname"
}

# has_mpi4py: of this Open MPI. Leaves the Python that has it in $python: Debian's package is for Debian's, which may not be the first one.
has_mpi4py() {
    for python in python3 /usr/bin/python3; do
        "$python" -c 'import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; print(MPI.Get_library_version())' 2>/dev/null |
            grep -qF "Open MPI v$ompi_version," && return
    done
    return 1
}

# build_shim NAME FILE: shims/NAME.c as a library to preload.
build_shim() {
    local -x PKG_CONFIG_PATH=$HITOPO_PREFIX/lib/pkgconfig
    mpicc -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC $(pkg-config --cflags hitopo-component) \
        "$source_root/test/mpi/table/shims/$1.c" -o "$2" -ldl && return
    echo "not ok - the shim $1 does not compile"
    return 1
}

# preloaded ARG...: likewise, with the table made in a program that knows nothing of HiTopo.
preloaded() { run -x LD_PRELOAD="$preload" "$@"; }

# without_memory RANK FROM COUNT ARG...: as preloaded, but COUNT of RANK's allocations fail, from that one on; allocations prints
# how many there were. After build_shim fail_memory "$scratch/fail_memory.so".
without_memory() {
    local seconds=100
    run -x LD_PRELOAD="$scratch/fail_memory.so:$preload" -x FAIL_TELLS=1 -x FAIL_RANK="$1" -x FAIL_FROM="$2" -x FAIL_COUNT="$3" "${@:4}"
}
allocations() { sed -n 's/^allocations: //p' <<<"$out"; }

# with_components FOLDER COMMAND...: with more of Open MPI's components. From 5.0 on, mpirun gives processes
# another path than it was told.
with_components=$scratch/with_components
cat >"$with_components" <<END
#!/bin/sh
export OMPI_MCA_mca_base_component_path="$ompi_components:\$1"
shift
exec "\$@"
END
chmod +x "$with_components"

# kill_at_stop FILE JOB: shims/stop.c's process, once it is where FAULT_FILE=FILE says; leaves its id in $killed, empty
# where JOB ended before.
kill_at_stop() {
    killed=
    until [ -e "$1.reached" ] || ! kill -0 "$2" 2>/dev/null; do sleep 0.05; done
    [ -e "$1.reached" ] || return
    read -r killed _ <"$1.reached"
    kill -9 "$killed"
}

# counts_messages TEST: whether it can, with pml/monitoring.
counts_messages() {
    [[ $ompi_version == 6.0.0rc* ]] || return 0
    echo "ok - $1 # SKIP pml/monitoring crashes in Open MPI $ompi_version (docs/upstream.md)"
    return 1
}

# expect NAME CONDITION...: one test; shows the last run's output where it fails.
expect() {
    local name=$1
    shift
    if "$@"; then
        echo "ok - $name"
    else
        echo "not ok - $name"
        printf '%s\n' "status $status, output:" "$out" | sed 's/^/    /' >&2
    fi
}

succeeded() { [ "$status" = 0 ]; }
printed() { [ "$status" = 0 ] && grep -qF -- "$1" <<<"$out"; }
# gives LINE...: the job printed these and no others.
gives() { [ "$status" = 0 ] && [ "$out" = "$(printf '%s\n' "$@")" ]; }
# One message in the whole job, whatever the number of processes that met the problem.
printed_once() { [ "$status" = 0 ] && [ "$(grep -cF -- "$1" <<<"$out")" = 1 ]; }
# The job printed these lines, one behind the other, once; LINE may have line breaks.
says() { [[ $'\n'$out$'\n' == *$'\n'"$(printf '%s\n' "$@")"$'\n'* ]] && printed_once "$1"; }
# The job ended by one message of rank RANK.
ended_by() { [ "$status" != 0 ] && [ "$status" != 124 ] && [ "$(grep -cF "HiTopo ends the job: rank $1 cannot go on in" <<<"$out")" = 1 ]; }
# Either all of RANKS processes have a table, or none has.
all_or_none() { has_rows "$1" || { printed "no table" && has_rows 0; }; }
has_rows() { [ "$status" = 0 ] && [ "$(grep -cE '^(-?[0-9]+\.){7}-?[0-9]+$' <<<"$out")" = "$1" ]; }
