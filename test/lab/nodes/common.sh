# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For up, run, down and measure: the lab of many nodes. Each node is a set of namespaces (network, host name, IPC,
# processes, mounts) with its own /dev/shm and /tmp. One more, the head, holds the bridges that play the
# switches, and mpirun. The nodes' processes live inside the head's process namespace, so when its first
# process dies the kernel ends and removes all: one process to end.
. "$(dirname "$0")/../common.sh"
PATH=$PATH:/usr/sbin:/sbin

# What nsenter needs to be in the namespaces of the `unshare` with process $1 ($2 in front of /proc).
namespaces() { echo "-t $1 -n -u -m -i --pid=/proc/$1/ns/pid_for_children"; }

# Of the process that is recorded in file $1: it lives, and is not another one that got its number since.
is_alive() {
    local pid started
    read -r pid started 2>/dev/null <"$1" && [ "$started" = "$(start_time "$pid")" ]
}
start_time() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }

is_up() { is_alive "$lab/head.pid"; }

in_head() {
    local head
    read -r head _ <"$lab/head.pid"
    nsenter $(namespaces "$head") -- "$@"
}

# on_node NAME COMMAND...
on_node() { in_head "$here/remote" "$@"; }

# end_node NAME: as if its power failed.
end_node() { in_head sh -c 'kill -9 "$(cut -d" " -f1 "$0")"' "$lab/$1.pid"; }

# The words of the cluster's lines `node`, or another kind.
lines_of() { awk -v kind="$1" '$1 == kind' "$lab/cluster"; }
