#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Prints a profile of a regular job in which every process sends to every other.

    make_profile.py [--pairs] RANKS [PER_NODE [NODES_PER_SWITCH [SWITCHES_PER_ISLAND]]]

A node has two sockets, and a core for each process. MPI_COMM_WORLD has id 0, the processes of node n communicator
n + 1. The numbers follow from the ranks alone. --pairs: also what hitopo_prof_pairs counts, of a halo in three
dimensions whose neighbours lie 1, 20 and 200 ranks apart.
"""
import json
import sys

LANES = ["core", "socket", "l2numa", "node", "switch", "island", "cluster", "beyond", "unknown"]
LEVELS = ["cluster", "island", "switch", "node", "l2numa", "socket", "core", "hwthread"]
NAMES = ["centre", "island{}", "leaf{}", "node{:03}", None, None, None, None]


class Job:
    def __init__(self, ranks, per_node=16, nodes_per_switch=8, switches_per_island=4, has_pairs=False):
        self.ranks, self.per_node, self.has_pairs = ranks, per_node, has_pairs
        self.per_switch = per_node * nodes_per_switch
        self.per_island = self.per_switch * switches_per_island
        self.per_socket = (per_node + 1) // 2

    def address(self, rank):
        local = rank % self.per_node
        return [0, rank // self.per_island, rank // self.per_switch, rank // self.per_node, 0,
                local // self.per_socket, local % self.per_socket, 0]

    def lane(self, a, b):
        """Index of the innermost level that both share."""
        if a // self.per_node == b // self.per_node:
            return 1 if self.address(a)[5] == self.address(b)[5] else 3
        return 4 if a // self.per_switch == b // self.per_switch else 5 if a // self.per_island == b // self.per_island else 6

    def names(self, address):
        return [name and name.format(value) for name, value in zip(NAMES, address)]

    def table(self):
        rows = [{"rank": r, "node": r // self.per_node, "address": self.address(r), "names": self.names(self.address(r)),
                 "cpus": str(r % self.per_node), "restricted": {}} for r in range(self.ranks)]
        levels = [{"level": level, "type": "", "known": "all", "distinct": 1, "components": ["file"]} for level in LEVELS]
        return {"hitopo": "0.1.0", "schema": 1, "communicator": "MPI_COMM_WORLD", "size": self.ranks, "levels": levels,
                "nodes": [], "machines": [], "ranks": rows, "types": [], "warnings": []}

    def peer(self, me, peer, first):
        lane = self.lane(me, peer)
        messages = 1 + (7 * me + 13 * peer) % 50
        size = 8 << ((me ^ peer) % 7 + 2 * (6 - lane))
        fetches = (me + 2 * peer) % 3
        return [peer - first, peer, lane, messages, messages * size, messages * 900 + size, fetches, fetches * 5 * size]

    def entry(self, id, me, first, end):
        peers = [self.peer(me, peer, first) for peer in range(first, end) if peer != me]
        collective = [0] * len(LANES)
        collective[3] = 4096
        calls = [("MPI_Isend", sum(p[3] for p in peers), sum(p[4] for p in peers), sum(p[5] for p in peers)),
                 ("MPI_Get", sum(p[6] for p in peers), sum(p[7] for p in peers), 70 * len(peers)),
                 ("MPI_Irecv", len(peers), 0, 50 * len(peers)), ("MPI_Waitall", 10, 0, 1000000 + 1000 * me),
                 ("MPI_Allreduce", 12, 96, 360000)]
        return {"id": id, "rank": me - first,
                "calls": [dict(zip(("call", "count", "bytes", "ns"), call)) for call in calls],
                "peers": peers, "collective_bytes": collective}

    def pairs(self, me):
        if not self.has_pairs:
            return {}
        peers = sorted(me + sign * stride for stride in (1, 20, 200) for sign in (-1, 1))
        return {"pairs": [[peer, 10, 65536] for peer in peers if 0 <= peer < self.ranks], "unknown_pairs": [0, 0],
                "collective_bytes": 4096}

    def process(self, me):
        first = me // self.per_node * self.per_node
        return {"rank": me, **self.pairs(me), "communicators": [self.entry(0, me, 0, self.ranks),
                                              self.entry(me // self.per_node + 1, me, first,
                                                         min(first + self.per_node, self.ranks))]}

    def communicator(self, id, name, first, end):
        lanes = {self.lane(first, other) for other in range(first + 1, end)}
        return {"id": id, "key": f"{id:016x}", "name": name, "size": end - first, "remote_size": 0,
                "ranks": list(range(first, end)), "spans": [LANES[lane] for lane in sorted(lanes)],
                "is_registered": True, "is_freed": False}

    def communicators(self):
        nodes = range(0, self.ranks, self.per_node)
        return [self.communicator(0, "MPI_COMM_WORLD", 0, self.ranks)] + [
            self.communicator(id, f"node {id - 1}", first, min(first + self.per_node, self.ranks))
            for id, first in enumerate(nodes, 1)]


def members(job):
    """(name, JSON) one after the other, so that memory holds one process at a time."""
    yield "hitopo", '"0.1.0"'
    yield "schema", "1"
    yield "document", '"profile"'
    yield "size", str(job.ranks)
    yield "snapshot", "0"
    yield "seconds", "12.5"
    yield "lanes", json.dumps(LANES)
    yield "table", json.dumps(job.table())
    yield "communicators", json.dumps(job.communicators())
    yield "warnings", "[]"


def main():
    words = [word for word in sys.argv[1:] if word != "--pairs"]
    job = Job(*map(int, words), has_pairs=len(words) < len(sys.argv) - 1)
    out = sys.stdout
    out.write("{")
    for name, text in members(job):
        out.write(f'"{name}": {text},\n')
    out.write('"processes": [')
    for rank in range(job.ranks):
        out.write(("" if rank == 0 else ",\n") + json.dumps(job.process(rank), separators=(",", ":")))
    out.write("]}\n")


main()
