#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Registered communicators from outside: a preloaded program, HiTopo without components or table, MPI sessions, and
# that registering sends nothing.
. "$(dirname "$0")/../common.sh"

registered=$HITOPO_TEST_PROGRAMS/registered
printed_twice() { [ "$status" = 0 ] && [ "$(grep -cxF -- "$1" <<<"$out")" = 2 ]; }

preloaded -np 2 "$registered" 0
expect "a preloaded program has registered nothing" printed_twice 'world 0 self 0'
preloaded -np 2 "$registered" 1
expect "and can register" printed_twice 'world 0 self 1'
preloaded -np 2 --mca hitopo ^all "$registered" 1
expect "registering without components" printed_twice 'world 0 self 1'
preloaded -np 1 --mca hitopo_base_eager 0 "$registered" 1
expect "registering in one process, without a table" printed 'world 0 self 1'

# Without memory a communicator is not registered, and the next time it is: the last two allocations are the registry's.
if [ -z "$in_tree" ] && build_shim fail_memory "$scratch/fail_memory.so"; then
    without_memory 0 1000000 1 -np 1 "$registered" 2
    num_allocations=$(allocations)
    for ((at = num_allocations - 1; at <= num_allocations; ++at)); do
        without_memory 0 $at 1 -np 1 "$registered" 2
        expect "allocation $at of $num_allocations fails: no end" test "$status" = 0
    done
fi

# A plug-in of a program, with functions that have the names of the registry's first life.
cat >"$scratch/plugin.c" <<'C'
int Comm_register(int a, int b) { return a + b; }
int Comm_unregister(void) { return 20; }
int Comm_is_registered(int a) { return a; }
int add_up(void) { return Comm_register(300, Comm_unregister() + Comm_is_registered(1)); }
C
cat >"$scratch/plugged.c" <<'C'
#include <mpi.h>
#include <stdio.h>

int add_up(void);

int main(void)
{
    MPI_Init(NULL, NULL);
    printf("the plug-in's own: %d\n", add_up());
    MPI_Finalize();
    return 0;
}
C
gcc -shared -fPIC "$scratch/plugin.c" -o "$scratch/libplugin.so" &&
    mpicc "$scratch/plugged.c" -o "$scratch/plugged" "$scratch/libplugin.so" || exit
for library in libmpi_hitopo libhitopo_prof; do
    run -np 1 -x LD_PRELOAD="$HITOPO_PREFIX/lib/hitopo/$library.so" --mca hitopo_prof_report "" "$scratch/plugged"
    expect "$library leaves a plug-in's own Comm_register alone" printed "the plug-in's own: 321"
done

case $ompi_version in
4.*) echo "ok - registering in MPI sessions # SKIP Open MPI $ompi_version has none" ;;
*)
    preloaded -np 1 "$registered" sessions
    expect "registering in two MPI sessions" printed_twice 'outside 1 before 0 after 1 freed 0'
    ;;
esac

counts_messages "counting messages" || exit 0

# sent NUM-TIMES: all messages of a run, MPI_Init's too, from lines "E|I from to bytes bytes messages ..".
sent() {
    rm -f "$scratch"/of.*
    preloaded -np 2 --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
        --mca pml_monitoring_filename "$scratch/of" "$registered" "$1"
    num_sent=$(cat "$scratch"/of.*.prof | awk '$1 == "E" || $1 == "I" { total += $6 } END { print total + 0 }')
}
sent 0
none=$num_sent
sent 1000
expect "the monitoring sees messages" test "$none" -gt 0
expect "registering 1000 times sends none" test "$none" = "$num_sent"
