#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# valgrind finds no lost block with a HiTopo frame, nor an error in the profiler or in the loader, which reads our RUNPATH. Left out: blocks that Open MPI or PMIx lose inside
# their own initialisation, which they lose without us too and which stand below our MPI_Init.
. "$(dirname "$0")/../common.sh"

if ! command -v valgrind >/dev/null; then
    echo "ok - lost blocks # SKIP valgrind is not installed"
    exit
fi
cat >"$scratch/initialisation.supp" <<'SUPPRESSIONS'
{
   lost inside MPI_Init
   Memcheck:Leak
   ...
   fun:ompi_mpi_init
   ...
}
{
   lost inside PMIx_Init
   Memcheck:Leak
   ...
   fun:PMIx_Init
   ...
}
{
   PMIx 7.0.0rc1, docs/upstream.md, 51
   Memcheck:Cond
   fun:pmix_bfrops_base_value_unload
   ...
   fun:ompi_mpi_init
   ...
}
SUPPRESSIONS
export HITOPO_TEST_NUM_COMMS=100
loses_nothing() { # PROGRAM
    local program=$1
    rm -f "$scratch"/log.*
    run -np 2 valgrind --leak-check=full --show-leak-kinds=definite,indirect --num-callers=40 \
        --suppressions="$scratch/initialisation.supp" --log-file="$scratch/log.%p" \
        "$HITOPO_TEST_PROGRAMS/$program"
    expect "$program runs under valgrind" succeeded
    # A record is a paragraph whose first line says "lost in loss record". Of a library the name, not the folder, which may be ours.
    out=$(sed 's/^==[0-9]*== *//; s| (in .*/| (in |' "$scratch"/log.* |
        awk -v RS= '/lost in loss record/ && /hitopo/ || /Invalid read/ && /decompose_rpath/')
    expect "$program: no lost block with a HiTopo frame, no error of the loader" test -z "$out"
}
loses_nothing lifetime_test
is_quick && exit

for program in split_rules_test split_lifetime_test; do
    loses_nothing $program
done

# Errors too, in whatever the profiler calls or reads; but for HiTopo's own begin, which is judged above.
profiler=$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so
windows=()
[[ $ompi_version != 4.* ]] || windows=(--mca osc ^rdma) # as in profile_common.sh
for program in profile_random profile_requests; do
    rm -f "$scratch"/log.*
    run -np 4 -x LD_PRELOAD="$profiler" "${windows[@]}" \
        --mca hitopo_prof_report "$scratch/report.json" --mca hitopo_base_eager 0 \
        valgrind --leak-check=full --show-leak-kinds=definite,indirect --num-callers=40 \
        --suppressions="$scratch/initialisation.supp" --log-file="$scratch/log.%p" \
        "$HITOPO_TEST_PROGRAMS/$program" "$scratch"
    expect "$program runs under valgrind with the profiler" succeeded
    out=$(sed 's/^==[0-9]*== *//' "$scratch"/log.* |
        awk -v RS= '/lost in loss record|Invalid|uninitialised|overlap/ && /hitopo::profile|hitopo_profile/ && !/enter_init/')
    expect "$program: no error and no lost block with a frame of the profiler" test -z "$out"
done
