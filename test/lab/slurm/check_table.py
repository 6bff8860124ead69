#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Compares a table with a topology.conf, which it reads by itself.

    check_table.py TOPOLOGY_CONF variables|topology RANKS_A_NODE NODE... <table.json

variables: as Slurm's variables tell it, whose dots are ambiguous where names have dots too (docs/levels.md).
topology: as slurmctld or the file itself tells it. NODE...: the nodes of the job, in the order of ranks.
"""
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "oracle"))
from rules import to_list


def expand(expression):
    """"a[1-2,7], b": a1 a2 a7 b."""
    names = []
    for item in re.findall(r"(?:[^,\s\[]|\[[^\]]*\])+", expression):
        match = re.fullmatch(r"([^\[]*)\[([^\]]*)\](.*)", item)
        if not match:
            names.append(item)
            continue
        names += [match[1] + str(i) + match[3] for i in to_list(match[2])]
    return names


def as_one_name(names):
    """As Slurm prints the names of several switches: leaf[1-2]. Here they differ in one last digit."""
    if len(names) == 1:
        return names[0]
    stems = {name[:-1] for name in names}
    digits = sorted(int(name[-1]) for name in names)
    assert len(stems) == 1 and digits == list(range(digits[0], digits[-1] + 1)), names
    return "%s[%d-%d]" % (stems.pop(), digits[0], digits[-1])


class Topology:
    def __init__(self, path):
        self.nodes, self.below = {}, {}
        for line in open(path):
            pairs = re.findall(r'(\w+)=("[^"]*"|\S+)', line.partition("#")[0])
            settings = {key.lower(): value.strip('"') for key, value in pairs}
            if settings:
                self.nodes[settings["switchname"]] = expand(settings.get("nodes", ""))
                self.below[settings["switchname"]] = expand(settings.get("switches", ""))
        self.height = max((self.height_of(name) for name in self.nodes), default=-1)

    def height_of(self, name):
        return 1 + max((self.height_of(below) for below in self.below[name]), default=-1)

    def has(self, name, node):
        return node in self.nodes[name] or any(self.has(below, node) for below in self.below[name])

    def groups(self, node):
        """The switches above a node, outermost height first, "" where there is none."""
        heights = range(self.height, -1, -1)
        above = [sorted(n for n in self.nodes if self.height_of(n) == h and self.has(n, node)) for h in heights]
        return [as_one_name(names) if names else "" for names in above]

    def place(self, node, kind):
        """(path of the island, switch); None where unknown."""
        groups = self.groups(node)
        if kind == "variables" and len(groups) > 1 and any("." in name for name in groups):
            return None, ".".join(groups)
        island = tuple(name for name in groups[:-1] if name)
        return island or None, groups[-1] if groups and groups[-1] else None


def numbers_agree(level, found, wanted):
    """Equal numbers for equal places, dense from 0, -1 for what others know; 0 where nobody knows."""
    known = {place for place in wanted if place is not None}
    if not known:
        return set(found) == {0}
    pairs = set(zip(found, wanted))
    numbers = {number for number, place in pairs if place is not None}
    return (len(pairs) == len(set(wanted)) and numbers == set(range(len(known)))
            and all(number == -1 for number, place in pairs if place is None))


def main():
    path, kind, ranks_a_node, *nodes = sys.argv[1:]
    topology, table = Topology(path), json.load(sys.stdin)
    wanted = [node for node in nodes for _ in range(int(ranks_a_node))]
    errors = [] if len(table["ranks"]) == len(wanted) else ["%d ranks" % len(table["ranks"])]
    for rank, node in zip(table["ranks"], wanted):
        island, switch = topology.place(node, kind)
        expected = ["lab", island and island[-1], switch, node]
        if rank["names"][:4] != expected:
            errors.append("rank %d: %s, not %s" % (rank["rank"], rank["names"][:4], expected))
    places = [topology.place(node, kind) for node in wanted]
    for level, values in ((1, [p[0] for p in places]), (2, [p[1] for p in places]), (3, wanted)):
        found = [rank["address"][level] for rank in table["ranks"]]
        if not numbers_agree(level, found, values):
            errors.append("level %d: numbers %s for %s" % (level, found, values))
    print("\n".join(errors) or "agrees")
    sys.exit(1 if errors else 0)


main()
