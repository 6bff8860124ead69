#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Every split of random jobs is what the oracle says, and none reaches Open MPI's own function.
#     HITOPO_ORACLE_SEED   another seed than the usual one
#     HITOPO_ORACLE_CASES  other than 500 cases at 16 ranks; a tenth of them at each of the other sizes
# A mismatch prints its seed and case; to run case 17 of seed 5 alone:
#     mpirun -np 16 ... split_oracle_test 5 17 1 MACHINES SCRATCH
. "$(dirname "$0")/../common.sh"
seed=${HITOPO_ORACLE_SEED:-20260}
cases=${HITOPO_ORACLE_CASES:-500}
program=$scratch/split_oracle_test

# Position-independent everywhere, so that the counting library can be made by the same words. MPI's C++
# bindings do not compile without warnings.
compile() {
    capture mpicxx -std=c++17 -O1 -fPIC -Wall -Wextra -Werror -Wno-deprecated-declarations -DOMPI_SKIP_MPICXX \
        ${in_tree:+-DHITOPO_IN_TREE} -I"$HITOPO_PREFIX/include/hitopo" -I"$source_root" "$@"
}

sources=("$source_root/test/oracle/split_rules.cc")
for source in "$here"/split_*.cc; do
    [ "${source##*/}" = split_counter.cc ] || sources+=("$source")
done
compile -shared "$here/split_counter.cc" -o "$scratch/libsplit_counter.so" -ldl
expect "the counter compiles" succeeded
# The order of the libraries is that of their symbols.
compile "${sources[@]}" -o "$program" -L"$HITOPO_PREFIX/lib/hitopo" -L"$scratch" -lmpi_hitopo -lompi_hitopo \
    -lsplit_counter -Wl,-rpath,"$HITOPO_PREFIX/lib/hitopo:$scratch" $(pkg-config --cflags --libs hwloc) -ldl
expect "the oracle compiles" succeeded
succeeded || exit

# run_cases RANKS COUNT
run_cases() {
    capture timeout 1800 mpirun -np "$1" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 \
        --mca hitopo hwloc,file "$program" "$seed" 0 "$2" "$source_root/test/fixtures/machines" "$scratch" </dev/null
    grep '^seed .* compared' <<<"$out"
    expect "$2 cases of seed $seed at $1 ranks" succeeded
}

if is_quick; then
    run_cases 7 $(((cases + 4) / 5))
    exit
fi
run_cases 16 "$cases"
for ranks in 1 2 3 7; do
    run_cases "$ranks" $(((cases + 9) / 10))
done
