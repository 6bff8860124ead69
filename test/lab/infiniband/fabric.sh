# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What up, run and down of this lab share. A fabric is a listing that test/fixtures/fabrics/fat_tree.py
# printed, simulated by ibsim and brought up by opensm. ibsim takes 10 processes, so several play the same
# fabric, one for every 8 ranks. A node is a host name of its own on this machine (agent); its ranks see
# the port of the host in the fabric that has that name.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
fat_tree=$source_root/test/fixtures/fabrics/fat_tree.py
listing=$lab/fabric.ibnetdiscover
umad2sim=$(echo /usr/lib/*/umad2sim/libumad2sim.so)
verbs=$lab/verbs.so
socket=hitopo-$$
export LAB_STATE=$lab
ranks_of_server=8

need_lab() {
    need ibsim ibsim-utils opensm opensm unshare util-linux mpirun openmpi-bin mpicc libopenmpi-dev python3 python3
    [ -e "$umad2sim" ] || skip_lab "no libumad2sim.so (package ibsim-utils)"
    timeout 5 unshare --uts true || skip_lab "may not make UTS namespaces"
}

build_verbs() {
    mkdir -p "$lab/work"
    [ "$verbs" -nt "$here/verbs.c" ] ||
        gcc -std=gnu11 -O2 -Wall -Wextra -Werror -shared -fPIC "$here/verbs.c" -o "$verbs" -ldl
}

# started NAME COMMAND...: in the background, its record and output below $lab.
started() {
    local name=$1
    shift
    (cd "$lab/work" && exec setsid "$@") </dev/null >"$lab/$name.log" 2>&1 &
    record $! "$lab/$name.pid"
}

# as_host SERVER HOST COMMAND...
as_host() { SIM_HOST="$2 mlx5_0" IBSIM_SOCKNAME=$socket-$1 LD_PRELOAD=$umad2sim timeout 10 "${@:3}"; }

is_ready() { grep -q "simulator ready" "$lab/ibsim-$1.log"; }
is_active() { (cd "$lab/work" && as_host "$1" "$2" ibstat 2>/dev/null | grep -q 'State: Active'); }

# start_server NUMBER HOST: with opensm at that host, unless LAB_NO_SM is set.
start_server() {
    IBSIM_SOCKNAME=$socket-$1 started "ibsim-$1" ibsim -s -n "$listing"
    await 60 is_ready "$1" || return
    [ -z "${LAB_NO_SM-}" ] || return 0
    mkdir -p "$lab/opensm-$1"
    SIM_HOST="$2 mlx5_0" IBSIM_SOCKNAME=$socket-$1 LD_PRELOAD=$umad2sim OSM_TMP_DIR=$lab/opensm-$1 \
        OSM_CACHE_DIR=$lab/opensm-$1 started "opensm-$1" opensm -f "$lab/opensm-$1/opensm.log"
    await 60 is_active "$1" "$2"
}

# start_fabric RANKS-OF-A-HOST "FAT-TREE-ARGUMENTS" HOST...: nodes of those names, in the order of ranks.
start_fabric() {
    local ranks=$1 server=-1 host i=0
    python3 "$fat_tree" $2 >"$listing"
    shift 2
    : >"$lab/hosts"
    for host; do
        if [ $((i * ranks % ranks_of_server)) = 0 ]; then
            start_server $((++server)) "$host" || return
        fi
        echo "$host $socket-$server" >>"$lab/hosts"
        i=$((i + 1))
    done
}

# A job that is told to end is killed after 5 s (run); its daemons end by themselves once mpirun has.
stop_fabric() {
    local ours=("$lab"/job.pid "$lab"/{opensm,ibsim}-*.pid)
    signal_recorded CONT "$lab"/{ibsim,opensm}-*.pid
    signal_recorded TERM "${ours[@]}"
    await 7 are_over "${ours[@]}" || signal_recorded KILL "${ours[@]}"
    await 60 is_deserted
    rm -rf "$lab"/{job.pid,ibsim-*,opensm-*,hosts} "$listing"
}

is_deserted() { ! grep -qsF "$lab/work" /proc/[0-9]*/{cmdline,environ}; }

# Options of an mpirun that starts a node for each line of hosts, RANKS-OF-A-HOST on each.
node_options() {
    local hosts count
    hosts=$(sed "s/ .*/:$1/" "$lab/hosts" | paste -sd,)
    count=$(($(wc -l <"$lab/hosts") * $1))
    printf '%s\n' --mca plm_rsh_agent "$here/agent" --mca plm_rsh_no_tree_spawn 1 \
        --mca oob_tcp_if_include lo --mca btl_tcp_if_include lo --mca pml ob1 --mca btl self,vader,tcp \
        --mca orte_tmpdir_base "$lab/work" --bind-to none --wdir "$lab/work" --map-by slot -np "$count" --host "$hosts"
}
