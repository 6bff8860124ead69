#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Judges a report of the profiler.

    profile_check.py REPORT                            its form, as docs/json.md has it, and that its sums agree
    profile_check.py REPORT TRACES [PLACE...]          and its numbers, from recorder.c's traces; PLACE is where rank 0, 1,
                                                       .. is: LEVEL=VALUE,.. from the outermost, of the levels that
                                                       somebody knows; none: there is no table

Prints what is wrong, and ends with status 1 then. Its model of kinds and flat algorithms is written from docs/profiling.md.
"""
import collections
import copy
import itertools
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


def members(thing, where, optional=(), **kinds):
    """thing has exactly these members, of those in `optional` what it likes; a kind is a type or a predicate."""
    wanted = [name for name in kinds if name in thing or name not in optional]
    require(set(thing) == set(wanted), where, "has members", list(thing), "and not", wanted)
    for name in wanted:
        kind, value = kinds[name], thing.get(name)
        good = type(value) is kind if isinstance(kind, type) else kind(value)
        require(good, where, name, "is", repr(value)[:80])


def is_table(text, columns):
    """Rows of a text and numbers or of numbers, in order of the first."""
    def check(rows):
        firsts = [row[0] for row in rows]
        return (len(set(firsts)) == len(firsts) and (text or firsts == sorted(firsts)) and
                all(len(row) == columns and (type(row[0]) is str or not text) and all(map(is_count, row[text:])) and
                    any(row[1:]) for row in rows))
    return check


def check_form(report):
    members(report, "document", ("part_of", "max_peers"), hitopo=str, schema=lambda v: v == 2,
            document=lambda v: v == "profile", size=is_count, snapshot=is_count, lanes=lambda v: v == LANES, part_of=str,
            max_peers=is_count, table=lambda v: v is None or v["size"] == report["size"], processes=list, kinds=list,
            seconds=float, warnings=lambda v: all(type(w) is str for w in v))
    ranks, every = [p["rank"] for p in report["processes"]], list(range(report["size"]))
    require(ranks == every or ("part_of" in report or report["snapshot"] > 0) and ranks == sorted(set(ranks) & set(every)),
            "ranks", ranks)
    for number, kind in enumerate(report["kinds"]):
        members(kind, f"kind {number}", id=lambda v: v == number, key=lambda v: bool(re.fullmatch("[0-9a-f]{16}", v)),
                name=lambda v: type(v) is str and v != "", size=is_count, remote_size=lambda v: v == 0 or v >= kind["size"] > 0)
    require(len({k["key"] for k in report["kinds"]}) == len(report["kinds"]), "one kind twice")
    require({k["id"] for k in report["kinds"]} == {k["id"] for p in report["processes"] for k in p["kinds"]}, "unused kinds")
    for process in report["processes"]:
        where = f"process {process['rank']}"
        members(process, where, ("pairs", "unknown_pairs", "allowed", "orders", "other_orders"), rank=is_count, kinds=list,
                pairs=is_table(0, 3), unknown_pairs=lambda v: len(v) == 2 and all(map(is_count, v)),
                collective_bytes=is_count, allowed=str, orders=list, other_orders=is_count)
        require(("pairs" in process) != ("max_peers" in report), where, "pairs and max_peers")
        check_orders(process, report)
        ids = [kind["id"] for kind in process["kinds"]]
        require(len(set(ids)) == len(ids), where, "has a kind twice")
        for kind in process["kinds"]:
            check_kind(f"{where} {report['kinds'][kind['id']]['name']}", kind, report)
        check_sums(where, process, report)


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


def is_by_lane(value):
    return len(value) == len(LANES) and all(map(is_count, value))


def check_kind(where, kind, report):
    members(kind, where, ("served",), id=lambda v: 0 <= v < len(report["kinds"]), made=is_count,
            calls=is_table(1, 4), lanes=is_table(0, 4), sizes=is_table(0, 3), served=lambda v: v != [])
    require(all(lane[0] < len(LANES) for lane in kind["lanes"]), where, "lanes", kind["lanes"])
    for bits, messages, size in kind["sizes"]:
        require(messages > 0 and (size == 0 if bits == 0 else messages << (bits - 1) <= size < messages << bits),
                where, size, "bytes in", messages, "messages of", bits, "bits")
    calls, flat = {call[0]: call[1] for call in kind["calls"]}, {lane[0]: lane[3] for lane in kind["lanes"]}
    for call in kind.get("served", []):
        members(call, where + " served", call=str, count=lambda v: 0 < v <= calls.get(call["call"], 0),
                messages=is_by_lane, bytes=is_by_lane, flat_bytes=is_by_lane)
    for lane in range(len(LANES)):
        require(sum(call["flat_bytes"][lane] for call in kind.get("served", [])) <= flat.get(lane, 0), where, "more is served than there is")


def total(rows, *columns):
    return [sum(row[column] for row in rows) for column in columns]


def check_sums(where, process, report):
    """By function, lane, size and pair."""
    lanes = []
    for kind in process["kinds"]:
        name = report["kinds"][kind["id"]]["name"]
        lanes += kind["lanes"]
        require(name == "(files)" and not kind["lanes"] or total(kind["calls"], 2) == [sum(total(kind["lanes"], 2, 3))],
                where, name, "bytes by function and lane", total(kind["calls"], 2), total(kind["lanes"], 2, 3))
        require(total(kind["sizes"], 1, 2) == total(kind["lanes"], 1, 2), where, name, "by size and lane", kind["sizes"], kind["lanes"])
    require([process["collective_bytes"]] == total(lanes, 3), where, "collective_bytes", process["collective_bytes"], total(lanes, 3))
    if "pairs" in process:
        pairs = total(process["pairs"] + [[0] + process["unknown_pairs"]], 1, 2)
        require(all(pair[0] < report["size"] for pair in process["pairs"]), where, "pairs", process["pairs"])
        require(pairs == total(lanes, 1, 2), where, "by pair and lane", pairs, total(lanes, 1, 2))


# ---- what a trace says ----


class Comm:
    """A handle of one process; kind is the one that counts now, made the one of its children's names."""

    def __init__(self, given):
        self.rank, self.ranks = int(given["rank"]), numbers(given["ranks"])
        self.is_inter, self.is_freed = "remote" in given, False
        self.peers = numbers(given["remote"]) if self.is_inter else self.ranks
        self.to = numbers(given.get("to", ""))
        self.sizes = tuple(sorted((len(self.ranks), len(self.peers)))) if self.is_inter else (len(self.ranks), 0)
        self.depth, self.is_duplicate, self.handle = 0, False, given["handle"]


