#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""What HiTopo has to find in a cluster of this lab, worked out from the cluster's file and the XML files of
its machines alone; written anew from docs/design.md, without HiTopo's code.

    expected.py rows   CLUSTER XMLS BINDING          what test/mpi/probe prints
    expected.py splits CLUSTER XMLS BINDING SPLIT..  what test/mpi/split_sizes prints
    expected.py table  CLUSTER XMLS BINDING          compares `hitopo show --format json` (standard input)

XMLS is the folder of the machines' files; BINDING is none, core or numa: process i of a node has its i-th one.
"""
import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "oracle"))
from rules import natural, numbered, to_list

NETWORK = {"hitopo://Switch": "switch", "hitopo://Node": "host", "type:0": "name"}


class Machine:
    """Sets of CPUs by resource type, as hwloc has them."""

    def __init__(self, path):
        self.types = {}
        self.add(ElementTree.parse(path).getroot(), 0)
        for instances in self.types.values():
            instances.sort(key=min)
        self.all = frozenset().union(*self.types["PU"])
        boards = [board for name in ("Group0", "Group1", "NUMANode") for board in self.types.get(name, []) if self.is_board(board)]
        boards = [board for board in set(boards) if not any(board < other for other in boards)]
        if boards:
            self.types["L2NUMA"] = sorted(boards, key=min)

    def add(self, parent, num_groups):
        """What lies below; num_groups: Groups around it."""
        for item in parent.findall("object"):
            is_group = item.get("type") == "Group"
            cpus = bits(item.get("complete_cpuset"))
            instances = self.types.setdefault(f"Group{num_groups}" if is_group else item.get("type"), [])
            if cpus and cpus not in instances:
                instances.append(cpus)
            self.add(item, num_groups + is_group)

    def is_board(self, cpus):
        inside = [package for package in self.types["Package"] if package <= cpus]
        return len(inside) >= 2 and cpus != self.all

    def holder(self, kind, cpus):
        """The one instance that holds these CPUs, or None."""
        found = [instance for instance in self.types.get(kind, []) if cpus <= instance]
        return found[0] if len(found) == 1 else None

    def number(self, kind, parent, cpus):
        """Its number among its siblings inside the parent's instance; None where it is not restricted."""
        around, own = self.holder(parent, cpus), self.holder(kind, cpus)
        if own is None or around is None:
            return None
        return [instance for instance in self.types[kind] if instance <= around].index(own)


class Process:
    def __init__(self, node, machine, cpus):
        self.node, self.machine, self.cpus = node, machine, cpus
        boards = "L2NUMA" if "L2NUMA" in machine.types else "Machine"
        self.l2numa = machine.number(boards, "Machine", cpus)
        self.socket = machine.number("Package", "Machine", cpus)  # not in its board, which cpuid cannot see
        self.core = machine.number("Core", "Package", cpus)

    def place(self, kind):
        """What it shares with all others that have an equal one; None where it is restricted to none."""
        if kind in NETWORK:
            return kind, self.node[NETWORK[kind]]
        if kind == "hitopo://L2NUMA":  # a node without is one
            kind = "L2NUMA" if "L2NUMA" in self.machine.types else "Machine"
        own = self.machine.holder(kind, self.cpus)
        return None if own is None else (kind, self.node["host"], own)


def bits(mask):
    """hwloc's 0x1,0x80000000,,0x3: words of 32 bits, the lowest last."""
    number = 0
    for word in mask.split(","):
        number = number << 32 | int(word or "0", 16)
    return frozenset(i for i in range(number.bit_length()) if number >> i & 1)


def read_cluster(path):
    nodes = []
    for line in open(path, encoding="ascii"):
        words = line.split()
        if words[:1] == ["node"]:
            node = dict(zip(("name", "switch", "machine", "size"), words[1:]), host=words[1])
            node.update(word.split("=") for word in words[5:])
            nodes.append(node)
    return nodes


def read_processes(cluster, xmls, binding):
    processes = []
    for node in read_cluster(cluster):
        machine = Machine(f"{xmls}/{node['machine']}.xml")
        kinds = {"none": [machine.all], "core": machine.types["Core"], "numa": machine.types["NUMANode"]}[binding]
        processes += [Process(node, machine, kinds[i % len(kinds)]) for i in range(int(node["size"]))]
    return processes


def addresses(processes):
    hosts = numbered([process.node["host"] for process in processes], natural)
    switches = numbered([process.node["switch"] for process in processes], natural)
    inside = [numbered([getattr(process, level) for process in processes]) for level in ("l2numa", "socket", "core")]
    return list(zip([0] * len(hosts), [0] * len(hosts), switches, hosts, *inside, hwthreads(processes)))


def hwthreads(processes):
    """The processes of one core by (thread if bound to one, else last; rank)."""
    if all(process.core is None for process in processes):
        return [0] * len(processes)
    numbers = []
    for rank, process in enumerate(processes):
        core = process.place("Core")
        before = [
            other
            for other_rank, other in enumerate(processes)
            if other.place("Core") == core and order(other, other_rank) < order(process, rank)
        ]
        numbers.append(-1 if core is None else len(before))
    return numbers


def order(process, rank):
    thread = process.machine.holder("PU", process.cpus)
    return (1, 0, rank) if thread is None else (0, min(thread), rank)


def domains(processes, kind):
    found = {}
    for rank, process in enumerate(processes):
        found.setdefault(process.place(kind), []).append(rank)
    found.pop(None, None)
    return list(found.values())


def all_kinds(processes):
    return [kind for kind in NETWORK if kind != "type:0"] + sorted({k for p in processes for k in p.machine.types})


def split_sizes(processes, split):
    if split == "unguided":
        candidates = [set(d) for kind in all_kinds(processes) for d in domains(processes, kind)]
        candidates = [d for d in candidates if len(d) < len(processes)]
        groups = [d for d in candidates if not any(d < other for other in candidates)]
    else:
        groups = domains(processes, split.removeprefix("hwloc://"))
    sizes = [0] * len(processes)
    for group in groups:
        for rank in group:
            sizes[rank] = len(group)
    return sizes


def differences(processes, table):
    """What `hitopo show` says otherwise, a line each."""
    rows = addresses(processes)
    if table["size"] != len(processes):
        yield f"size {table['size']}, not {len(processes)}"
        return
    for rank, (process, row, shown) in enumerate(zip(processes, rows, table["ranks"])):
        node = table["nodes"][shown["node"]]
        machine = table["machines"][node["machine"]]
        if tuple(shown["address"]) != row:
            yield f"rank {rank}: address {shown['address']}, not {row}"
        if (node["name"], node["switch"]) != (process.node["host"], process.node["switch"]) or rank not in node["ranks"]:
            yield f"rank {rank}: node {node}"
        if set(to_list(shown["cpus"])) != process.cpus:
            yield f"rank {rank}: CPUs {shown['cpus']}, not {sorted(process.cpus)}"
        types = {t["type"]: [frozenset(to_list(cpus)) for cpus in t["instances"]] for t in machine["types"]}
        if types != process.machine.types:
            yield f"rank {rank}: machine {types}, not {process.machine.types}"
        restricted = {kind: types[kind][index] for kind, index in shown["restricted"].items()}
        holders = {kind: process.machine.holder(kind, process.cpus) for kind in process.machine.types}
        if restricted != {kind: cpus for kind, cpus in holders.items() if cpus is not None}:
            yield f"rank {rank}: restricted to {restricted}, not {holders}"
    for warning in table["warnings"]:
        yield f"warning: {warning}"


def main():
    what, cluster, xmls, binding, *splits = sys.argv[1:]
    processes = read_processes(cluster, xmls, binding)
    if what == "rows":
        for row in addresses(processes):
            print(*row, sep=".")
    elif what == "splits":
        for split in splits:
            print(f"{split}:", *split_sizes(processes, split))
    else:
        found = list(differences(processes, json.load(sys.stdin)))
        print(*found, sep="\n")
        sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
