#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The Fortran interfaces: each function by mpif.h, use mpi and use mpi_f08, and by the names that other
# compilers give them; a program that is not linked with HiTopo.
. "$(dirname "$0")/../common.sh"

if ! command -v mpifort >/dev/null || ! [ -f "$HITOPO_PREFIX/include/hitopo/hitopo_f08.mod" ]; then
    echo "ok - fortran # SKIP no mpifort, or HiTopo was configured without one"
    exit 0
fi
export PKG_CONFIG_PATH=$HITOPO_PREFIX/lib/pkgconfig
read -ra flags < <(pkg-config --cflags --libs hitopo-fortran)
echo 'shape island:1 switch:1 node:2 ranks:4' >"$scratch/job.map"
job=(-np 8 --bind-to none --mca hitopo_file_path "$scratch/job.map"
    --mca hitopo_hwloc_topology "pack:2 numa:1 core:2 pu:1" --mca hitopo_hwloc_binding core)

# From 5.0 on, Open MPI has MPI_Info_get_string itself.
case $ompi_version in
4.*) own=() ;;
*) own=(-DWITH_OMPI_INFO_STRING) ;;
esac

# compile PROGRAM SOURCE FLAG...
compile() {
    capture mpifort -O1 -g -Wall -Wextra -Wno-unused-parameter -Werror "${@:3}" "$here/$2" -o "$scratch/$1" \
        "${flags[@]}"
}

# tested NAME FLAG...: compiles and runs fortran_test.F90.
tested() {
    compile "$1" fortran_test.F90 "${own[@]}" "${@:2}"
    expect "$1 compiles" succeeded
    run "${job[@]}" "$scratch/$1"
    expect "$1: each function" printed 'all as expected'
}

tested mpif.h -DWITH_MPIF -std=legacy
tested use-mpi -DWITH_MPI
tested use-mpi_f08 -DWITH_F08
tested two-underscores -DWITH_MPIF -std=legacy -fsecond-underscore
[ -z "$in_tree" ] || tested no-underscore -DWITH_MPIF -std=legacy -fno-underscoring

# As where the linker drops libraries whose functions the program itself does not call.
compile as-needed fortran_plain.f -Wl,--as-needed
run "${job[@]}" "$scratch/as-needed"
expect "hitopo-fortran.pc keeps the library" printed 'size           2'

flags=(-I"$HITOPO_PREFIX/include/hitopo")
compile plain fortran_plain.f
expect "fixed form compiles" succeeded
preloaded "${job[@]}" "$scratch/plain"
expect "a preloaded program's split arrives" printed 'size           2'
[ -z "$in_tree" ] || exit 0
run "${job[@]}" "$scratch/plain"
expect "Open MPI alone would not do it" test "$(grep -c 'size           2' <<<"$out")" = 0
