#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# valgrind finds no lost block with a HiTopo frame. Left out: blocks that Open MPI or PMIx lose inside
# their own initialisation, which they lose without us too and which stand below our MPI_Init.
. "$(dirname "$0")/common.sh"

if ! command -v valgrind >/dev/null; then
    echo "skip lost blocks: valgrind is not installed"
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
SUPPRESSIONS
export HITOPO_TEST_NUM_COMMS=100
for program in lifetime_test split_rules_test split_hierarchy_test registry_lifetime_test; do
    rm -f "$scratch"/log.*
    run -np 2 valgrind --leak-check=full --show-leak-kinds=definite,indirect --num-callers=40 \
        --suppressions="$scratch/initialisation.supp" --log-file="$scratch/log.%p" \
        "$HITOPO_TEST_PROGRAMS/$program"
    expect "$program runs under valgrind" succeeded
    # A record is a paragraph whose first line says "lost in loss record".
    out=$(sed 's/^==[0-9]*== *//' "$scratch"/log.* |
        awk -v RS= '/lost in loss record/ && /hitopo/')
    expect "$program: no lost block with a HiTopo frame" test -z "$out"
done
