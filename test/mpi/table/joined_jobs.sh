#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Jobs beside a job: one that spawns without mpirun, one without a table, since all refused, that meets one with a table, serial programs
# that inherit a job's variables. All end as they do without HiTopo.
. "$(dirname "$0")/../common.sh"
program=$HITOPO_TEST_PROGRAMS/joined_jobs

# alone ARG...: captures the program without mpirun.
alone() { capture timeout -k 10 60 env OMPI_MCA_rmaps_base_oversubscribe=1 "$@" </dev/null; }

# Its processes joined, all of one node.
all_joined() { [ "$status" = 0 ] && [ "$(grep -c "^joined: $1 of $1\$" <<<"$out")" = "$1" ]; }

alone "$program" spawn "$program"
if all_joined 3; then
    alone LD_PRELOAD="$preload" "$program" spawn "$program"
    expect "a process without mpirun spawns two others" all_joined 3
else
    echo "ok - a process without mpirun spawns two others # SKIP Open MPI $ompi_version does not do so here"
fi

# What drivers do before they start a serial MPI program from a rank.
cat >"$scratch/serial" <<END
#!/bin/bash
for name in \$(env | sed -nE 's/^((OMPI|ORTE|OPAL|PRTE)_[A-Za-z0-9_]*)=.*/\1/p'); do
    [[ \$name = *ALLOW_RUN_AS_ROOT* ]] || unset "\$name"
done
exec timeout -k 5 60 $program
END
chmod +x "$scratch/serial"
nested() { printed "nested: status 0" && printed "over: 1 processes" && printed "over: 2 processes"; }
run -np 2 "$program" nest "$scratch/serial"
if nested; then
    preloaded -np 2 "$program" nest "$scratch/serial"
    expect "a rank starts a serial program without OMPI_ variables" nested
else
    echo "ok - a rank starts a serial program without OMPI_ variables # SKIP Open MPI $ompi_version does not do so here"
fi

# stale NAME VARIABLE...: a serial program with PMIX_ variables that lead nowhere.
stale() {
    local name="a serial program with PMIX_ variables of $1"
    shift
    alone "$@" "$program"
    if printed "over: 1 processes"; then
        alone "$@" LD_PRELOAD="$preload" "$program"
        expect "$name" printed "over: 1 processes"
    else
        echo "ok - $name # SKIP Open MPI $ompi_version does not do so here"
    fi
}
stale "no server" PMIX_NAMESPACE=nowhere PMIX_RANK=0
mapfile -t inherited < <(mpirun -np 1 --oversubscribe env | grep '^PMIX_')
stale "a finished job" "${inherited[@]}"

# Its second process cannot open the framework.
cat >"$scratch/child" <<END
#!/bin/sh
export LD_PRELOAD=$preload
[ "\$OMPI_COMM_WORLD_RANK" != 1 ] || export OMPI_MCA_hitopo=^slurm,^hwloc
exec $program
END
chmod +x "$scratch/child"
preloaded -np 2 "$program" spawn "$scratch/child"
expect "a job without a table meets one with a table" all_joined 4
expect "why the one has none" printed_once "HiTopo could not make the address table: rank 1:"
