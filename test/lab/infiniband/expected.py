#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""What a job should find in a fabric, read from its listing (ibnetdiscover) without HiTopo:

    expected.py table LISTING HOST...    the host of each rank; prints RANK SWITCH ISLAND, both as
                                         NUMBER:NAME, or -1 for a host without a link
    expected.py mads LISTING HOST...     prints HOST COUNT: packets that a host sends, of which the first at
                                         each leaf switch asks for its uplinks
    expected.py actual < JSON            prints what `hitopo show --format json` says, as `table` would
    expected.py sys LISTING FOLDER HOST...   writes each host's port as the kernel shows it, for verbs.c
"""
import json
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "oracle"))
from rules import natural, numbered, shown


def read_listing(path):
    """Names of switches, their links, number of ports; each host's leaf switch, port GUID and LID."""
    names, links, num_ports, hosts, switch = {}, {}, {}, {}, None
    for line in open(path):
        if begun := re.match(r'Switch\t(\d+) "S-([0-9a-f]+)"\t\t# "([^"]*)"', line):
            switch = begun[2]
            names[switch], links[switch], num_ports[switch] = begun[3], [], int(begun[1])
        elif line.startswith("Ca"):
            switch = None
        elif switch and (link := re.match(
                r'\[\d+\]\t"([SH])-([0-9a-f]+)"\[\d+\](?:\(([0-9a-f]+)\) )?\t\t# "([^"]*)" lid (\d+)', line)):
            links[switch].append(link[2] if link[1] == "S" else None)
            if link[1] == "H":
                hosts[link[4].split()[0]] = (switch, int(link[3], 16), int(link[5]))
    return names, links, num_ports, hosts


def islands(leaves, links):
    """The set of switches above each leaf's island: of the smallest largest set that holds the leaf's own."""
    above = {leaf: frozenset(peer for peer in links[leaf] if peer) for leaf in leaves}
    sets = set(above.values())
    largest = [s for s in sets if not any(s < other for other in sets)]
    homes = {}
    for leaf, own in above.items():
        fitting = sorted((s for s in largest if own <= s), key=len) if own else [own]
        is_unique = len(fitting) == 1 or len(fitting[0]) < len(fitting[1])
        homes[leaf] = fitting[0] if is_unique else own
    return homes


def print_table(path, job):
    names, links, _, hosts = read_listing(path)
    homes = islands({hosts[host][0] for host in job if host in hosts}, links)
    leaves = [hosts[host][0] if host in hosts else None for host in job]
    # A leaf without any switch above is its own home.
    of_islands = [leaf and names[min(homes[leaf]) if homes[leaf] else leaf] for leaf in leaves]
    print_rows(*(map(shown, numbered(values, natural), values)
                 for values in ([leaf and names[leaf] for leaf in leaves], of_islands)))


def print_rows(switches, of_islands):
    for rank, (switch, island) in enumerate(zip(switches, of_islands)):
        print(rank, switch, island)


def print_actual():
    table = json.load(sys.stdin)

    def level(number):
        return [shown(rank["address"][number], rank["names"][number]) for rank in table["ranks"]]

    print_rows(level(2), level(1))


def print_mads(path, job):
    _, links, num_ports, hosts = read_listing(path)
    led = set()
    for host in dict.fromkeys(job):
        if host not in hosts:
            continue
        leaf, count = hosts[host][0], 1
        if leaf not in led:
            led.add(leaf)
            # Its description, all other ports, their other ends, the description of one above.
            count += 1 + num_ports[leaf] - 1 + len(links[leaf]) - 1 + any(links[leaf])
        print(host, count)


def write_sys(path, folder, job):
    hosts = read_listing(path)[3]
    for host in job:
        _, guid, lid = hosts[host]
        hexed = f"fe80000000000000{guid:016x}"
        gid = ":".join(hexed[i:i + 4] for i in range(0, 32, 4))
        files = {"node_guid": "0", "ports/1/state": "4: ACTIVE", "ports/1/lid": hex(lid), "ports/1/gids/0": gid}
        for name, text in files.items():
            file = os.path.join(folder, host, name)
            os.makedirs(os.path.dirname(file), exist_ok=True)
            with open(file, "w") as out:
                out.write(text + "\n")


if sys.argv[1] == "actual":
    print_actual()
elif sys.argv[1] == "sys":
    write_sys(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    {"table": print_table, "mads": print_mads}[sys.argv[1]](sys.argv[2], sys.argv[3:])
