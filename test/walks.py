#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Proves that no file is missing in a walk of docs/tour.md, a section with "N files": there are so many, and they hang together,
where one of two includes the other or its header."""
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[1]
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def with_header(file):
    header = re.sub(r"\.\w+$", ".h", file)
    return {file} | ({header} if (ROOT / header).exists() else set())


def includes(file):
    return {name for one in with_header(file) for name in INCLUDE.findall((ROOT / one).read_text(encoding="utf-8"))}


def complaints(section):
    title, count = section.split("\n")[0], re.search(r"^(\d+) files", section, re.MULTILINE)
    if not count:
        return
    names = re.findall(r"`([\w/]+\.(?:cc|c|h))`", section)
    files = {name if (ROOT / name).exists() else f"ompi/mca/hitopo/{name}" for name in names}
    missing = sorted(file for file in files if not (ROOT / file).exists())
    if missing or len(files) != int(count.group(1)):
        yield f"{title}: {len(files)} files, not {count.group(1)}; not there: {missing}"
        return
    left = set(files)
    together = [left.pop()]
    for file in together:
        near = {other for other in left if with_header(other) & includes(file) or with_header(file) & includes(other)}
        left -= near
        together += sorted(near)
    if left:
        yield f"{title}: no include joins {sorted(left)} and {sorted(together)}"


for section in re.split(r"^## ", (ROOT / "docs/tour.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
    for complaint in complaints(section):
        print(f"docs/tour.md: {complaint}")
