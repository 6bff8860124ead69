#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Prints a profile of a regular job: a halo in three dimensions whose neighbours lie 1, 20 and 200 ranks apart.

    make_profile.py RANKS [PER_NODE [NODES_PER_SWITCH [SWITCHES_PER_ISLAND]]]

A node has two sockets, and a core for each process. The numbers follow from the ranks alone.
"""
import json
import sys

LANES = ["core", "socket", "l2numa", "node", "switch", "island", "cluster", "beyond", "unknown"]
LEVELS = ["cluster", "island", "switch", "node", "l2numa", "socket", "core", "hwthread"]
NAMES = ["centre", "island{}", "leaf{}", "node{:03}", None, None, None, None]


class Job:
    def __init__(self, ranks, per_node=16, nodes_per_switch=8, switches_per_island=4):
        self.ranks, self.per_node = ranks, per_node
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
        return {"hitopo": "0.3.0", "schema": 1, "communicator": "MPI_COMM_WORLD", "size": self.ranks, "levels": levels,
                "nodes": [], "machines": [], "ranks": rows, "types": [], "warnings": []}

    def pair(self, me, peer):
        messages = 1 + (7 * me + 13 * peer) % 50
        return [peer, messages, messages * (8 << ((me ^ peer) % 7 + 2 * (6 - self.lane(me, peer))))]

    def process(self, me):
        peers = sorted(me + sign * stride for stride in (1, 20, 200) for sign in (-1, 1))
        pairs = [self.pair(me, peer) for peer in peers if 0 <= peer < self.ranks]
        messages, size = sum(pair[1] for pair in pairs), sum(pair[2] for pair in pairs)
        lanes = [[lane, *(sum(pair[i] for pair in pairs if self.lane(me, pair[0]) == lane) for i in (1, 2)),
                  4096 if lane == 3 else 0] for lane in range(len(LANES))]
        sizes = {}
        for _, count, number in pairs:
            bits = (number // count).bit_length()
            sizes[bits] = [a + b for a, b in zip(sizes.get(bits, [0, 0]), [count, number])]
        halo = {"id": 1, "made": 1, "calls": [["MPI_Isend", messages, size, 900 * messages], ["MPI_Irecv", len(pairs), 0, 400],
                                              ["MPI_Waitall", 10, 0, 1000000000 + 1000000 * me]],
                "lanes": [lane for lane in lanes if any(lane[1:])], "sizes": [[bits, *sizes[bits]] for bits in sorted(sizes)]}
        world = {"id": 0, "made": 1, "calls": [["MPI_Cart_create", 1, 0, 5000000], ["MPI_Allreduce", 12, 96, 360000]],
                 "lanes": [], "sizes": []}
        return {"rank": me, "kinds": [world, halo], "pairs": pairs, "unknown_pairs": [0, 0], "collective_bytes": 4096}

    def kinds(self):
        return [{"id": id, "key": f"{id:016x}", "name": name, "size": self.ranks, "remote_size": 0}
                for id, name in enumerate(["WORLD", "Cart_create of WORLD"])]


def main():
    job = Job(*map(int, sys.argv[1:]))
    json.dump({"hitopo": "0.3.0", "schema": 2, "document": "profile", "size": job.ranks, "snapshot": 0, "lanes": LANES,
               "table": job.table(), "processes": [job.process(rank) for rank in range(job.ranks)], "kinds": job.kinds(),
               "seconds": 12.5, "warnings": []}, sys.stdout)


main()
