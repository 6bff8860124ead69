#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Counts directed pairs of neighbours in a grid that cross islands, switches and nodes.

    crossings.py MAP DIMS RANKS   8x4p; "0 4 1 5": the MPI_COMM_WORLD rank of each of the grid's
"""
import itertools
import re
import sys


def places(path):
    found = {}
    for line in open(path, encoding="utf-8"):
        if line.startswith("shape"):
            islands, switches, nodes, ranks = (int(number) for number in re.findall(r":(\d+)", line))
            for rank in range(islands * switches * nodes * ranks):
                node = rank // ranks
                found[rank] = (node // nodes // switches, node // nodes, node)
        else:
            first, last, *place = (int(number) for number in re.findall(r"\d+", line))
            found.update((rank, tuple(place)) for rank in range(first, last + 1))
    return found


def neighbours(cell, dims, periodic):
    for axis, step in itertools.product(range(len(dims)), (-1, 1)):
        other = list(cell)
        other[axis] += step
        if periodic[axis]:
            other[axis] %= dims[axis]
        if 0 <= other[axis] < dims[axis]:
            yield tuple(other)


def main():
    where = places(sys.argv[1])
    words = sys.argv[2].split("x")
    dims, periodic = [int(word.rstrip("p")) for word in words], [word.endswith("p") for word in words]
    cells = list(itertools.product(*(range(dim) for dim in dims)))
    at = dict(zip(cells, (where[int(rank)] for rank in sys.argv[3].split())))
    pairs = [(at[cell], at[other]) for cell in cells for other in neighbours(cell, dims, periodic)]
    print(*(sum(a[level] != b[level] for a, b in pairs) for level in range(3)))


main()
