#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# MPI_Get_hw_resource_info knows exactly the eight levels and the types that hwloc itself finds on this
# machine, and is true exactly where a process is bound within one of them.
. "$(dirname "$0")/../common.sh"

levels="hitopo://Cluster hitopo://Core hitopo://HWThread hitopo://Island hitopo://L2NUMA hitopo://Node hitopo://Socket
hitopo://Switch"

for binding in none core; do
    # mpirun 5.0.7 once lost what this program, which ends at once, had printed.
    run -np 1 --bind-to $binding sh -c '"$0"; sleep 0.3' "$HITOPO_TEST_PROGRAMS/hwloc_types"
    types=$(sort <<<"$out")
    expect "hwloc finds types (--bind-to $binding)" printed hwloc://Machine
    run -np 1 --bind-to $binding "$HITOPO_TEST_PROGRAMS/hw_resources"
    expect "the types are hwloc's (--bind-to $binding)" test "$(grep ^hwloc <<<"$out" | sort)" = "$types"
    expect "the levels are eight (--bind-to $binding)" \
        test "$(grep ^hitopo <<<"$out" | cut -d' ' -f1 | sort | xargs)" = "$(xargs <<<"$levels")"
    expect "true where a split gives a communicator (--bind-to $binding)" \
        test "$status/$(grep -c 'is not what' <<<"$out")" = 0/0
    case $ompi_version in
    4.*) echo "ok - before MPI_Init (--bind-to $binding) # SKIP Open MPI $ompi_version has no info objects there"; continue ;;
    esac
    late=$out
    run -np 1 --bind-to $binding "$HITOPO_TEST_PROGRAMS/hw_resources" early
    expect "the same before MPI_Init (--bind-to $binding)" test "$status/$(sort <<<"$out")" = "0/$(sort <<<"$late")"
done
