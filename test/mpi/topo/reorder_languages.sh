#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Grids and graphs with reorder = 1 in Fortran and Python get the ranks that they get in C.
. "$(dirname "$0")/../common.sh"
echo 'shape island:2 switch:2 node:2 ranks:4' >"$scratch/job.map"
ordered() {
    preloaded -np 32 --bind-to none --mca hitopo_file_path "$scratch/job.map" --mca topo_hitopo_reorder on "$@"
}
ranks() { sed -n 's/^cart: //p' <<<"$out"; }

ordered "$HITOPO_TEST_PROGRAMS/reorder" cart 8x4
in_c=$(ranks)
expect "C" test -n "$in_c"

same() { [ "$status" = 0 ] && [ "$(ranks)" = "$in_c" ] && [ "$(grep -o right <<<"$out" | wc -l)" = 32 ]; }

if command -v mpifort >/dev/null && capture mpifort "$here/reorder_languages.f90" -o "$scratch/program" && [ "$status" = 0 ]; then
    ordered "$scratch/program"
    expect "Fortran" same
else
    echo "ok - Fortran # SKIP no mpifort with module mpi"
fi
if has_mpi4py; then
    ordered "$python" "$here/reorder_languages.py"
    expect "mpi4py" same
else
    echo "ok - mpi4py # SKIP none of Open MPI $ompi_version"
fi
