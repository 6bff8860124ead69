# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For run: component slingshot on nodes with the MAC addresses of slingshot.cluster, and nothing else that tells switches.
# The expected sizes are counted by hand from that file.

# has_groups NAME SWITCHES ISLANDS: the sizes of each process's own.
has_groups() {
    on_nodes core "$sizes" hitopo://Switch hitopo://Island
    expect "slingshot: $1" said "hitopo://Switch: $2"$'\n'"hitopo://Island: $3"
}

set_address() { on_node "$1" ip link set hsn0 address "$2"; }

# The kernel tells of a link's state up to a second after it changed.
await_state() { await 60 has_state "$1" "$2"; }
has_state() { on_node "$1" cat /sys/class/net/hsn0/operstate | grep -qE "$2"; }

says_down() { succeeded && grep -qE 'group 1, switch 0, port 1, and is (lowerlayer)?down$' <<<"$out"; }

why_of() { on_nodes core hitopo show --why; }

slingshot() {
    local node switches=()
    for node in n0 n1 n2 n3 n4; do
        await_state $node up
    done
    has_groups "switch 31 of two groups is two" "4 4 4 4 1 4 4 4 4" "4 4 4 4 5 5 5 5 5"
    why_of
    expect "slingshot: the reason names the port" printed "hsn0 has 02:00:00:00:07:c5: group 0, switch 31, port 5"

    set_address n2 02:00:00:00:0f:fe
    has_groups "the same address on two nodes is the same switch" "4 4 4 4 5 5 5 5 5" "4 4 4 4 5 5 5 5 5"

    set_address n2 00:40:a6:82:f7:5f
    why_of
    expect "slingshot: a manufacturer's address" printed "00:40:a6:82:f7:5f: not assigned by a fabric manager"
    expect "slingshot: the others keep their place" printed "hsn0 has 02:00:00:00:07:c5: group 0"
    set_address n2 02:00:00:00:08:01
    on_node n2 ip link set hsn0 down
    why_of
    expect "slingshot: an interface that is not up" printed "group 1, switch 0, port 1, and is not up"
    on_node n2 ip link set hsn0 up
    await_state n2 up
    in_head ip link set port3-hsn down
    await_state n2 down
    why_of
    expect "slingshot: a link that is down" says_down
    in_head ip link set port3-hsn up
    await_state n2 up
    has_groups "all are up again" "4 4 4 4 1 4 4 4 4" "4 4 4 4 5 5 5 5 5"
}
