#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The recipes for Spack and EasyBuild, run with stand-ins for these two (recipes.py): configure knows each option that they give
# it, each library that configure looks for is among their dependencies, and what EasyBuild looks for is installed.
. "$(dirname "$0")/../mpi/common.sh"
[ -z "$in_tree" ] || { echo "ok - recipes # SKIP they are of HiTopo out of the tree"; exit; }

recipe() { capture python3 "$here/recipes.py" "$source_root" "$@"; }

# knows_options: configure refuses none of those in $out.
knows_options() {
    local options
    mapfile -t options < <(grep '^--' <<<"$out")
    [ ${#options[@]} -gt 3 ] && "$source_root/configure" --enable-option-checking=fatal "${options[@]}" --help >/dev/null
}
has_line() { [ "$status" = 0 ] && grep -qxF -- "$1" <<<"$out"; }
has_no_line() { [ "$status" = 0 ] && ! grep -qE -- "$1" <<<"$out"; }

capture "$source_root/configure" --enable-option-checking=fatal --with-nonsense --help
expect "configure refuses an option that it does not know" test "$status" != 0

recipe spack
expect "Spack: configure knows the options" knows_options
expect "Spack: HITOPO_ROOT is set" has_line "set HITOPO_ROOT /hitopo"
expect "Spack: InfiniBand is on" has_line "--with-ibverbs=/rdma-core"
recipe spack +slurm_library '~infiniband' '~profiler' '~fortran'
expect "Spack, other variants: configure knows the options" knows_options
for option in --with-slurm=/slurm --without-ibverbs --disable-profiler --disable-fortran; do
    expect "Spack, other variants: $option" has_line $option
done
recipe spack '~slurm'
expect "Spack without Slurm" has_line --without-slurm
recipe spack-openmpi
expect "Spack's Open MPI gets its internal headers" has_line --with-devel-headers
expect "Spack's Open MPI keeps its other options" has_line --builtin

recipe easybuild
expect "EasyBuild: configure knows the options" knows_options
while read -r what name; do
    case $what in
    file) expect "EasyBuild: $name is installed" test -f "$HITOPO_PREFIX/$name" ;;
    folder) expect "EasyBuild: $name is installed" test -d "$HITOPO_PREFIX/$name" ;;
    esac
done <<<"$out"

# Each thing that configure looks for, by its macro's file: what Spack and EasyBuild call it. `-`: only tests want it, or it is
# configure's own; EasyBuild leaves InfiniBand and Slurm to the machine.
recipe names
while read -r macro spack easybuild; do
    [ "$spack" = - ] || expect "Spack depends on $spack" has_line "spack $spack"
    [ "$easybuild" = - ] || expect "EasyBuild depends on $easybuild" has_line "easybuild $easybuild"
    echo "$macro" >>"$scratch/macros"
done <<'END'
benchmark - -
command cli11 CLI11
command fmt fmt
fortran fortran -
gtest - -
hwloc hwloc hwloc
ibumad rdma-core -
ibverbs rdma-core -
nlohmann_json nlohmann-json nlohmann_json
ompi openmpi -
package - -
pmix pmix PMIx
slurm slurm -
yaml_cpp yaml-cpp yaml-cpp
END
(cd "$source_root/config" && ls hitopo_check_*.m4) | sed 's/^hitopo_check_//; s/\.m4$//' >"$scratch/known"
out=$(comm -3 <(sort -u "$scratch/macros") <(sort -u "$scratch/known"))
expect "nothing else is looked for" test -z "$out"
