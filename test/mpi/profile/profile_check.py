#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Judges a report of the profiler.

    profile_check.py REPORT                            its form, as docs/json.md has it
    profile_check.py REPORT TRACES [PLACE...]          and its numbers, from the traces of profile_trace.h; PLACE is
                                                       where rank 0, 1, .. is: LEVEL=VALUE,.. from the outermost, of
                                                       the levels that somebody knows; none: there is no table

Prints what is wrong, and ends with status 1 then. Its model of flat algorithms is written from docs/profiling.md.
"""
import collections
import json
import pathlib
import re
import sys

LANES = ["core", "socket", "l2numa", "node", "switch", "island", "cluster", "beyond", "unknown"]
LEVELS = ["cluster", "island", "switch", "node", "l2numa", "socket", "core", "hwthread"]
complaints = []


def require(condition, *what):
    if not condition:
        complaints.append(" ".join(str(w) for w in what))


# ---- the form ----


def is_count(value):
    return type(value) is int and 0 <= value < 2**64


def members(thing, where, **kinds):
    """thing has exactly these members; a kind is a type or a predicate."""
    require(list(thing) == list(kinds), where, "has members", list(thing), "and not", list(kinds))
    for name, kind in kinds.items():
        value = thing.get(name)
        good = type(value) is kind if isinstance(kind, type) else kind(value)
        require(good, where, name, "is", repr(value)[:80])


def check_form(report):
    part = {"part_of": str} if "part_of" in report else {}
    summed = {"max_peers": is_count} if "max_peers" in report else {}
    members(report, "document", hitopo=str, schema=lambda v: v == 1, document=lambda v: v == "profile",
            size=is_count, snapshot=is_count, lanes=lambda v: v == LANES, **part, **summed,
            table=lambda v: v is None or v["size"] == report["size"], processes=list, communicators=list,
            seconds=float, warnings=list)
    require(all(type(w) is str for w in report["warnings"]), "warnings that are no texts")
    ranks, every = [p["rank"] for p in report["processes"]], list(range(report["size"]))
    require(ranks == every or (part or report["snapshot"] > 0) and ranks == sorted(set(ranks) & set(every)), "ranks", ranks)
    for number, comm in enumerate(report["communicators"]):
        check_communicator(number, comm, report["size"])
    keys = [c["key"] for c in report["communicators"]]
    require(len(set(keys)) == len(keys), "one key twice")
    for process in report["processes"]:
        pairs = {"pairs": list, "unknown_pairs": list, "collective_bytes": is_count} if "pairs" in process else {}
        orders = {name: kind for name, kind in {"orders": list, "other_orders": is_count}.items() if name in process}
        allowed = {"allowed": str} if "allowed" in process else {}
        members(process, "process", rank=is_count, communicators=list, **allowed, **pairs, **orders)
        check_orders(process, report)
        check_pairs(process, report)
        ids = [entry["id"] for entry in process["communicators"]]
        require(len(set(ids)) == len(ids), "process", process["rank"], "has a communicator twice")
        for entry in process["communicators"]:
            check_entry(entry, process, report)


def check_orders(process, report):
    """Each kind once, with a number for each level."""
    orders = process.get("orders", [])
    require(("orders" in process) == bool(orders), "orders that are none of", process["rank"])
    for order in orders:
        members(order, "order", call=str, size=lambda v: 1 < v <= report["size"], count=lambda v: v > 0, candidate=str,
                is_weighted=bool, is_applied=bool, levels=lambda v: v == [level for level in LEVELS if level in v],
                before=list, after=list)
        for name in ("before", "after"):
            require(len(order[name]) == len(order["levels"]) and all(map(is_count, order[name])), name, order[name])
    kinds = {json.dumps({**order, "count": 0}) for order in orders}
    require(len(kinds) == len(orders) <= 64, "process", process["rank"], "has an order twice")


def check_pairs(process, report):
    """As many bytes at least as registered communicators have."""
    pairs, least = process.get("pairs"), collections.Counter()
    if pairs is None:
        return
    require(all(len(pair) == 3 and all(map(is_count, pair)) for pair in pairs), "pairs of", process["rank"], pairs[:3])
    ranks = [pair[0] for pair in pairs]
    require(ranks == sorted(set(ranks)) and all(r < report["size"] for r in ranks), "pairs are out of order", ranks[:9])
    require(len(process["unknown_pairs"]) == 2 and all(map(is_count, process["unknown_pairs"])), "unknown_pairs")
    for entry in process["communicators"]:
        for peer in entry["peers"]:
            least[peer[1]] += peer[4] + peer[7]
    for rank, messages, num_bytes in pairs:
        require(num_bytes >= least[rank], "process", process["rank"], "sent", rank, num_bytes, "of", least[rank])


def check_communicator(number, comm, world_size):
    members(comm, f"communicator {number}", id=lambda v: v == number,
            key=lambda v: bool(re.fullmatch("[0-9a-f]{16}", v)), name=str, size=lambda v: v == len(comm["ranks"]),
            remote_size=is_count, ranks=list, is_registered=bool, is_freed=bool, spans=list)
    require(all(r is None or 0 <= r < world_size for r in comm["ranks"]), "ranks of", comm["name"])
    require(comm["spans"] == [lane for lane in LANES if lane in comm["spans"]], "spans of", comm["name"])
    require(not (comm["is_freed"] and comm["is_registered"]), comm["name"], "is freed and registered")


def is_by_lane(value):
    return len(value) == len(LANES) and all(map(is_count, value))


def check_served(where, entry):
    served, calls = entry.get("served", []), {call["call"]: call["count"] for call in entry["calls"]}
    require(served or "served" not in entry, where, "has served nothing")
    require(len({call["call"] for call in served}) == len(served), where, "has a served call twice")
    for call in served:
        members(call, where + " served", call=str, count=lambda v: 0 < v <= calls.get(call["call"], 0),
                messages=is_by_lane, bytes=is_by_lane, flat_bytes=is_by_lane)
    for lane, flat_bytes in enumerate(entry["collective_bytes"]):
        require(sum(call["flat_bytes"][lane] for call in served) <= flat_bytes, where, "more is served than there is")


def peer_bytes(entry):
    sums = entry.get("peer_sums", {})
    return sum(p[4] + p[7] for p in entry["peers"]) + sum(sums.get("bytes", [])) + sum(sums.get("fetched_bytes", []))


def check_entry(entry, process, report):
    where = f"process {process['rank']} communicator {entry['id']}"
    optional = {"served": list} if "served" in entry else {}
    if "max_peers" in report:
        optional["peer_sums"] = dict
        require(entry["peers"] == [], where, "has peers and their sums")
        members(entry.get("peer_sums", {}), where, messages=is_by_lane, bytes=is_by_lane, ns=is_by_lane,
                fetches=is_by_lane, fetched_bytes=is_by_lane)
    members(entry, where, id=lambda v: 0 <= v < len(report["communicators"]), rank=is_count, calls=list, peers=list,
            collective_bytes=is_by_lane, **optional)
    check_served(where, entry)
    comm = report["communicators"][entry["id"]]
    require(comm["ranks"][entry["rank"]] == process["rank"], where, "is rank", entry["rank"], "of", comm["ranks"])
    for call in entry["calls"]:
        members(call, where, call=lambda v: v.startswith("MPI"), count=lambda v: is_count(v) and v > 0, bytes=is_count,
                ns=is_count)
    require(len({c["call"] for c in entry["calls"]}) == len(entry["calls"]), where, "has a call twice")
    for peer in entry["peers"]:
        require(len(peer) == 8 and all(v is None and i == 1 or is_count(v) for i, v in enumerate(peer)), where, peer)
        require(peer[0] < (comm["remote_size"] or comm["size"]), where, "has peer", peer[0])
        require(comm["remote_size"] or comm["ranks"][peer[0]] == peer[1], where, "calls", peer[0], "world's", peer[1])
        require(peer[2] < len(LANES) and peer[3] + peer[6] > 0, where, peer)
    require(len({p[0] for p in entry["peers"]}) == len(entry["peers"]), where, "has a peer twice")
    require(sum(c["bytes"] for c in entry["calls"]) ==
            peer_bytes(entry) + sum(entry["collective_bytes"]), where, "bytes do not add up")


# ---- what a trace says ----


class Expected:
    def __init__(self, rank, ranks, remote):
        self.rank, self.ranks, self.remote = rank, ranks, remote
        self.peers_ranks = remote or ranks
        self.calls = collections.defaultdict(lambda: [0, 0])
        self.peers = collections.defaultdict(lambda: [0, 0, 0, 0])  # messages, bytes, fetches, fetched
        self.lanes = [0] * len(LANES)


def numbers(text):
    return [] if text in ("", "-") else [int(n) for n in text.split(",")]


def world_ranks(text):
    return [n if n >= 0 else None for n in numbers(text)]


def flat(name, comm, given):
    """(rank, bytes) of all that this process would send; ranks are those of peers."""
    others = [r for r in range(len(comm.peers_ranks)) if comm.remote or r != comm.rank]
    root, size, each = given.get("root"), given.get("bytes"), given.get("each")
    is_root = root == "-4" if comm.remote else root == str(comm.rank)  # MPI_ROOT
    size = int(size) if size else 0
    kind = re.sub("^MPI_I?", "", name).lower()
    if kind in ("bcast", "scatter"):
        return [(r, size) for r in others] if is_root else []
    if kind == "scatterv":
        return [(r, numbers(each)[r]) for r in others] if is_root else []
    if kind in ("gather", "gatherv", "reduce"):
        return [] if is_root or int(root) < 0 else [(int(root), size)]
    if kind == "allreduce":
        if comm.remote or comm.rank != 0:
            return [(0, size)]
        return [(r, size) for r in others]
    if kind in ("allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block"):
        return [(r, numbers(each)[r] if each else size) for r in others]
    if kind in ("scan", "exscan"):
        return [(comm.rank + 1, size)] if comm.rank + 1 < len(comm.ranks) else []
    if kind.startswith("neighbor"):
        return [(r, s) for r, s in zip(numbers(given["to"]), numbers(each)) if r >= 0 and r != comm.rank]
    return []


def lane(places, a, b):
    if not places or a is None or b is None or max(a, b) >= len(places):
        return LANES.index("unknown")
    shared = "beyond"
    has_boards = any(dict(map(tuple, place)).get("l2numa", "0") != "0" for place in places)
    for (level, of_a), (_, of_b) in zip(places[a], places[b]):
        if of_a != of_b:
            break
        if level != "l2numa" or has_boards:
            shared = level
    return LANES.index("core" if shared == "hwthread" else shared)


def read_trace(path, places, world_rank):
    comms = {}
    for line in path.read_text().splitlines():
        what, *words = line.split()
        if what == "comm":
            label, rank, ranks, remote = words
            comms.setdefault(label, Expected(int(rank), world_ranks(ranks), world_ranks(remote)))
            continue
        name, label, *rest = words
        if label not in comms:
            continue
        comm, given = comms[label], dict(word.split("=") for word in rest)
        call = comm.calls[name]
        call[0] += 1
        if "dest" in given:
            peer = comm.peers[int(given["dest"])]
            peer[0] += 1
            peer[1] += int(given["bytes"])
            call[1] += int(given["bytes"])
        if "from" in given:
            peer = comm.peers[int(given["from"])]
            peer[2] += 1
            peer[3] += int(given["fetched"])
            call[1] += int(given["fetched"])
        if given and "dest" not in given and "from" not in given:
            for peer, size in flat(name, comm, given):
                comm.lanes[lane(places, world_rank, comm.peers_ranks[peer])] += size
                call[1] += size
    return comms


# ---- the numbers ----


def check_numbers(report, traces, places):
    every_label = set()
    for process in report["processes"]:
        world_rank = process["rank"]
        expected = read_trace(traces / f"trace.{world_rank}", places, world_rank)
        found = {report["communicators"][e["id"]]["name"]: e for e in process["communicators"]}
        wanted = set(expected)
        every_label |= wanted
        require(set(found) == wanted, "process", world_rank, "has", sorted(found), "and not", sorted(wanted))
        for label in wanted & set(found):
            compare(f"process {world_rank} {label}:", expected[label], found[label],
                    report["communicators"][found[label]["id"]], places)
    names = sorted(c["name"] for c in report["communicators"])
    require(names == sorted(every_label), "communicators", names, "and not", sorted(every_label))


def compare(where, expected, entry, comm, places):
    require(comm["ranks"] == expected.ranks, where, "ranks", comm["ranks"], "and not", expected.ranks)
    require(comm["remote_size"] == len(expected.remote), where, "remote_size", comm["remote_size"])
    require(entry["rank"] == expected.rank, where, "rank", entry["rank"], "and not", expected.rank)
    spans = {lane(places, a, b) for a in comm["ranks"] for b in comm["ranks"] if a != b}
    require(comm["spans"] == [LANES[i] for i in sorted(spans)], where, "spans", comm["spans"])
    calls = {c["call"]: [c["count"], c["bytes"]] for c in entry["calls"]}
    for name in sorted(set(calls) | set(expected.calls)):
        require(calls.get(name) == expected.calls.get(name), where, name, calls.get(name), "and not",
                expected.calls.get(name))
    own = expected.ranks[expected.rank]
    peers = {p[0]: p for p in entry["peers"]}
    for peer in sorted(set(peers) | set(expected.peers)):
        if peer not in peers or peer not in expected.peers:
            require(False, where, "peer", peer, peers.get(peer), "and not", expected.peers.get(peer))
            continue
        _, world_rank, far, messages, size, _, fetches, fetched = peers[peer]
        require([messages, size, fetches, fetched] == expected.peers[peer], where, "peer", peer,
                [messages, size, fetches, fetched], "and not", expected.peers[peer])
        require(world_rank == expected.peers_ranks[peer], where, "peer", peer, "is", world_rank)
        require(far == lane(places, own, world_rank), where, "peer", peer, "is", LANES[far])
    require(entry["collective_bytes"] == expected.lanes, where, "collective_bytes", entry["collective_bytes"],
            "and not", expected.lanes)


def main():
    report = json.loads(pathlib.Path(sys.argv[1]).read_text())
    check_form(report)
    if len(sys.argv) > 2:
        places = [[pair.split("=") for pair in place.split(",")] for place in sys.argv[3:]]
        check_numbers(report, pathlib.Path(sys.argv[2]), places)
    for complaint in complaints[:20]:
        print("wrong:", complaint)
    print("as expected" if not complaints else f"{len(complaints)} wrong")
    sys.exit(1 if complaints else 0)


main()
