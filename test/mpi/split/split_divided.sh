#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# One machine that Open MPI takes for two nodes, as two containers of one host can be: SHARED is divided further, so
# that nobody opens shared memory which Open MPI would not; all else goes by the machine.
. "$(dirname "$0")/../common.sh"
case $ompi_version in
4.*) ;;
*) echo "ok - nodes that are one machine # SKIP mpirun $ompi_version takes them for one"; exit ;;
esac
sizes=$HITOPO_TEST_PROGRAMS/split_sizes

# As rsh is called: options, a host, a command. A folder of its own for each daemon, as a container has.
cat >"$scratch/rsh" <<'SH'
#!/bin/sh
while case $1 in -*) true ;; *) false ;; esac; do shift; done
export TMPDIR=$(mktemp -d "${0%/*}/$1.XXXXXX")
shift
exec sh -c "$*"
SH
chmod +x "$scratch/rsh"

# on_nodes HOSTS ARG...: not over shared memory, whose names would be those of the other node's too.
on_nodes() {
    preloaded --host "$1" --mca plm_rsh_agent "$scratch/rsh" --mca btl self,tcp --mca btl_tcp_if_include lo \
        --mca oob_tcp_if_include lo --mca rtc ^hwloc "${@:2}"
}
# mpirun has something to say of such nodes now and then.
gives() { [ "$status" = 0 ] && [ "$(grep -E '^[A-Za-z_@1:0]+: [0-9 ]+$' <<<"$out")" = "$(printf '%s\n' "$@")" ]; }

on_nodes nodea:2,nodeb:2 -np 4 "$sizes" type:0 mpi_shared_memory Machine host
expect "two processes each" gives "type:0: 2 2 2 2" "mpi_shared_memory: 2 2 2 2" "Machine: 4 4 4 4" "host: 4 4 4 4"
on_nodes nodea:1,nodeb:3 -np 4 "$sizes" type:0
expect "one and three" gives "type:0: 1 3 3 3"
on_nodes nodea:1,nodeb:2,nodec:1 -np 4 --map-by node "$sizes" type:0
expect "three nodes, in turn" gives "type:0: 1 2 1 2"
on_nodes nodea:2,nodeb:2 -np 4 "$sizes" mpi_shared_memory@1
expect "without one process" gives "mpi_shared_memory@1: 1 0 2 2"
on_nodes nodea:2,nodeb:2 -np 4 "$sizes" mpi_shared_memory,core
expect "two types at once: nobody has any" printed "mpi_shared_memory,core: 0 0 0 0"
