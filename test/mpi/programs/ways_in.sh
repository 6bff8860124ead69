#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The ways into an unmodified program, each enough by itself and harmless together, and the jobs in
# which not all processes have one: a warning, no table, never a hang.
. "$(dirname "$0")/../common.sh"
[ -z "$in_tree" ] || { echo "ok - the ways into a program # SKIP HiTopo is in Open MPI itself"; exit; }

run -np 2 "$probe"
expect "nothing installed in the program: no table" printed "no table"

preloaded -np 2 "$probe"
expect "preload" has_rows 2

run -np 2 --tune "$HITOPO_PREFIX/share/hitopo/hitopo.conf" "$probe"
expect "mpirun --tune hitopo.conf" has_rows 2

# is_told STATES: the probe's job says once that HiTopo is on.
is_told() { printed_once "hitopo:base: rank 0: HiTopo " && grep -qE "HiTopo [0-9.]+ is on; components: .*hwloc, .*; levels: node, .*; $1\$" <<<"$out"; }
run -np 2 --tune "$HITOPO_PREFIX/share/hitopo/hitopo.conf" --mca hitopo_base_verbose 1 --mca coll_hitopo_share 0 "$probe"
expect "told that it is on, and that no other part is" is_told "collectives: off; reorder: off; profiler: off"
run -np 2 --tune "$HITOPO_PREFIX/share/hitopo/hitopo-prof.conf" --mca hitopo_prof_report "" --mca hitopo_base_verbose 1 \
    --mca coll_hitopo_share 2 --mca topo_hitopo_reorder on "$probe"
expect "told which parts are on" is_told "collectives: on; reorder: on; profiler: on"

# A folder of ours gets what --with-ompi-hook does to Open MPI's own.
mkdir "$scratch/components"
ln -s "$HITOPO_PREFIX/lib/hitopo/mca_hook_hitopo.so" "$scratch/components/"
hook=("$with_components" "$scratch/components")
run -np 2 "${hook[@]}" "$probe"
expect "hook in Open MPI's component path" has_rows 2

preloaded -np 2 "${hook[@]}" "$probe"
expect "hook and preload together" has_rows 2

# For everybody, and off again (docs/install.md).
OMPI_MCA_mca_base_env_list="LD_PRELOAD=$patient:$preload" run -np 2 "$probe"
expect "mca_base_env_list" has_rows 2
run -np 2 --mca hook ^hitopo "${hook[@]}" "$probe"
expect "hook and --mca hook ^hitopo: no table, silence" test "$out" = "no table"
mkdir -p "$scratch/home/.openmpi"
echo 'hitopo_base_eager = 0' >"$scratch/home/.openmpi/mca-params.conf"
HOME=$scratch/home run -np 2 "${hook[@]}" "$probe"
expect "off for one user: no table, silence" test "$out" = "no table"

run -np 1 "$probe" : -np 2 -x LD_PRELOAD="$preload" "$probe"
expect "one of two programs has it: one warning" printed_once "HiTopo is not in all processes of this job"
expect "one of two programs has it: no table" printed "no table"

preloaded -np 2 "$probe" : -np 1 -x LD_PRELOAD="$preload" -x OMPI_MCA_hitopo_base_eager=0 "$probe"
expect "eager off at one rank: one warning" printed_once "HiTopo is not in all processes of this job"
expect "eager off at one rank: no table" printed "no table"

preloaded -np 2 --mca hitopo_base_eager 0 "$probe"
expect "eager off everywhere: no table" printed "no table"
expect "eager off everywhere: silence" test "$out" = "no table"

run -np 1 "$probe" : -np 2 "${hook[@]}" "$probe"
expect "hook at some processes only: one warning" printed_once "HiTopo is not in all processes of this job"

out=$(LD_PRELOAD="$preload" timeout 300 "$probe" 2>&1 </dev/null)
status=$?
expect "without mpirun" has_rows 1
