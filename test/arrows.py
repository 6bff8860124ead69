#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""Proves that includes point down, by the table below, which docs/design.md draws.

    arrows.py [ROOT]    prints what breaks the rule, a line each; exit code 1 if there is something

A folder may include itself, what stands after its colon, and what those may (but a component's pure files
only core). Whatever is not below it is above it or beside it, so there is no circle either.
"""
import pathlib
import re
import sys

FRAMEWORK = "ompi/mca/hitopo"
COMPONENTS = sorted(file.parent.name for file in (pathlib.Path(__file__).parents[1] / FRAMEWORK).glob("*/owner.txt"))
INTERFACE = [f"{FRAMEWORK}/hitopo.h", f"{FRAMEWORK}/hitopo_level.h"]

# folder: what lies directly below it. The longest folder that a file lies in counts.
BELOW = {
    "core/text": [],
    "core/address": ["core/text"],
    "core/machine": ["core/address"],
    "core/network": ["core/address"],
    "core/record": ["core/machine", "core/network"],
    "core/tree": ["core/record"],
    "support": ["core/address", "core/machine", "hitopo_level.h"],
    **{component: ["support", "core/machine", "core/network", "hitopo.h"] for component in COMPONENTS},
    "hitopo_level.h": [],
    "hitopo.h": ["hitopo_level.h"],
    "base": ["core/tree", "support", "hitopo.h"],
}
BELOW = {f"{FRAMEWORK}/{folder}": [f"{FRAMEWORK}/{below}" for below in folders] for folder, folders in BELOW.items()}
BELOW |= {
    "ompi/mca/coll/hitopo": ["ompi/mca/coll/hitopo/core", f"{FRAMEWORK}/base"],
    "ompi/mca/coll/hitopo/core": [f"{FRAMEWORK}/core/address"],
    "ompi/mca/topo/hitopo": ["ompi/mca/topo/hitopo/core", f"{FRAMEWORK}/base"],
    "ompi/mca/topo/hitopo/core": [f"{FRAMEWORK}/core/address"],
    "ompi/communicator": [f"{FRAMEWORK}/base"],
    "ompi/mpiext/hitopo": ["ompi/communicator"],
    "ompi/mca/hook/hitopo": ["ompi/communicator"],
    f"{FRAMEWORK}/left_out.c": ["ompi/communicator"],
    "ompi/tools/hitopo": [f"{FRAMEWORK}/base", f"{FRAMEWORK}/file", "ompi/mca/coll/hitopo/core", "ompi/mca/topo/hitopo/core"],
    "preload": ["ompi/communicator"],
    "profiler/record": [],
    "profiler/traffic": [f"{FRAMEWORK}/core/address", "profiler/record"],
    "profiler/gather": [f"{FRAMEWORK}/core/address"],
    "profiler/tool": ["ompi/tools/hitopo", "profiler/record"],
    "profiler": ["ompi/mpiext/hitopo", "profiler/gather", "profiler/traffic"],
}

# May include core alone.
PURE = re.compile(rf"{FRAMEWORK}/(core/.*|({'|'.join(COMPONENTS)})/(?!hitopo_)\w+\.\w+)"
                  r"|ompi/mca/(coll|topo)/hitopo/core/.*|profiler/(gather|traffic)/.*|profiler/record/record\.h")

# What is left out where nlohmann_json is missing; nothing else may include its headers.
READS_JSON = re.compile(rf"{FRAMEWORK}/base/describe/.*|ompi/tools/hitopo|profiler")
JSON = re.compile(r"nlohmann/.*")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def home(path):
    """The folder of the table that a file lies in, or None."""
    while path and path not in BELOW:
        path = path.rpartition("/")[0]
    return path or None


def reach(folder):
    found, left = set(), [folder]
    while left:
        next_one = left.pop()
        if next_one not in found:
            found.add(next_one)
            left += BELOW[next_one]
    return found


def is_standard(header):
    return "/" not in header and "." not in header


def complaints(root):
    sources = [path for top in ("ompi", "preload", "profiler") for path in sorted((root / top).rglob("*"))
               if path.suffix in (".c", ".cc", ".h") and not path.is_relative_to(root / "profiler/test")]
    for path in sources:
        name = path.relative_to(root).as_posix()
        folder = home(name)
        if folder is None:
            yield f"{name} lies in no folder of the table in test/arrows.py"
            continue
        for mark, header in INCLUDE.findall(path.read_text(encoding="utf-8")):
            target = home(header) if (root / header).exists() or "made_" in header else None
            if PURE.fullmatch(name) and not is_standard(header):
                if mark == "<" or not PURE.fullmatch(header):
                    yield f"{name} is pure, and includes {header}"
                    continue
            if JSON.fullmatch(header) and not READS_JSON.match(name):
                yield f"{name} includes {header}, and is built without nlohmann_json, too"
            if target is not None and target not in reach(folder):
                yield f"{name} includes {header}, which is not below it"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(complaints(root))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
