# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""How docs/design.md numbers and orders, for the labs' oracles: worked out anew, without HiTopo's code."""
import re


def natural(name):
    """A key: n2 before n10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"\d+|\D+", name)]


def numbered(values, key=None):
    """0..n-1 in their order; -1 for None if others are known, else 0."""
    distinct = sorted({value for value in values if value is not None}, key=key)
    unknown = -1 if distinct else 0
    return [unknown if value is None else distinct.index(value) for value in values]


def shown(number, name):
    """As the labs compare a level of one process."""
    return "-1" if number < 0 else f"{number}:{name}"


def to_list(text):
    """"0-2,5" as a list."""
    numbers = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers
