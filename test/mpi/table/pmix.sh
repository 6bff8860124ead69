#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Component pmix in jobs of a host environment that tells PMIx of its fabric (pmix_launch.c), and in those of
# mpirun, which does not.
. "$(dirname "$0")/../common.sh"

# Open MPI 4.1 takes a process for a job of its own unless it knows who started it; this makes it ask PMIx.
export JSM_JSRUN_PORT=1

# launched FABRIC VARIABLE=VALUE... COMMAND...: in 2 processes.
launched() {
    local fabric=$1
    shift
    capture timeout 300 env TMPDIR="$scratch" PMIX_LAUNCH_FABRIC="$fabric" OMPI_MCA_mpi_yield_when_idle=1 \
        "$HITOPO_TEST_PROGRAMS/pmix_launch" 2 env "$@" </dev/null
}

# from ISLAND SWITCH: which component fills them, "-" for none.
from() { [ "$status" = 0 ] && grep -qE "^from +- +$1 +$2 +hostname " <<<"$out"; }
# named ISLAND SWITCH: their names at both ranks.
named() { [ "$status" = 0 ] && [ "$(grep -cE "^ +[01] +0 - +0 $1 +0 $2 +0 " <<<"$out")" = 2 ]; }

launched "" hitopo show --why
expect "a launcher that tells of no fabric: nobody fills the levels" from - -
expect "a launcher that tells of no fabric: why" printed "PMIx has no fabric groups"

launched "groups switches" hitopo show
expect "groups and switches fill the levels" from pmix pmix
expect "groups and switches name the levels" named 12 s3,s12

unset JSM_JSRUN_PORT
run -np 2 "$HITOPO_PREFIX/bin/hitopo" show --why
expect "mpirun tells of no fabric: why" printed "PMIx has no switch information"
expect "mpirun tells of no fabric: no level changes" from - -
