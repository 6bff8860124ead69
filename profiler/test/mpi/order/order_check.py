#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Judges what `hitopo order` says and writes, by profiles that were measured.

    order_check.py lanes  PROFILE outside|all          what its pairs crossed: a line "LANE BYTES" for each lane
    order_check.py said   now|then <REPORT             the same of what hitopo order printed
    order_check.py hosts  PROFILE                      the node of each rank, a line each
    order_check.py places PROFILE                      node and CPUs of each rank, a line each
    order_check.py counts PROFILE STRIDE:BYTES..       nothing, if its pairs are those of order_halo

The lanes are worked out from docs/json.md, without HiTopo's code.
"""
import collections
import json
import re
import sys

LANES = ["core", "socket", "l2numa", "node", "switch", "island", "cluster", "beyond", "unknown"]
LEVELS = ["cluster", "island", "switch", "node", "l2numa", "socket", "core", "hwthread"]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


# ---- lanes ----


class Lanes:
    def __init__(self, table, inside):
        self.addresses = [dict(zip(LEVELS, rank["address"])) for rank in table["ranks"]]
        known = {level["level"] for level in table["levels"] if level["known"] != "none"}
        boards = {address["l2numa"] for address in self.addresses}
        self.known = known - ({"l2numa"} if len(boards) < 2 else set())
        if not inside:
            self.known -= {"l2numa", "socket", "core"}

    def share(self, level, a, b):
        return level in self.known and a[level] >= 0 and a[level] == b[level]

    def between(self, one, other):
        a, b = self.addresses[one], self.addresses[other]
        if self.share("node", a, b):
            if self.share("socket", a, b):
                return "core" if self.share("core", a, b) else "socket"
            return "l2numa" if self.share("l2numa", a, b) else "node"
        return next((level for level in ("switch", "island", "cluster") if self.share(level, a, b)), "beyond")


def lanes(path, levels):
    profile = load(path)
    measure, sums = Lanes(profile["table"], levels == "all"), collections.Counter()
    for process in profile["processes"]:
        for rank, _, num_bytes in process["pairs"]:
            sums[measure.between(process["rank"], rank)] += num_bytes
    print_lanes(sums)


def print_lanes(sums):
    print(*(f"{lane} {sums[lane]}" for lane in LANES if sums[lane]), sep="\n")


def said(column):
    sums = collections.Counter()
    for line in sys.stdin:
        row = re.fullmatch(r"  (\w+) +(\d+) +(\d+) +\S.*\n", line)
        if row:
            sums[row[1]] = int(row[2 if column == "now" else 3])
    print_lanes(sums)


# ---- who is where ----


def hosts(path):
    print(*(rank["names"][3] for rank in load(path)["table"]["ranks"]), sep="\n")


def places(path):
    print(*(f"{rank['names'][3]} {rank['cpus']}" for rank in load(path)["table"]["ranks"]), sep="\n")


def counts(path, *strides):
    profile = load(path)
    for process in profile["processes"]:
        wanted = collections.Counter()
        for stride, num_bytes in (map(int, word.split(":")) for word in strides):
            for peer in (process["rank"] - stride, process["rank"] + stride):
                if 0 <= peer < profile["size"]:
                    wanted[peer] += num_bytes
        found = {rank: num_bytes for rank, _, num_bytes in process["pairs"]}
        if found != wanted:
            sys.exit(f"rank {process['rank']}: {found} and not {wanted}")


COMMANDS = {"lanes": lanes, "said": said, "hosts": hosts, "places": places, "counts": counts}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]](*sys.argv[2:])
