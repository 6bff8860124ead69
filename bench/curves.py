#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Draws what `bench/run paper` prints: a panel for each collective and kind of machine, time against bytes.

    bench/run paper | bench/curves.py >docs/collectives-curves.svg

Of machines of one kind, a panel shows the largest one of which all sizes were simulated.
"""
import math
import sys

WIDTH, HEIGHT, LEFT, TOP = 260, 150, 60, 70  # of a panel; of the first one
ACROSS, DOWN = WIDTH + 50, HEIGHT + 40
TITLES = {"lab": "the lab", "fat-tree": "fat tree 2:1", "dragonfly": "dragonfly, 64 groups"}
LINES = {"bound": ("at least", "7 4"), "model": ("model", "2 3"), "simulated": ("simulated", "none")}

# Colours of either kind of page; the background is the page's own.
STYLE = """
text { font: 11px Helvetica, Arial, sans-serif; fill: #333 }
.title { font-size: 14px; font-weight: bold }
.frame { fill: none; stroke: #999 }
.grid { stroke: #999; stroke-opacity: 0.25 }
path { fill: none; stroke-width: 2 }
.bound { stroke: #777 } .model { stroke: #0072B2 } .simulated { stroke: #D55E00 }
"""


def rows_of(lines):
    """{kind: {collective: {processes: [row]}}}, but for alltoall, of which few lengths are served."""
    rows = {}
    for line in lines:
        words = line.split()
        if len(words) > 5 and "/" in words[0] and words[2].isdigit() and words[1] != "alltoall":
            kind, processes = words[0].split("/")
            row = {"bytes": int(words[2]), "bound": float(words[3]), "model": float(words[4]),
                   "simulated": None if words[5] == "-" else float(words[5])}
            rows.setdefault(kind, {}).setdefault(words[1], {}).setdefault(int(processes), []).append(row)
    return rows


def largest_simulated(by_size):
    return max(size for size, rows in by_size.items() if all(row["simulated"] for row in rows))


def short(number, units, base):
    """65536 bytes as "64 KiB"."""
    power = max(0, min(len(units) - 1, math.floor(math.log(number, base) + 1e-9)))
    return f"{number / base ** power:g} {units[power]}"


class Panel:
    """Logarithmic both ways."""

    def __init__(self, x, y, rows):
        self.x, self.y, self.rows = x, y, rows
        times = [row[line] for row in rows for line in LINES]
        self.least, self.most = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
        self.first, self.last = math.log2(rows[0]["bytes"]), math.log2(rows[-1]["bytes"])

    def place(self, size, us):
        return (self.x + WIDTH * (math.log2(size) - self.first) / (self.last - self.first),
                self.y + HEIGHT * (self.most - math.log10(us)) / (self.most - self.least))

    def draw(self, title):
        yield f'<text x="{self.x + 6}" y="{self.y + 16}">{title}</text>'
        for power in range(self.least, self.most + 1):
            _, y = self.place(self.rows[0]["bytes"], 10 ** power)
            yield f'<path class="grid" style="stroke-width:1" d="M{self.x} {y:.1f}h{WIDTH}"/>'
            label = short(10 ** power, ["us", "ms", "s"], 1000)
            yield f'<text x="{self.x - 4}" y="{y + 4:.1f}" text-anchor="end">{label}</text>'
        for row in self.rows[::2]:
            x, _ = self.place(row["bytes"], 1)
            label = short(row["bytes"], ["B", "KiB", "MiB"], 1024)
            yield f'<text x="{x:.1f}" y="{self.y + HEIGHT + 14}" text-anchor="middle">{label}</text>'
        yield f'<rect class="frame" x="{self.x}" y="{self.y}" width="{WIDTH}" height="{HEIGHT}"/>'
        for line, (_, dashes) in LINES.items():
            points = " ".join("%.1f,%.1f" % self.place(row["bytes"], row[line]) for row in self.rows)
            yield f'<path class="{line}" stroke-dasharray="{dashes}" d="M{points}"/>'


def legend():
    for i, (line, (name, dashes)) in enumerate(LINES.items()):
        x = LEFT + 110 * i
        yield f'<path class="{line}" stroke-dasharray="{dashes}" d="M{x} 20h30"/><text x="{x + 36}" y="24">{name}</text>'


def picture(rows):
    collectives = list(next(iter(rows.values())))
    width, height = LEFT + len(rows) * ACROSS, TOP + len(collectives) * DOWN
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}">')
    yield "<title>Time of collectives against bytes: at least, by the model, and simulated</title>"
    yield f"<style>{STYLE}</style>"
    yield '<rect width="100%" height="100%" fill="white"/>'
    yield from legend()
    for column, (kind, by_collective) in enumerate(rows.items()):
        x = LEFT + column * ACROSS
        yield f'<text class="title" x="{x}" y="{TOP - 14}">{TITLES[kind]}</text>'
        for line, collective in enumerate(collectives):
            y = TOP + line * DOWN
            size = largest_simulated(by_collective[collective])
            yield from Panel(x, y, by_collective[collective][size]).draw(f"{collective}, {size} processes")
    yield "</svg>"


if __name__ == "__main__":
    print("\n".join(picture(rows_of(sys.stdin))))
