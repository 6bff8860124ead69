#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# find_package(HiTopo) of CMake: examples/cmake builds and runs, also with HiTopo moved elsewhere and when installed; versions
# and components that are not there are refused.
. "$(dirname "$0")/../mpi/common.sh"
command -v cmake >/dev/null || { echo "ok - cmake # SKIP no cmake"; exit; }
[ -z "$in_tree" ] || { echo "ok - cmake # SKIP it is of HiTopo out of the tree"; exit; }

cp -r "$source_root/examples" "$scratch"
with_fortran=OFF
[ ! -e "$HITOPO_PREFIX/include/hitopo/hitopo_f08.mod" ] || with_fortran=ON
[ $with_fortran = ON ] || echo "ok - cmake, Fortran # SKIP HiTopo was configured without it"

# build NAME PREFIX: examples/cmake with the HiTopo there.
build() {
    capture cmake -S "$scratch/examples/cmake" -B "$scratch/$1" -DCMAKE_PREFIX_PATH="$2" -DWITH_FORTRAN=$with_fortran \
        -DCMAKE_INSTALL_PREFIX="$scratch/$1.installed" -DCMAKE_C_FLAGS="-Wall -Wextra -Werror -Wno-deprecated-declarations"
    expect "$1: CMake finds HiTopo" succeeded
    capture cmake --build "$scratch/$1"
    expect "$1: the examples build" succeeded
}

# needs PROGRAM LIBRARY: it is linked with that one, in the folder $prefix.
needs() { ldd "$1" | grep -qF "$2.so.0 => $prefix/lib/hitopo/$2.so.0"; }

run_all() {
    local name=$1 prefix=$2
    run -np 3 "$scratch/$name/reduce_levels" levels 2
    expect "$name: HiTopo::hitopo" printed 'as MPI_Reduce'
    expect "$name: HiTopo::hitopo is this one" needs "$scratch/$name/reduce_levels" libmpi_hitopo
    run -np 4 "$scratch/$name/ring" "my ring"
    expect "$name: HiTopo::prof" printed 'communicators: 40 of 48 messages'
    expect "$name: HiTopo::prof is this one" needs "$scratch/$name/ring" libhitopo_prof
    run -np 4 -x LD_PRELOAD="$prefix/lib/hitopo/libmpi_hitopo.so.0" "$scratch/$name/steps"
    expect "$name: HiTopo::component" printed 'distance 1: the farthest message'
    [ $with_fortran = ON ] || return 0
    run -np 2 "$scratch/$name/split_f08"
    expect "$name: HiTopo::fortran" printed ' steps'
    expect "$name: HiTopo::fortran keeps the library" needs "$scratch/$name/split_f08" libmpi_hitopo
}

cd "$scratch" || exit 1
build here "$HITOPO_PREFIX"
run_all here "$HITOPO_PREFIX"

capture cmake --install "$scratch/here"
prefix=$HITOPO_PREFIX
run -np 3 "$scratch/here.installed/bin/reduce_levels" levels 2
expect "an installed program finds HiTopo" printed 'as MPI_Reduce'

# No file of the moved one may name the place where it was: that is not there for others.
mkdir "$scratch/moved"
cp -a "$HITOPO_PREFIX/." "$scratch/moved"
build moved-build "$scratch/moved"
run_all moved-build "$scratch/moved"
expect "nothing of the other place" test "$(grep -rlF "$HITOPO_PREFIX" "$scratch/moved-build" --include='*.make' --include='link.txt' | wc -l)" = 0

# A link to it is no move.
ln -s "$HITOPO_PREFIX" "$scratch/linked"
build linked-build "$scratch/linked"
prefix=$HITOPO_PREFIX
expect "through a link: where it was installed" needs "$scratch/linked-build/reduce_levels" libmpi_hitopo

# asks FIND-PACKAGE-ARGUMENTS: a project that does nothing else.
asks() {
    rm -rf "$scratch/asks" && mkdir "$scratch/asks"
    printf '%s\n' 'cmake_minimum_required(VERSION 3.13)' 'project(asks NONE)' "find_package(HiTopo $1)" \
        'message("found: ${HiTopo_FOUND} ${HiTopo_VERSION} in ${HiTopo_LIBRARY_DIR} and ${HiTopo_DATA_DIR}")' \
        >"$scratch/asks/CMakeLists.txt"
    capture cmake -S "$scratch/asks" -B "$scratch/asks/build" -DCMAKE_PREFIX_PATH="$HITOPO_PREFIX"
}
version=$(PKG_CONFIG_PATH=$HITOPO_PREFIX/lib/pkgconfig pkg-config --modversion hitopo)
for asked in "" "${version%.*}" "$version" "$version EXACT" "REQUIRED COMPONENTS hitopo prof component"; do
    asks "$asked"
    expect "find_package(HiTopo $asked)" printed "found: 1 $version in $HITOPO_PREFIX/lib/hitopo and $HITOPO_PREFIX/share/hitopo"
done
refused() { grep -qF -- "$1" <<<"$out"; }
for asked in 99 99.1 "0.99" "${version%.*}.99"; do
    asks "$asked"
    expect "find_package(HiTopo $asked) is refused" refused "found: 0 "
done
asks "REQUIRED COMPONENTS rust"
expect "a component that is none is named" refused "it has no component rust"
