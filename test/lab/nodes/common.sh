# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For up, run, down and measure: the lab of many nodes. Each node is a set of namespaces (network, host name, IPC,
# processes, mounts) with its own /dev/shm and /tmp. One more, the head, holds the bridges that play the
# switches, and mpirun. The nodes' processes live inside the head's process namespace, so when its first
# process dies the kernel ends and removes all: one process to end.
. "$(dirname "$0")/../common.sh"
PATH=$PATH:/usr/sbin:/sbin

is_up() { recorded "$lab/head.pid" >/dev/null; }

# With its root: a mount namespace alone would lead out of a chroot.
in_head() {
    local head
    head=$(recorded "$lab/head.pid") &&
        nsenter -t "$head" -n -u -m -i -r -w --pid="/proc/$head/ns/pid_for_children" -- "$@"
}

# on_node NAME COMMAND...
on_node() { in_head "$here/remote" "$@"; }

# end_node NAME: as if its power failed.
end_node() { in_head sh -c "kill -9 $(<"$lab/$1.pid")"; }

# The words of the cluster's lines `node`, or another kind.
lines_of() { awk -v kind="$1" '$1 == kind' "$lab/cluster"; }

# Reads numbers, one a line.
median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# Options of a job whose messages count_messages is to count.
counting=(--mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3
    --mca pml_monitoring_filename "$lab/profile/p")

# All of the last job's messages, those between nodes and those between switches (pml/monitoring, which writes a line
# for each peer: kind, rank, peer, bytes, messages).
count_messages() {
    lines_of node | awk '{ for (i = 0; i < $5; ++i) print "rank", n++, $2, $3 }' | cat - "$lab"/profile/p.*.prof | awk '
        $1 == "rank" { node[$2] = $3; leaf[$2] = $4 }
        $1 == "I" || $1 == "E" {
            for (i = 1; i <= NF; ++i) if ($i ~ /^msgs/) {
                all += $(i - 1)
                nodes += node[$2] != node[$3] ? $(i - 1) : 0
                leaves += leaf[$2] != leaf[$3] ? $(i - 1) : 0
            }
        }
        END { print all + 0, nodes + 0, leaves + 0 }'
    rm -rf "$lab/profile"
    mkdir "$lab/profile"
}