class Request:
    def __init__(self, name, comm, send=None):
        self.name, self.comm, self.send = name, comm, send
        self.is_active = send is None  # None: maybe


class Expected:
    def __init__(self):
        self.made = 0
        self.calls = collections.defaultdict(lambda: [0, 0])
        self.lanes = collections.defaultdict(lambda: [0, 0, 0])
        self.sizes = collections.defaultdict(lambda: [0, 0])


REQUESTS, FILES = ("(requests)", 0, 0), ("(files)", 0, 0)
WAITS = re.compile("(Wait|Test)(all|any|some)?$|Request_get_status|Pready|Parrived")
MAX_DEPTH = 4


def numbers(text):
    return [] if text in ("", "-") else [int(n) for n in text.split(",")]


def lane(places, a, b):
    if not places or min(a, b) < 0 or max(a, b) >= len(places):
        return LANES.index("unknown")
    shared = "beyond"
    has_boards = any(dict(map(tuple, place)).get("l2numa", "0") != "0" for place in places)
    for (level, of_a), (_, of_b) in zip(places[a], places[b]):
        if of_a != of_b:
            break
        if level != "l2numa" or has_boards:
            shared = level
    return LANES.index("core" if shared == "hwthread" else shared)


class Process:
    """Reads the lines of one process."""

    def __init__(self, path, places, rank):
        self.places, self.rank = places, rank
        self.kinds = collections.defaultdict(Expected)
        self.pairs, self.unknown = collections.defaultdict(lambda: [0, 0]), [0, 0]
        self.collective_bytes, self.is_on = 0, True
        self.either = []  # waits of several kinds: (function, kinds, number)
        self.comms, self.wins, self.requests, self.messages, self.none = {}, {}, {}, {}, ()
        self.world = None
        for line in path.read_text().splitlines():
            times, name, *words = line.split(" ")
            given = dict(word.split("=", 1) for word in words if "=" in word)
            if name == "handles":
                self.self = given["SELF"]
                self.none, self.handles = given["none"].split(","), {given[name]: name for name in ("WORLD", "SELF")}
            elif name == "comm":
                made = self.comms[given["handle"]] = Comm(given)
                if given["handle"] in self.handles:
                    self.open_kind(made, self.handles.pop(given["handle"]))
                    self.world = self.world or made.kind
            else:
                self.call(re.sub("^MPIX?_|_c$", "", name), name, given, int(times))

    # Kinds.

    def open_kind(self, comm, name):
        comm.made_kind = comm.kind = (name, *comm.sizes)
        self.kinds[comm.kind].made += 1

    def make(self, function, parent, comm):
        how = re.sub("^Comm_", "", function)
        how = "dup" if re.fullmatch("i?dup(_with_info)?", how) else how
        comm.is_duplicate = how == "dup"
        if parent is None:
            name = how
        elif comm.is_duplicate and parent.is_duplicate:
            name, comm.depth = parent.made_kind[0], parent.depth
        else:
            is_deep = parent.depth >= MAX_DEPTH
            comm.depth = min(parent.depth + 1, MAX_DEPTH)
            name = how + " of " + (".." if is_deep else parent.made_kind[0])
        self.open_kind(comm, name)

    def rename(self, comm, name):
        kind = (name, *comm.sizes)
        self.kinds[kind].made += kind != comm.kind
        comm.kind = kind

    # Messages and bytes.

    def message(self, comm, peer, size, times, call):
        if peer < 0:
            return
        peer = comm.peers[peer]
        for row in (self.kinds[comm.kind].lanes[lane(self.places, self.rank, peer)], self.kinds[comm.kind].sizes[size.bit_length()],
                    self.pairs[peer] if peer >= 0 else self.unknown):
            row[0] += times
            row[1] += times * size
        call[1] += times * size

    def flat(self, function, comm, given):
        """(rank, bytes) of all that this process would send; ranks are those of peers."""
        def product(count, datatype):
            return int(given[count]) * int(given[datatype]) if count in given else 0

        def each(way):
            types = numbers(given[way + "types"]) if way + "types" in given else itertools.repeat(int(given[way + "type"]))
            return [count * size for count, size in zip(numbers(given[way + "counts"]), types)]

        kind = re.sub("_init$", "", function).lower()
        kind = kind[1:] if kind[0] == "i" else kind
        others = [r for r in range(len(comm.peers)) if comm.is_inter or r != comm.rank]
        root = int(given.get("root", -1))
        is_root = root == -4 if comm.is_inter else root == comm.rank  # MPI_ROOT
        way = "recv" if "in_place" in given else "send"
        if kind.startswith("neighbor"):
            sizes = each("send") if "sendcounts" in given else [product("sendcount", "sendtype")] * len(comm.to)
            return list(zip(comm.to, sizes))
        if kind == "bcast":
            return [(r, product("count", "datatype")) for r in others] if is_root else []
        if kind == "scatter":
            return [(r, product("sendcount", "sendtype")) for r in others] if is_root else []
        if kind == "scatterv":
            return [(r, each("send")[r]) for r in others] if is_root else []
        if kind in ("gather", "gatherv", "reduce"):
            size = product("count", "datatype") if kind == "reduce" else product("sendcount", "sendtype")
            return [] if is_root or root < 0 else [(root, size)]
        if kind == "allreduce":
            size = product("count", "datatype")
            return [(0, size)] if comm.is_inter or comm.rank != 0 else [(r, size) for r in others]
        if kind in ("allgather", "alltoall"):
            return [(r, product(way + "count", way + "type")) for r in others]
        if kind == "allgatherv":
            size = each("recv")[comm.rank] if way == "recv" else product("sendcount", "sendtype")
            return [(r, size) for r in others]
        if kind in ("alltoallv", "alltoallw"):
            return [(r, each(way)[r]) for r in others]
        if kind in ("reduce_scatter", "reduce_scatter_block"):
            count = numbers(given["recvcounts"]) if kind == "reduce_scatter" else [int(given["recvcount"])] * len(comm.ranks)
            if comm.is_inter:
                count = [sum(count) // len(comm.peers)] * len(comm.peers)
            return [(r, count[r] * int(given["datatype"])) for r in others]
        if kind in ("scan", "exscan"):
            return [(comm.rank + 1, product("count", "datatype"))] if comm.rank + 1 < len(comm.ranks) else []
        return []

    def send(self, function, comm, given, times, call):
        """All that the call sends or fetches."""
        def product(prefix, typed):
            return int(given.get(prefix + "count", 1)) * int(given[typed])

        if "bytes" in given:  # a Fortran program's line
            self.message(comm, int(given["dest"]), int(given["bytes"]), times, call)
        elif "dest" in given:
            size = product("send", "sendtype") if "sendtype" in given else product("", "datatype")
            self.message(comm, int(given["dest"]), size, times, call)
        elif "target_rank" in given:
            target, origin = int(given["target_rank"]), "origin_datatype" if "origin_datatype" in given else "datatype"
            if not re.search("R?get$", function, re.I) and given.get("op") != "none":
                self.message(comm, target, product("origin_", origin), times, call)
            if re.search("get|fetch|swap", function, re.I):
                result = ("result_", "result_datatype") if "result_datatype" in given else ("origin_", origin)
                self.message(comm, target, product(*result), times, call)
        elif "eighbor" in function:
            for peer, size in self.flat(function, comm, given):
                self.message(comm, peer, size, times, call)
        else:
            for peer, size in self.flat(function, comm, given):
                self.kinds[comm.kind].lanes[lane(self.places, self.rank, comm.peers[peer])][2] += times * size
                self.collective_bytes += times * size
                call[1] += times * size

    # Requests.

    def told_by(self, handle):
        """The kinds that this request may tell, None for nobody's."""
        request = self.requests.get(handle)
        if handle in self.none or request is None or request.comm is None or request.is_active is False:
            return {None}
        told = {request.comm.kind}
        if request.comm.is_freed:
            told = {None} | {c.kind for c in self.comms.values() if c.handle == request.comm.handle and not c.is_freed}
        if re.search("send|mrecv|idup", request.name, re.I) or request.is_active is None:
            told |= {None, self.world}
        if request.send is not None and "-2" in (request.send.get("dest"), request.send.get("source")):
            told |= {None}
        if request.name == "Imrecv":  # UCX leaves in it what it was before
            told |= {comm.kind for comm in self.comms.values()}
        return told

    def told_by_first(self, handles):
        found, has_world = set(), False
        for handle in handles:
            told = self.told_by(handle)
            found |= told - {None}
            if None not in told:
                if self.world not in told:
                    return found
                has_world = True
        return found if has_world else found | {REQUESTS}

    def wait(self, function, name, given, times):
        handles = given.get("array_of_requests", given.get("request", "")).split(",")
        told = self.told_by_first(handles)
        if self.is_on and len(told) == 1:
            self.kinds[told.pop()].calls[name][0] += times
        elif self.is_on:
            self.either.append((name, told, times))
        for handle in handles:
            request = self.requests.get(handle)
            is_over = re.fullmatch("Wait(all)?", function) is not None
            if request is not None and request.send is not None:
                request.is_active = False if is_over else None if request.is_active else request.is_active
            elif is_over:
                self.requests.pop(handle, None)

    def start(self, name, given, times):
        handles = given.get("array_of_requests", given.get("request", "")).split(",")
        if self.is_on:
            self.kinds[self.requests[handles[0]].comm.kind].calls[name][0] += times
        now = given.get("array_of_requests>", given.get("request>", ",".join(handles))).split(",")
        for request, handle in zip([self.requests.pop(handle) for handle in handles], now):
            self.requests[handle] = request
            request.is_active = True
            if self.is_on:
                self.send(request.name, request.comm, request.send, times, self.kinds[request.comm.kind].calls[name])

    # Calls.

    def call(self, function, name, given, times):
        if function == "Pcontrol":
            self.is_on = self.is_on if int(given["level"]) not in (0, 1) else given["level"] == "1"
            return
        if WAITS.match(function):
            return self.wait(function, name, given, times)
        if re.fullmatch("Start(all)?", function):
            return self.start(name, given, times)
        if function == "Request_free":
            self.requests.pop(given["request"], None)
            return
        comm = self.object_of(function, given)
        counted = FILES if function.startswith("File_") else comm.kind if comm is not None else REQUESTS
        if self.is_on and function not in ("Comm_set_name", "Comm_unregister", "Comm_register"):
            call = self.kinds[counted].calls[name]
            call[0] += times
            if counted == FILES and re.search("read|write", function) and "count" in given:
                call[1] += times * int(given["count"]) * int(given["datatype"])
            elif comm is not None and not function.endswith("_init"):
                self.send(function, comm, given, times, call)
        self.make_all(function, comm, given)

    def object_of(self, function, given):
        """Whose call it is."""
        if "win" in given and "win>" not in given:
            return self.wins[given["win"]]
        if "message" in given and "message>" in given and "comm" not in given:
            return self.messages[given["message"]]
        handles = [given[k] for k in ("comm", "old_comm", "comm_old", "local_comm", "intercomm") if k in given]
        if re.search("Comm_join|create_from_group", function):
            handles = [self.self]
        return self.comms.get(handles[0]) if handles else None

    def make_all(self, function, comm, given):
        if "request>" in given:
            self.requests[given["request>"]] = Request(
                function, None if "win" in given or "fh" in given else comm, given if function.endswith("_init") else None)
        if "message>" in given and comm is not None:
            self.messages[given["message>"]] = comm
        if "win>" in given:
            self.wins[given["win>"]] = copy.copy(comm)  # which keeps its kind
        if function == "Comm_set_name":
            self.rename(comm, re.sub("[0-9]+", "#", given["name"]))
        elif function == "Comm_register":
            self.rename(comm, given["name"])
        elif function == "Comm_unregister":
            comm.kind = comm.made_kind
        elif function in ("Comm_free", "Comm_disconnect"):
            comm.is_freed = True
        alone = re.match("Intercomm_|Comm_(accept|connect|join|create_from)", function)
        if function == "Comm_split_hierarchy":  # each step splits the one before
            steps = zip(given["newcomms"].split(","), given["rootscomms"].split(","))
            for handles in steps:
                for handle in handles:
                    if handle in self.comms:
                        self.make(function, comm, self.comms[handle])
                comm = self.comms.get(handles[0])
            return
        for key in given:
            is_made = key.endswith(">") and key not in ("request>", "message>", "win>", "fh>")
            for handle in [given[key]] if is_made else []:
                if function == "Comm_idup":  # which nobody may ask before its request is complete
                    self.comms[handle] = copy.copy(comm)
                    self.comms[handle].to = []
                made = self.comms.get(handle)
                if made is not None:
                    made.handle = handle
                    self.make(function, None if alone else comm, made)


# ---- the numbers ----


def check_numbers(report, traces, places):
    for process in report["processes"]:
        expected = Process(traces / f"trace.{process['rank']}", places, process["rank"])
        where = f"process {process['rank']}"
        found = collections.defaultdict(list)  # those of parents of several sizes have equal names
        for kind in process["kinds"]:
            found[tuple(report["kinds"][kind["id"]][n] for n in ("name", "size", "remote_size"))].append(kind)
        for kind in sorted(set(found) | set(expected.kinds)):
            compare(f"{where} {kind[0]} ({kind[1]}, {kind[2]}):", expected.kinds[kind], found[kind], expected.either, kind)
        for function in {either[0] for either in expected.either}:
            sums = [sum(c[1] for k in process["kinds"] for c in k["calls"] if c[0] == function),
                    sum(k.calls[function][0] for k in expected.kinds.values()) + sum(e[2] for e in expected.either if e[0] == function)]
            require(sums[0] == sums[1], where, function, sums[0], "and not", sums[1])
        if "pairs" in process:
            require({p[0]: p[1:] for p in process["pairs"]} == expected.pairs, where, "pairs", process["pairs"], dict(expected.pairs))
            require(process["unknown_pairs"] == expected.unknown, where, "unknown_pairs", process["unknown_pairs"], expected.unknown)
        require(process["collective_bytes"] == expected.collective_bytes, where, "collective_bytes",
                process["collective_bytes"], expected.collective_bytes)


def summed(entries, rows):
    sums = {}
    for row in (row for entry in entries for row in entry[rows]):
        sums[row[0]] = [a + b for a, b in zip(sums.get(row[0], [0] * len(row)), row[1:])]
    return sums


def compare(where, expected, entries, either, kind):
    made = sum(entry["made"] for entry in entries)
    require(made == expected.made or kind[1] == 0, where, "made", made, "and not", expected.made)
    calls = summed(entries, "calls")
    for name in sorted(set(calls) | set(expected.calls)):
        more = sum(times for function, kinds, times in either if function == name and kind in kinds)
        count, size, _ = calls.get(name, [0, 0, 0])
        least, wanted = expected.calls.get(name, [0, 0])
        require(least <= count <= least + more and size == wanted, where, name, [count, size], "and not", [least, wanted], "more", more)
    for rows in ("lanes", "sizes"):
        found, wanted = summed(entries, rows), {key: row for key, row in getattr(expected, rows).items() if any(row)}
        require(found == wanted, where, rows, found, "and not", wanted)


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
