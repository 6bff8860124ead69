#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# examples/coll compiles against the installed header as its README says, broadcasts right, and sends
# one message into each node.
. "$(dirname "$0")/../common.sh"

mkdir "$scratch/components"
export PKG_CONFIG_PATH=$HITOPO_PREFIX/lib/pkgconfig
capture mpicc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC "$source_root/examples/coll/coll_levels.c" \
    -o "$scratch/components/mca_coll_levels.so" $(pkg-config --cflags --libs hitopo-component)
expect "the example compiles against the installed header" succeeded

printf '#include "ompi/mca/hitopo/hitopo.h"\n' >"$scratch/plus.cc"
capture mpicxx -fsyntax-only "$scratch/plus.cc" $(pkg-config --cflags hitopo-component)
expect "C++ hears once why the header is C" test "$(grep -c 'error: .*mpiext_hitopo_c\.h' <<<"$out")/$(grep -c 'error:' <<<"$out")" = 1/1

with_example=("$with_components" "$scratch/components" env OMPI_MCA_coll_base_verbose=10)
simulated=(--bind-to none --mca hitopo_file_path "$maps/two-islands.map"
    --mca hitopo_hwloc_topology "pack:2 core:2 pu:1" --mca hitopo_hwloc_binding core)

preloaded -np 8 "${simulated[@]}" "${with_example[@]}" "$HITOPO_TEST_PROGRAMS/bcast"
expect "every root's broadcast arrives" succeeded
# Ranks 0-3 and 4-7 are two nodes of one switch: addresses differ from the fourth level on, and each of
# the 8 broadcasts of the world, and 4 of each half, crosses once.
expect "one message between the nodes" test "$(grep -c 'levels: .* over 5 levels' <<<"$out")" = 16

preloaded -np 4 --mca hitopo_base_eager 0 "${with_example[@]}" "$HITOPO_TEST_PROGRAMS/bcast"
expect "without a table the next component serves" test "$status/$(grep -c 'levels: .* sends' <<<"$out")" = 0/0
