# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For up, run, down and measure: the lab of many nodes. Each node is a set of namespaces (network, host name, IPC,
# processes, mounts) with its own /dev/shm and /tmp. One more, the head, holds the bridges that play the
# switches, and mpirun. The nodes' processes live inside the head's process namespace, so when its first
# process dies the kernel ends and removes all: one process to end.
. "$(dirname "$0")/../common.sh"
PATH=$PATH:/usr/sbin:/sbin

is_up() { recorded "$lab/head.pid" >/dev/null; }

in_head() {
    local head
    head=$(recorded "$lab/head.pid") &&
        nsenter -t "$head" -n -u -m -i --pid="/proc/$head/ns/pid_for_children" -- "$@"
}

# on_node NAME COMMAND...
on_node() { in_head "$here/remote" "$@"; }

# end_node NAME: as if its power failed.
end_node() { in_head sh -c "kill -9 $(<"$lab/$1.pid")"; }

# The words of the cluster's lines `node`, or another kind.
lines_of() { awk -v kind="$1" '$1 == kind' "$lab/cluster"; }
