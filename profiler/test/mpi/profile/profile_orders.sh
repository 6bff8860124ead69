#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What topo/hitopo's orders of grids and graphs gain, in the profile and in `hitopo report`: numbers of a grid of 8 x 4, and
# those of reorder.c's graphs as another program counts them.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"
program=$HITOPO_TEST_PROGRAMS/reorder
echo 'shape island:2 switch:2 node:2 ranks:4' >"$scratch/by_slot.map"

# on MODE ARG...: 32 processes.
on() {
    local mode=$1
    shift
    profiled -np 32 --bind-to none --mca hitopo_hwloc_topology "pack:1 core:4 pu:1" --mca hitopo_hwloc_binding none \
        --mca hitopo_file_path "$scratch/by_slot.map" --mca topo_hitopo_reorder "$mode" "$program" "$@"
}
# are EXPRESSION: of `orders` of all processes of the report, each with its process's `rank`.
are() {
    [ "$status" = 0 ] && python3 - "$report" "$1" <<'END'
import json, sys
processes = json.load(open(sys.argv[1]))["processes"]
orders = [dict(order, rank=process["rank"]) for process in processes for order in process.get("orders", [])]
carts = [order for order in orders if order["call"] == "MPI_Cart_create"]
value = eval(f"({sys.argv[2]})")
value or print(orders, file=sys.stderr)
sys.exit(0 if value else 1)
END
}

# The grid of MPI_COMM_WORLD, and that of a communicator with its ranks backwards, made of the same boxes; the base judges
# those that are wrong, and reorder = 0 asks for none.
on report cart 8x4
expect "report: the grid at rank 0 of each communicator" are 'sorted(order["rank"] for order in orders) == [0, 31]'
expect "report: what it would gain" are 'all((order["levels"], order["before"], order["after"], order["count"],
    order["size"]) == (["island", "switch", "node"], [8, 24, 56], [8, 24, 40], 1, 32) for order in carts)'
expect "report: pairs of neighbours, not applied" are \
    'not any(order["is_weighted"] or order["is_applied"] for order in orders)'
expect "report: the report has the form" has_form
if command -v hitopo >/dev/null; then
    capture hitopo report "$report"
    expect "report: how many, as text" printed "  2 MPI_Cart_create of 32 processes: not applied (bisection)"
    expect "report: what crosses, as text" printed "    pairs of neighbours across island 8 -> 8, switch 24 -> 24, node 56 -> 40"
fi

is_quick && exit

on on cart 8x4
expect "on: applied" are 'len(carts) == 2 and all(order["is_applied"] and order["after"] == [8, 24, 40]
    for order in carts)'

on off cart 8x4
expect "off: the profile does not speak of orders" are 'not any("orders" in process for process in processes)'

on report cart 5x6
expect "report: a grid of 30 of the processes" are '[order["size"] for order in orders] == [30, 30]'

# A ring of all processes, 240 times: one cut of an island is two pairs each way.
on report often 40
expect "report: equal ones once, with their number" are \
    '[(order["call"], order["count"], order["rank"]) for order in orders] ==
    [("MPI_Cart_create", 240, 0), ("MPI_Dist_graph_create_adjacent", 240, 0)]'
expect "report: a ring has nothing to gain" are \
    'carts[0]["candidate"] == "identity" and carts[0]["before"] == carts[0]["after"] == [4, 8, 16]'

# Both functions get the same graph, without weights and with: what crosses is the same for both.
on report dist 5
expect "report: distributed graphs" are 'sorted((order["call"], order["is_weighted"]) for order in orders) ==
    [(call, weighted) for call in ("MPI_Dist_graph_create", "MPI_Dist_graph_create_adjacent") for weighted in (False, True)]'
expect "report: an edge in two lists counts once" are 'all(a["before"] == b["before"]
    for a in orders for b in orders if a["is_weighted"] == b["is_weighted"])'
expect "report: weights are more than edges" are 'all(a["before"][2] > 32 * b["before"][2]
    for a in orders for b in orders if a["is_weighted"] > b["is_weighted"])'
expect "report: distributed graphs have the form" has_form
