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
expect "the node's number" printed "PMIX_NODEID is 17"

launched "groups switches" hitopo show
expect "groups and switches fill the levels" from pmix pmix
expect "groups and switches name the levels" named 12 s3,s12

launched coordinates hitopo show --why
expect "coordinates without a meaning fill nothing" from - -
expect "coordinates without a meaning: why" printed "coordinate 4.1.0 of fab0"

launched coordinates OMPI_MCA_hitopo_pmix_dimensions=island,-,switch hitopo show
expect "coordinates that differ within the node: the island" from pmix -
expect "coordinates that differ within the node: its name" named 4 -

launched coordinates OMPI_MCA_hitopo_pmix_dimensions=switch,-,- hitopo show
expect "coordinates by hitopo_pmix_dimensions" from - pmix

launched coordinates OMPI_MCA_hitopo_pmix_dimensions=island,switch hitopo show
expect "too few dimensions: one message" printed_once "hitopo_pmix_dimensions has 2 words for 3 dimensions"

launched "groups" OMPI_MCA_hitopo_pmix_dimensions=rack hitopo show
expect "a malformed variable: one message" printed_once "in hitopo_pmix_dimensions, column 1"
expect "a malformed variable costs the coordinates only" from pmix -

unset JSM_JSRUN_PORT
run -np 2 "$HITOPO_PREFIX/bin/hitopo" show --why
expect "mpirun tells of no fabric: why" printed "PMIx has no switch information"
expect "mpirun tells of no fabric: no level changes" from - -
