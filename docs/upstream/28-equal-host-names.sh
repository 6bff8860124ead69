#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# As root, with HiTopo built by ./check: docs/upstream/28-equal-host-names.sh; nodes of 2 and 1 processes, one name.
# MPI_COMM_TYPE_SHARED gives 2, 2 and 3 processes; split_sizes splits with key = rank, and hangs.
cd "$(dirname "$0")/../.." || exit
printf '%s\n' 'machine one pack:1 [numa] core:4 pu:1' 'node a s one 2 host=a' 'node b s one 1 host=a' >/tmp/two.cluster
trap test/lab/nodes/down EXIT
test/lab/nodes/up /tmp/two.cluster &&
    JOB_SECONDS=60 test/lab/nodes/job -np 3 "$PWD/build/check/gcc/mpi/split_sizes" type:0
