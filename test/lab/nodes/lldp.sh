# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For run: component lldp on nodes with a real lldpd each, linked to switches that run one too, and nothing else that
# tells switches. The expected sizes are counted by hand:
#
#     n0 ens1 - a (pod1-leaf1)    n1 ens1 - a    n2 ens1 - b (pod1-leaf2)
#     n3 ens9 - storage, a host;  n3 ens10 - c (pod2-leaf1)    n4 ens1 - c

# Time enough for a busy machine.
lldp_options=(--mca hitopo_lldp_pattern 'pod{island}-*' --mca hitopo_lldp_timeout_ms 20000)

# start_lldp_box NAME HOST-NAME: what is no node: namespaces of its own in the head, with a socket of its own.
start_lldp_box() {
    (in_head unshare --net --uts --mount sh -c '
        hostname "$1" && mount -t tmpfs tmpfs /run && mkdir /run/lldpd && ip link set lo up &&
            echo $$ >"$0.pid" && exec sleep 1000000' "$lab/box-$1" "$2" &) 2>/dev/null
    await 60 test -s "$lab/box-$1.pid"
}
# in_box NAME COMMAND...
in_box() {
    local box
    box=$(<"$lab/box-$1.pid")
    shift
    in_head nsenter -t "$box" -n -u -m -r -w -- "$@"
}

start_lldp_switch() {
    start_lldp_box "$1" "$2" && in_box "$1" sh -c 'ip link add br0 type bridge && ip link set br0 up'
}

# link NODE INTERFACE BOX [BRIDGE]
lldp_link() {
    local port=$1-$2
    in_head ip link add "$2" netns "$(<"$lab/$1.pid")" type veth peer name "$port" netns "$(<"$lab/box-$3.pid")"
    in_box "$3" sh -c 'ip link set "$0" ${1:+master "$1"} up' "$port" "${4-}"
    on_node "$1" ip link set "$2" up
}

# run_lldpd COMMAND...: by that command, the daemon, which tells its neighbours each second.
run_lldpd() { ("$@" env -u LD_PRELOAD lldpd -d -O "$lab/lldpd.conf" </dev/null >/dev/null 2>&1 &) 2>/dev/null; }

has_heard() { on_node "$1" lldpcli -f json0 show neighbors ports "$2" 2>/dev/null | grep -qF "\"$3\""; }

# await_heard NODE INTERFACE TEXT
await_heard() { await 60 has_heard "$@"; }

start_lldp() {
    local node
    echo 'configure lldp tx-interval 1' >"$lab/lldpd.conf"
    start_lldp_switch a pod1-leaf1
    start_lldp_switch b pod1-leaf2
    start_lldp_switch c pod2-leaf1
    start_lldp_box storage storage
    for node in n0 n1 n2 n3 n4; do
        on_node $node "mount -t tmpfs tmpfs /run && mkdir /run/lldpd"
    done
    lldp_link n0 ens1 a br0
    lldp_link n1 ens1 a br0
    lldp_link n2 ens1 b br0
    lldp_link n3 ens9 storage
    lldp_link n3 ens10 c br0
    lldp_link n4 ens1 c br0
    for node in n0 n1 n2 n3 n4; do
        run_lldpd on_node $node
    done
    for node in a b c storage; do
        run_lldpd in_box $node
    done
    await_heard n0 ens1 pod1-leaf1
    await_heard n1 ens1 pod1-leaf1
    await_heard n2 ens1 pod1-leaf2
    await_heard n3 ens9 storage
    await_heard n3 ens10 pod2-leaf1
    await_heard n4 ens1 pod2-leaf1
}

# rename_box NAME HOST-NAME: what its daemon tells from now on.
rename_box() { in_box "$1" lldpcli configure system hostname "$2" >/dev/null; }

# has_switches NAME SWITCHES ISLANDS [OPTION...]: the sizes of each process's own. Through env, since a daemon without root's
# rights looks for a program by access(), for which the right to read files does not count.
has_switches() {
    on_nodes core "${lldp_options[@]}" "${@:4}" env "$sizes" hitopo://Switch hitopo://Island
    expect "lldp: $1" said "hitopo://Switch: $2"$'\n'"hitopo://Island: $3"
}

lldp_why() { on_nodes core "${lldp_options[@]}" "$@" hitopo show --why; }

# signal_lldpd SIGNAL NODE: both of its processes.
signal_lldpd() {
    on_node "$2" "for p in /proc/[0-9]*; do [ \$(cat \$p/comm) != lldpd ] || kill -$1 \${p#/proc/}; done"
}

# as_user GROUP COMMAND...: jobs whose processes are nobody's, with no right but to read files, and that group.
as_user() {
    local group=${1:+--groups $1} right=-all,+dac_read_search
    shift
    NODE_USER="--reuid 65534 --regid 65534 ${group:---clear-groups} --inh-caps=$right --ambient-caps=$right --bounding-set=$right" \
        "$@"
}

group_number() { getent group "$1" | cut -d: -f3; }

lldp_users() {
    local open=$lab/lldpcli sizes_of_all="4 4 4 4 1 4 4 4 4"
    install -m 755 "$(command -v lldpcli)" "$open"
    as_user '' lldp_why
    expect "lldp: an ordinary user is refused without a message" printed "lldpcli: Permission denied"
    as_user '' lldp_why --mca hitopo_lldp_program "$open"
    expect "lldp: the socket is named" printed "/run/lldpd.socket: Permission denied"
    as_user "$(group_number adm)" has_switches "a user of group adm" "$sizes_of_all" "5 5 5 5 5 4 4 4 4"
    as_user "$(group_number _lldpd)" has_switches "a user of group _lldpd" "$sizes_of_all" "5 5 5 5 5 4 4 4 4" \
        --mca hitopo_lldp_program "$open"
}

# fake_lldpcli NAME LINES: a program in lldpcli's place.
fake_lldpcli() {
    printf '#!/bin/sh\n%s\n' "$2" >"$lab/$1"
    chmod +x "$lab/$1"
    lldp_why --mca hitopo_lldp_program "$lab/$1"
}

lldp_faults() {
    signal_lldpd STOP n0
    lldp_why
    expect "lldp: a daemon that does not answer" printed "no answer within 20000 ms (hitopo_lldp_timeout_ms)"
    expect "lldp: other nodes keep their switch" printed "ens1 is linked to pod1-leaf2 (mac"
    signal_lldpd CONT n0
    has_switches "the daemon goes on" "4 4 4 4 1 4 4 4 4" "5 5 5 5 5 4 4 4 4"
    fake_lldpcli garbage 'echo "{ nonsense"'
    expect "lldp: garbage costs one message" printed_once "    lldp: "
    fake_lldpcli huge 'echo "{"; head -c 16777216 /dev/zero'
    expect "lldp: 16 MB cost one message" printed_once "got an input over its limit"
    rename_box b $'pod1-\e[31m"x'
    await_heard n2 ens1 'pod1-\u001B[31m\"x'
    lldp_why
    expect "lldp: a hostile name is told harmlessly" shows_harmlessly 'pod1-\x1b[31m"x'
}
shows_harmlessly() { printed "$1" && [[ $out != *$'\e'* ]]; }

lldp() {
    if ! command -v lldpd >/dev/null; then
        echo "skip lldp: no command lldpd (package lldpd)"
        return
    fi
    start_lldp
    has_switches "nodes at one switch" "4 4 4 4 1 4 4 4 4" "5 5 5 5 5 4 4 4 4"
    lldp_why
    expect "lldp: a host is no switch" printed "ens9 is linked to storage (mac"
    expect "lldp: the reason names the port" printed "port n3-ens10; not used: ens9"
    expect "lldp: and the island's" printed "the switch's name pod2-leaf1 matches pod{island}-*"
    lldp_why --mca hitopo_lldp_interfaces ens9
    expect "lldp: only the interfaces that are named" printed "no switch: ens9 is linked to storage"
    rename_box c pod1-leaf1
    await_heard n3 ens10 pod1-leaf1
    await_heard n4 ens1 pod1-leaf1
    has_switches "two switches of one name are two" "4 4 4 4 1 4 4 4 4" "9 9 9 9 9 9 9 9 9"
    rename_box c pod2-leaf1
    await_heard n3 ens10 pod2-leaf1
    await_heard n4 ens1 pod2-leaf1
    lldp_users
    lldp_faults
}
