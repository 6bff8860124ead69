#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Draws what `orders cells` prints: who has which cell of a grid, before and after. SVG on standard output."""
import sys

CELL = 20
HUES = (210, 25, 120, 280, 45, 170, 330, 85)


def color(switch, node, nodes):
    shade = nodes.index(node) / max(1, len(nodes) - 1)
    return f"hsl({HUES[switch % len(HUES)]},60%,{45 + 38 * shade:.0f}%)"


def grid(rows, columns, places, left, title):
    nodes_of = {switch: sorted({node for other, node in places if other == switch}) for switch, _ in places}
    print(f'<text x="{left}" y="16" font-family="sans-serif" font-size="13">{title}</text>')
    for cell, (switch, node) in enumerate(places):
        row, column = divmod(cell, columns)
        x, y = left + row * CELL, 26 + column * CELL
        print(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{color(switch, node, nodes_of[switch])}"/>')
        for other, line in ((cell + 1 if column + 1 < columns else None, (x, y + CELL, x + CELL, y + CELL)),
                            (cell + columns if row + 1 < rows else None, (x + CELL, y, x + CELL, y + CELL))):
            if other is not None and places[other] != places[cell]:
                width = 3 if places[other][0] != switch else 1
                print('<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="black" '.format(*line) + f'stroke-width="{width}"/>')


def main():
    rows, columns, before, after = (int(word) for word in sys.stdin.readline().split())
    cells = [tuple(int(word) for word in line.split()) for line in sys.stdin]
    width, height = 2 * rows * CELL + 60, columns * CELL + 40
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">')
    print('<rect width="100%" height="100%" fill="white"/>')  # captions are black, on a dark page too
    grid(rows, columns, [cell[:2] for cell in cells], 10, f"as ranks are: {before} pairs cross a switch")
    grid(rows, columns, [cell[2:] for cell in cells], rows * CELL + 50, f"in order: {after}")
    print("</svg>")


main()
