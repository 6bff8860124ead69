#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Jobs of several daemons of PRRTE's, each on a node that is a host name of its own: the
# presence check and the exchange; who lacks HiTopo on a node, or is killed there; nodes without a way between
# them; a launch as `hitopo order` says. With Open MPI 4.1 the lab of nodes has such jobs (test/lab/nodes).
. "$(dirname "$0")/../common.sh"

case $ompi_version in
4.*) echo "ok - several daemons # SKIP with Open MPI $ompi_version they are in the lab of nodes"; exit ;;
esac
[ -z "$in_tree" ] || { echo "ok - several daemons # SKIP the shims know libraries of HiTopo's own"; exit; }
unshare -u true 2>/dev/null || { echo "ok - several daemons # SKIP this user may make no host names"; exit; }
for name in count_lookups stop; do
    build_shim $name "$scratch/$name.so" || exit
done

# Starts a daemon: agent [OPTION...] HOST COMMAND... One can stay when mpirun ended (docs/upstream.md, 52), and `run` would wait
# for its output.
cat >"$scratch/agent" <<END
#!/bin/bash
while [[ \$1 = -* ]]; do shift; done
host=\$1
shift
export TMPDIR=$scratch/\$host
mkdir -p "\$TMPDIR"
exec unshare -u bash -c "hostname \$host; \$*" >>"\$TMPDIR/log" 2>&1
END
chmod +x "$scratch/agent"
# Those that stayed: their command lines name this agent, which is nobody else's.
end_daemons() {
    local file
    for file in /proc/[0-9]*/cmdline; do
        if tr '\0' '\n' <"$file" | grep -qxF "$scratch/agent"; then kill -9 "${file//[!0-9]/}"; fi
    done 2>/dev/null
}
trap 'end_daemons; rm -rf "$scratch"' EXIT

# launch OPTION... PROGRAM: a job by daemons; `on HOSTS ..` one on those, "n1:2,n2:3".
launch() { run --prtemca plm_ssh_agent "$scratch/agent" --prtemca prte_do_not_resolve 1 --bind-to none "${way[@]}" "$@"; }
on() { launch --host "$@"; }
counted=(-x LD_PRELOAD="$scratch/count_lookups.so:$preload")

way=(--mca pml ob1 --mca btl self,sm)
on n1:2,n2:2,n3:2 -np 6 "${counted[@]}" "$probe"
expect "no way between two nodes: the job ends" test "$status" != 0 -a "$status" != 124
expect "no way between two nodes: it says so" grep -qF "HiTopo could not send to rank" <<<"$out"

# btl/tcp of 6.0 connects no two nodes that have one network address, and UCX does.
way=()
if [[ $ompi_version = 6.* ]]; then
    way=(--mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any --mca osc ^ucx
        -x UCX_TLS=tcp,self,sm -x UCX_NET_DEVICES=lo)
    ompi_info --parsable | grep -q '^mca:pml:ucx:' || { echo "ok - several daemons # SKIP this Open MPI has no UCX"; exit; }
fi

rows() { grep -E '^(-?[0-9]+\.){7}-?[0-9]+$' <<<"$out"; }
lookups() { sed -nE "s/^look-ups: rank $1: ([0-9]+) of hitopo.*/\1/p" <<<"$out"; }
# NODES RANK: on those nodes; that member looks up its leader and two others a round.
has_few_look_ups() { [ "$status" = 0 ] && [ "$(rows | cut -d. -f4 | xargs)" = "$1" ] && [ "$(lookups "$2")" -le 7 ]; }

on n1:2,n2:2,n3:2 -np 6 "${counted[@]}" "$probe"
expect "three nodes by slot: few look-ups" has_few_look_ups "0 0 1 1 2 2" 5
on n1:3,n2:3,n3:3 -np 8 --map-by node "${counted[@]}" "$probe"
expect "three nodes by rank: few look-ups" has_few_look_ups "0 1 2 0 1 2 0 1" 7
on n1:1,n2:4,n3:1,n4:2 -np 8 "${counted[@]}" "$probe"
expect "nodes of all sizes: few look-ups" has_few_look_ups "0 1 1 1 1 2 3 3" 4
on "$(hostname):2,n2:2" -np 4 "${counted[@]}" "$probe"
expect "mpirun's own node is one: few look-ups" has_few_look_ups "$(if [[ $(hostname) < n2 ]]; then echo "0 0 1 1"; else echo "1 1 0 0"; fi)" 3

# without RANK: it lacks HiTopo.
without() {
    cat >"$scratch/without" <<END
#!/bin/sh
[ \$OMPI_COMM_WORLD_RANK = $1 ] || export LD_PRELOAD=$preload
exec "$probe"
END
    chmod +x "$scratch/without"
    on n1:2,n2:2,n3:2 -np 6 "$scratch/without"
}
for rank in 0 2 5; do
    without $rank
    expect "rank $rank is without HiTopo: no table" printed "no table"
    expect "rank $rank is without HiTopo: one message" printed_once "HiTopo is not in all processes of this job"
    expect "rank $rank is without HiTopo: who is" printed "rank $rank"
done

# ends MOMENT RANK: it is killed there, and the job ends with it.
ends() {
    rm -f "$scratch"/fault.*
    on_stopped "$1" "$2" >"$scratch/fault.out" &
    kill_at_stop "$scratch/fault" $!
    wait $!
    out=$(cat "$scratch/fault.out")
    expect "rank $2 is killed at its $1: the job ends" grep -qx "ended [1-9][0-9]*" "$scratch/fault.out"
}
on_stopped() {
    on n1:2,n2:2,n3:2 -np 6 -x LD_PRELOAD="$scratch/stop.so:$preload" -x FAULT_AT="$1" -x FAULT_RANK="$2" \
        -x FAULT_FILE="$scratch/fault" "$probe"
    printf '%s\nended %s\n' "$out" "$([ "$status" = 124 ] || echo "$status")"
}
# Six processes make three rounds of the check, the leaders of three nodes two of the exchange, then come their members.
ends look-up-2 2
ends message-2 2
ends message-3 4
ends message-5 2
ends message-6 2
ends message-4 3

# ---- a launch as hitopo order says ----

# in_sequence NAME FILE: a job whose ranks are on the hosts of its lines; its profile is NAME.json.
in_sequence() {
    launch --hostfile "$2" --map-by seq -np 8 -x LD_PRELOAD="$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so" \
        --mca hitopo_prof_report "$scratch/$1.json" "$HITOPO_TEST_PROGRAMS/order_halo" 1:65536
}
judge=$source_root/profiler/test/mpi/order/order_check.py
printf 'n%d\n' 1 4 3 2 1 4 3 2 >"$scratch/dealt"
in_sequence dealt "$scratch/dealt"
expect "order: a job in any sequence of hosts" succeeded
capture hitopo order "$scratch/dealt.json" --format hostfile --launcher 5.0 --output "$scratch/sequence"
echo "$out" >"$scratch/said"
expect "order: it writes a hostfile" succeeded
in_sequence ordered "$scratch/sequence"
expect "order: ranks are where the hostfile says" test \
    "$status/$("$judge" hosts "$scratch/ordered.json")" = "0/$(cat "$scratch/sequence")"
expect "order: what it predicts is the second job's profile" test \
    "$("$judge" said "then" <"$scratch/said")" = "$("$judge" lanes "$scratch/ordered.json" outside)"
expect "order: less leaves the nodes" test "$("$judge" said "then" <"$scratch/said" | sed -n 's/^beyond //p')" -lt \
    "$("$judge" said now <"$scratch/said" | sed -n 's/^beyond //p')"
