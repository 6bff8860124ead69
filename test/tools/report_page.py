#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""The page of `hitopo report -f html` in a browser: what it shows is what this file works out from the profile.

    report_page.py HITOPO FIXTURES_DIR

Prints `pass NAME`, `fail NAME` or `skip NAME: WHY` for each test, and exits 1 if one fails.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

import browser

HERE = os.path.dirname(os.path.abspath(__file__))
failures = 0


def expect(name, got, wanted=True):
    global failures
    if got == wanted:
        print("pass", name, flush=True)
    else:
        failures += 1
        print("fail", name)
        print(f"    got    {got}\n    wanted {wanted}", flush=True)


# ---- what the profile says ----

def human(value, step, limit, units):
    if value < limit:
        return f"{value} {units[0]}"
    power = 0
    while value / step**power >= limit and power + 1 < len(units):
        power += 1
    rest = value / step**power
    return f"{rest:.{2 if rest < 9.995 else 1 if rest < 99.95 else 0}f} {units[power]}"


def human_bytes(value):
    return human(value, 1024, 1023.5, ["B", "KiB", "MiB", "GiB", "TiB"])


def human_ns(value):
    return human(value, 1000, 999.5, ["ns", "us", "ms", "s"])


def human_count(value):
    return str(value) if value < 100000 else human(value, 1000, 999.5, ["", "k", "M", "G"])


def entries_of(profile, ids):
    return [entry for process in profile["processes"] for entry in process["communicators"] if entry["id"] in ids]


def lines(profile):
    """The ids of each line of the page's list: equal communicators are one, and the most bytes come first."""
    equal = {}
    for id, one in enumerate(profile["communicators"]):
        equal.setdefault((one["name"], one["size"], one["remote_size"]), []).append(id)
    return sorted(equal.values(), key=lambda ids: -sum(
        call["bytes"] for entry in entries_of(profile, ids) for call in entry["calls"]))


class Sums:
    """Of a line. pairs: {(rank, peer): [messages, bytes, ns]}, of several communicators by rank in MPI_COMM_WORLD."""

    def __init__(self, profile, ids):
        entries = entries_of(profile, ids)
        self.lanes, self.calls, self.pairs, self.served = {}, {}, {}, {}
        served_calls = {}
        for entry in entries:
            communicator = profile["communicators"][entry["id"]]
            ranks = communicator["ranks"] if len(ids) > 1 else range(communicator["size"])
            peers = range(communicator["remote_size"]) if communicator["remote_size"] else ranks
            for peer, _, lane, messages, size, ns, fetches, fetched in entry["peers"]:
                self.add(self.pairs, (ranks[entry["rank"]], peers[peer]), [messages + fetches, size + fetched, ns])
                self.add(self.lanes, profile["lanes"][lane], [messages + fetches, size + fetched, 0])
            for lane, size in zip(profile["lanes"], entry["collective_bytes"]):
                self.add(self.lanes, lane, [0, 0, size])
            for call in entry.get("served", []):
                self.add(served_calls, call["call"], [call["count"]])
                for lane, *numbers in zip(profile["lanes"], call["messages"], call["bytes"], call["flat_bytes"]):
                    self.add(self.served, lane, numbers)
            for call in entry["calls"]:
                self.add(self.calls, call["call"], [call["count"], call["bytes"], call["ns"]])
        spans = {lane for id in ids for lane in profile["communicators"][id]["spans"]}
        self.lanes = {lane: sums for lane, sums in self.lanes.items() if any(sums) or lane in spans}
        self.served_calls = ", ".join(f"{human_count(count)} {name}" for name, (count,) in sorted(served_calls.items()))

    @staticmethod
    def add(table, key, numbers):
        table[key] = [a + b for a, b in zip(table.get(key, [0] * len(numbers)), numbers)]

    def lane_rows(self, profile):
        return [[lane, human_count(self.lanes[lane][0]), human_bytes(self.lanes[lane][1]), human_bytes(self.lanes[lane][2])]
                for lane in profile["lanes"] if lane in self.lanes]

    def served_rows(self, profile):
        return [[lane, human_count(self.served[lane][0]), *map(human_bytes, self.served[lane][1:])]
                for lane in profile["lanes"] if lane in self.lanes and self.served]

    def call_rows(self):
        rows = sorted(self.calls.items(), key=lambda call: (-call[1][2], call[0]))
        return [[name, human_count(count), human_bytes(size), human_ns(ns)] for name, (count, size, ns) in rows]

    def list_row(self):
        count, size, ns = (sum(call[i] for call in self.calls.values()) for i in range(3))
        messages = sum(pair[0] for pair in self.pairs.values())
        return [human_count(count), human_count(messages), human_bytes(size), human_ns(ns)]

    def summed(self, group_of):
        """{(group, group): bytes}"""
        sums = {}
        for (rank, peer), pair in self.pairs.items():
            key = group_of(rank), group_of(peer)
            sums[key] = sums.get(key, 0) + pair[1]
        return sums


# ---- what the page shows ----

def texts(page, selector, count):
    """The first `count` cells of each row."""
    return page.evaluate(f"""[...document.querySelectorAll({json.dumps(selector + ' tbody tr')})].map(
        (row) => [...row.children].slice(0, {count}).map((cell) => cell.textContent))""")


def text(page, selector):
    return page.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")


def readout(page):
    return dict(page.evaluate("""[...document.querySelectorAll('#readout dt')].map(
        (term) => [term.textContent, term.nextSibling.textContent])"""))


def choose(page, control, value):
    page.evaluate(f"""(() => {{ const control = document.getElementById({json.dumps(control)});
        control.value = {json.dumps(value)}; control.dispatchEvent(new Event('change')); }})()""")
    page.settle()


def pixel(page, x, y):
    """The canvas's colour at a point of the window."""
    return page.evaluate(f"""(() => {{ const canvas = document.getElementById('matrix');
        const box = canvas.getBoundingClientRect();
        return [...canvas.getContext('2d').getImageData(({x} - box.left) * devicePixelRatio,
            ({y} - box.top) * devicePixelRatio, 1, 1).data].slice(0, 3); }})()""")


def box(page):
    return page.evaluate("""(() => { const box = document.getElementById('matrix').getBoundingClientRect();
        return [box.left, box.top, box.width]; })()""")


def ramp_color(page, part):
    stops = [[int(stop.strip()[i:i + 2], 16) for i in (1, 3, 5)] for stop in page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--ramp')").split(",")]
    at = part * (len(stops) - 1)
    low = min(int(at), len(stops) - 2)
    return [a + (b - a) * (at - low) for a, b in zip(stops[low], stops[low + 1])]


def contrast(page, selector):
    """WCAG's ratio of an element's text to the card or page behind it."""
    colors = page.evaluate(f"""(() => {{ let at = document.querySelector({json.dumps(selector)});
        const ink = getComputedStyle(at).color;
        while (getComputedStyle(at).backgroundColor === 'rgba(0, 0, 0, 0)') {{ at = at.parentElement; }}
        return [ink, getComputedStyle(at).backgroundColor].map((color) => color.match(/[0-9.]+/g).map(Number)); }})()""")
    light = []
    for color in colors:
        linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055)**2.4 for c in color[:3]]
        light.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(light) + 0.05) / (min(light) + 0.05)


# ---- tests ----

DRAWN = "document.documentElement?.dataset.state === 'drawn'"


def check_clean(page, name):
    expect(f"{name}: nothing on the console, no dialog", page.errors(), [])
    expect(f"{name}: no network", [url for url in page.requests() if not url.startswith(("file:", "data:", "about:"))], [])


def check_numbers(page, name, profile, id):
    """Of line `id`, which the page shows."""
    sums = Sums(profile, lines(profile)[id])
    expect(f"{name} {id}: lanes", texts(page, "#lanes", 4), sums.lane_rows(profile))
    shown = page.evaluate("document.getElementById('served').offsetHeight > 0")
    expect(f"{name} {id}: what was served is shown where there is some", shown, bool(sums.served))
    if sums.served:
        expect(f"{name} {id}: served lanes", texts(page, "#served-lanes", 4), sums.served_rows(profile))
        expect(f"{name} {id}: served calls", text(page, "#served-calls"), sums.served_calls)
    expect(f"{name} {id}: calls", texts(page, "#calls", 4), sums.call_rows())
    expect(f"{name} {id}: list", texts(page, "#communicators", 8)[id][4:], sums.list_row())
    expect(f"{name} {id}: how many", texts(page, "#communicators", 2)[id][1], str(len(lines(profile)[id])))
    expect(f"{name} {id}: peers are shown if there are some",
           page.evaluate("[document.getElementById('with-peers').hidden, document.getElementById('no-peers').textContent]"),
           [False, ""] if sums.pairs else [True, "No messages between single peers."])
    if not sums.pairs:
        return sums
    expect(f"{name} {id}: cells", page.evaluate("Number(document.getElementById('matrix').dataset.cells)"),
           len(sums.pairs))
    sizes = [pair[1] for pair in sums.pairs.values() if pair[1] > 0] or [0]
    expect(f"{name} {id}: scale", [text(page, "#least"), text(page, "#most")],
           [human_bytes(min(sizes)), human_bytes(max(sizes))])
    heaviest = sorted((pair[1] for pair in sums.pairs.values()), reverse=True)[:20]
    expect(f"{name} {id}: heaviest pairs", [row[4] for row in texts(page, "#pairs", 5)], list(map(human_bytes, heaviest)))
    return sums


def check_whole(page, name, profile):
    """The first block of the page. An only communicator does not say the same once more."""
    expect(f"{name}: the whole job comes first", text(page, "main h2"), "Whole job")
    whole = Sums(profile, range(len(profile["communicators"])))
    expect(f"{name}: lanes of the whole job", texts(page, "#whole-lanes", 4), whole.lane_rows(profile))
    processes, seconds = len(profile["processes"]), profile["seconds"]
    ns = sum(call[2] for call in whole.calls.values())
    share = 100 * ns / 1e9 / processes / seconds
    expect(f"{name}: its run time", text(page, "#run-time"), f"Run time {seconds:.4g} s")
    expect(f"{name}: its share of MPI", text(page, "#in-mpi"), "In MPI " + ("<1" if 0 < share < 1 else f"{share:.0f}") +
           f" %: calls on registered communicators, {human_ns(ns)} of {processes} x {seconds:.4g} s")
    expect(f"{name}: lanes of an only communicator are these", page.evaluate("document.getElementById('lanes').offsetHeight > 0"),
           len(lines(profile)) > 1)


def check_small(page, path, profile):
    for id, communicator in enumerate(profile["communicators"]):
        page.open(path, f"#communicator={id}", DRAWN)
        check_numbers(page, "small", profile, id)
        check_clean(page, f"small {id}")
    page.open(path, "#communicator=1", DRAWN)
    hostile = profile["communicators"][1]["name"].replace("\x1b", "\\x1b")
    expect("a hostile name is text", text(page, "#chosen-title"), hostile)
    expect("a hostile name makes no element", page.evaluate("document.scripts.length"), 5)
    expect("the warning", text(page, "#warnings"), "Warning: rank 3 left out 7 messages \\x07")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    expect("no other script runs", page.evaluate("window.ran === undefined"))
    page.open(path, "", DRAWN)
    most = max(range(len(lines(profile))), key=lambda id: sum(
        lane[1] + lane[2] for lane in Sums(profile, lines(profile)[id]).lanes.values()))
    expect("the page opens the communicator with the most bytes",
           page.evaluate("document.querySelector('#communicators .chosen').dataset.id"), str(most))
    expect("each rank is beside its row and above its column",
           page.evaluate("Number(document.getElementById('matrix').dataset.labels)"),
           2 * len(profile["communicators"][most]["ranks"]))
    page.evaluate("document.querySelectorAll('#communicators .link')[2].click()")
    expect("a click chooses a communicator", text(page, "#chosen-title"), "to the server")
    expect("the matrix as a table", texts(page, "#matrix-table", 3), [["0 (n2 socket 0 core 0)", "", "64 B"],
                                                                     ["1 (n2 socket 1 core 0)", "", ""]])


def check_sorting(page, profile):
    times = [sum(call[2] for call in Sums(profile, ids).calls.values()) for ids in lines(profile)]
    click = "[...document.querySelectorAll('#communicators th button')].find((b) => b.textContent === 'time').click()"
    page.evaluate(click)
    expect("sorted by time", [row[7] for row in texts(page, "#communicators", 8)],
           list(map(human_ns, sorted(times, reverse=True))))
    page.evaluate(click)
    expect("sorted the other way", [row[7] for row in texts(page, "#communicators", 8)], list(map(human_ns, sorted(times))))


def check_cells(page, name, sums, size):
    """Some cells: their colour before the pointer comes, and what the readout says of them then."""
    left, top, width = box(page)
    gutter = float(page.evaluate("document.getElementById('matrix').style.getPropertyValue('--gutter')"))
    plot = width - gutter - 1
    sizes = [pair[1] for pair in sums.pairs.values()]
    for row, column in ((0, 1), (size - 1, 0), (size // 2, size // 3), (3, 3)):
        x = left + gutter + (column + 0.5) * plot / size
        y = top + gutter + (row + 0.5) * plot / size
        color = pixel(page, x, y)
        page.point(x, y)
        shown = readout(page)
        expect(f"{name}: the pair under the pointer", [shown["process"].split()[0], shown["peer"].split()[0]],
               [str(row), str(column)])
        pair = sums.pairs.get((row, column))
        if not pair:
            expect(f"{name}: a pair without traffic", shown["traffic"], "none")
            continue
        expect(f"{name}: its numbers", [shown["messages"], shown["bytes"], shown["time"]],
               [human_count(pair[0]), human_bytes(pair[1]), human_ns(pair[2])])
        wanted = ramp_color(page, math.log(pair[1] / min(sizes)) / math.log(max(sizes) / min(sizes)))
        expect(f"{name}: its colour {color}, wanted {wanted}", max(abs(a - b) for a, b in zip(color, wanted)) < 4)
        page.point(1, 1)


def check_keys(page):
    page.evaluate("document.getElementById('matrix').focus()")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.press(key)
    before = readout(page)
    page.press("ArrowLeft")
    after = readout(page)
    step = [int(after[name].split()[0]) - int(before[name].split()[0]) for name in ("process", "peer")]
    expect("arrow keys move the focus", step, [0, -1])
    pixels = "document.getElementById('matrix').toDataURL()"
    whole = page.evaluate(pixels)
    page.press("+")
    zoomed = page.evaluate(pixels)
    page.press("0")
    expect("+ zooms, 0 shows all again", [zoomed != whole, page.evaluate(pixels) == whole], [True, True])


def check_nodes(page, sums, per_node):
    choose(page, "cells", "node")
    nodes = sums.summed(lambda rank: rank // per_node)
    expect("by node: cells", page.evaluate("Number(document.getElementById('matrix').dataset.cells)"), len(nodes))
    expect("by node: scale", [text(page, "#least"), text(page, "#most")],
           [human_bytes(min(nodes.values())), human_bytes(max(nodes.values()))])
    choose(page, "cells", "rank")
    choose(page, "metric", "messages")
    expect("by messages: scale", text(page, "#most"), human_count(max(pair[0] for pair in sums.pairs.values())))


def check_schemes(page):
    light = {}
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        light[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        for selector in ("h1", "#job", "#lanes th", "#readout", ".quiet", "#communicators .chosen button", "#least"):
            expect(f"{scheme}: {selector} can be read", contrast(page, selector) >= 4.5)
    expect("light is light and dark is dark", [min(light["light"]) > 200, max(light["dark"]) < 50], [True, True])
    page.scheme("light")


def extreme(profile):
    """The largest numbers, an intercommunicator to very many, and nothing known of places."""
    most = 2**64 - 1
    profile["table"], profile["seconds"] = None, 1e300
    profile["communicators"][2].update(remote_size=2**31 - 1, ranks=[None, None], spans=[])
    profile["communicators"][0]["name"] = ""
    profile["processes"][0]["communicators"][0]["peers"] = [[1, 1, 8, most, most, most, most, most], [2, 2, 0, 0, 0, 0, 0, 0]]
    profile["processes"][2]["communicators"][1]["peers"] = [[2**31 - 2, None, 8, 1, 1, 1, 0, 0]]
    return profile


def check_extreme(page, path):
    for id in range(3):
        page.open(path, f"#communicator={id}", DRAWN)
        page.evaluate("document.getElementById('matrix').focus()")
        for key in ("ArrowRight", "ArrowRight", "+", "+", "ArrowLeft", "-", "0"):
            page.press(key)
        check_clean(page, f"extreme {id}")
    expect("extreme: its size", text(page, "#communicators tr[data-id='2'] td:nth-child(3)"), "2 + 2147483647")
    page.open(path, "#communicator=7&cells=street&metric=weight", DRAWN)
    check_clean(page, "an address that names nothing")


def without_peers(profile):
    """The profile as of a job of more than three processes with hitopo_prof_max_peers 3."""
    profile = json.loads(json.dumps(profile))
    profile["max_peers"] = 3
    for entry in (entry for process in profile["processes"] for entry in process["communicators"]):
        columns = {"messages": 3, "bytes": 4, "ns": 5, "fetches": 6, "fetched_bytes": 7}
        entry["peer_sums"] = {name: [sum(peer[column] for peer in entry["peers"] if peer[2] == lane)
                                     for lane in range(len(profile["lanes"]))] for name, column in columns.items()}
        entry["peers"] = []
    return profile


def check_without_peers(page, path, profile):
    """Lanes are those of the profile with peers; the page says that these are not there, and shows nothing of them."""
    for id in range(2):
        page.open(path, f"#communicator={id}", DRAWN)
        expect(f"no peers {id}: lanes", texts(page, "#lanes", 4), Sums(profile, [id]).lane_rows(profile))
        expect(f"no peers {id}: no matrix", page.evaluate("document.getElementById('matrix').offsetHeight"), 0)
        expect(f"no peers {id}: no pairs", page.evaluate("document.getElementById('pairs').offsetHeight"), 0)
        expect(f"no peers {id}: how to get them", "hitopo_prof_max_peers" in text(page, "#no-peers"))
        expect(f"no peers {id}: the address", page.evaluate("location.hash"), f"#communicator={id}")
        check_clean(page, f"no peers {id}")


def with_orders(profile):
    profile = json.loads(json.dumps(profile))
    order = {"call": "MPI_Cart_create", "size": 4, "count": 3, "candidate": "<b>", "is_weighted": False,
             "is_applied": False, "levels": ["switch", "node"], "before": [8, 40], "after": [8, 30]}
    profile["processes"][0]["orders"] = [order, {**order, "count": 1, "is_applied": True}]
    profile["processes"][0]["other_orders"] = 5
    return profile


def check_orders(page, path):
    page.open(path, "", DRAWN)
    crossings = "switch 8 -> 8, node 40 -> 30 (-25 %)"
    expect("orders", texts(page, "#orders-table", 6), [
        ["MPI_Cart_create", "3", "4", "not applied (<b>)", "pairs of neighbours", crossings],
        ["MPI_Cart_create", "1", "4", "applied (<b>)", "pairs of neighbours", crossings]])
    expect("orders: further kinds", text(page, "#other-orders"), "And 5 of further kinds.")
    check_clean(page, "orders")


def alone(profile):
    """MPI_COMM_WORLD alone, which is a single line, and another one on which nothing was called."""
    profile = json.loads(json.dumps(profile))
    profile["communicators"] = profile["communicators"][:1]
    for process in profile["processes"]:
        process["communicators"] = [entry for entry in process["communicators"] if entry["id"] == 0]
    return profile


def with_empty(profile):
    profile = alone(profile)
    profile["communicators"].append({**profile["communicators"][0], "id": 1, "name": "not used"})
    return profile


def check_empty(page, path):
    page.open(path, "#communicator=1", DRAWN)
    expect("a communicator without calls says so", text(page, "#chosen-facts"), "4 processes, registered \u00b7 no calls")
    expect("a communicator without calls has no tables", page.evaluate(
        "['columns', 'with-peers', 'no-peers'].map((id) => document.getElementById(id).offsetHeight)"), [0, 0, 0])
    check_clean(page, "a communicator without calls")


def grid(profile):
    """The processes of a node are a row: all rows have one name."""
    for communicator in profile["communicators"][1:]:
        communicator["name"] = "row"
    return profile


def check_grid(page, path, profile, rows, size):
    page.open(path, "#communicator=1", DRAWN)
    expect("grid: one line for all rows", [row[:2] for row in texts(page, "#communicators", 8)],
           [["MPI_COMM_WORLD", "1"], ["row", str(rows)]])
    expect("grid: what they are", text(page, "#chosen-facts").split(" \u00b7 ")[0],
           f"{rows} communicators of {size} processes, registered")
    check_whole(page, "grid", profile)
    sums = check_numbers(page, "grid", profile, 1)
    check_cells(page, "grid", sums, rows * size)
    check_nodes(page, sums, size)
    check_clean(page, "grid")


def duplicated(profile, count):
    """Ranks 0 and 1 send 8 bytes to each other on each of `count` communicators of one name."""
    profile = alone(profile)
    for id in range(1, count + 1):
        profile["communicators"].append({"id": id, "key": f"{id:016x}", "name": "library", "size": 2, "remote_size": 0,
                                         "ranks": [0, 1], "spans": ["node"], "is_registered": id > 3, "is_freed": id <= 3})
        for rank in (0, 1):
            profile["processes"][rank]["communicators"].append({
                "id": id, "rank": rank, "calls": [{"call": "MPI_Send", "count": 1, "bytes": 8, "ns": 1000}],
                "peers": [[1 - rank, 1 - rank, 3, 1, 8, 1000, 0, 0]], "collective_bytes": [0] * len(profile["lanes"])})
    return profile


def check_duplicates(page, path, profile, single, count):
    page.open(path, "#communicator=1", DRAWN)
    expect("duplicates: one line", [row[0] for row in texts(page, "#communicators", 1)], ["MPI_COMM_WORLD", "library"])
    expect("duplicates: some are freed", text(page, "#chosen-facts").split(" \u00b7 ")[0],
           f"{count} communicators of 2 processes, {count - 3} registered, 3 freed")
    check_numbers(page, "duplicates", profile, 1)
    expect("duplicates: the page is hardly larger than of one", os.path.getsize(path) < os.path.getsize(single) + 500)
    check_clean(page, "duplicates")


def compared_rows(a, b, lanes, columns):
    """What a table of two profiles shows: [lane, messages A, B, bytes A, B, difference, ratio] for each lane, and the sum."""
    rows, total = [], [[0, 0], [0, 0]]
    for lane in lanes:
        sides = [[sums.get(lane, [0, 0, 0])[column] if column is not None else 0 for column in columns] for sums in (a, b)]
        if sides != [[0, 0], [0, 0]]:
            rows.append([lane, sides])
            total = [[x + y for x, y in zip(*pair)] for pair in zip(total, sides)]
    shown = []
    for name, sides in rows + [["all", total]]:
        (messages_a, bytes_a), (messages_b, bytes_b) = sides
        counts = [] if columns[0] is None else [human_count(messages_a), human_count(messages_b)]
        change = bytes_b - bytes_a
        sign = "+" if change > 0 else "-" if change < 0 else ""
        ratio = "-" if bytes_a == 0 else "<0.01" if 0 < bytes_b < 0.005 * bytes_a else f"{bytes_b / bytes_a:.2f}"
        shown.append([name, *counts, human_bytes(bytes_a), human_bytes(bytes_b), sign + human_bytes(abs(change)), ratio])
    return shown if rows else []


def check_compared(page, name, path, a, b, id):
    """The card of communicator `id`, which both have; the tables of its single peers and of its flat collectives."""
    page.open(path)
    title = a["communicators"][id]["name"].replace("\x1b", "\\x1b") + ": "
    cards = page.evaluate("""[...document.querySelectorAll('section.card')].map((card) => [
        card.querySelector('h2').textContent, [...card.querySelectorAll('table')].map((table) =>
            [...table.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent.trim())))])""")
    tables = [card[1] for card in cards if card[0].startswith(title)][0]
    sums = [Sums(profile, [id]) for profile in (a, b)]
    wanted = [compared_rows(sums[0].lanes, sums[1].lanes, a["lanes"], columns) for columns in ((0, 1), (None, 2))]
    wanted.append(compared_rows(sums[0].served, sums[1].served, a["lanes"], (0, 1)))
    expect(f"{name} {id}: the tables", tables, [rows for rows in wanted if rows])
    widths = page.evaluate("""[...document.querySelectorAll('td svg')].map((svg) =>
        svg.firstChild.getBoundingClientRect().width / svg.getBoundingClientRect().width)""")
    expect(f"{name}: bars are parts of a whole", [len(widths) > 0, min(widths) >= 0, max(widths) <= 1.001], [True] * 3)
    expect(f"{name}: no script", page.evaluate("document.scripts.length"), 0)
    check_clean(page, name)
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        for selector in ("h1", "#a", "thead th", "tbody th", "tbody td", ".quiet"):
            expect(f"{name}, {scheme}: {selector} can be read", contrast(page, selector) >= 4.5)
    page.scheme("light")


def check_control(page, path):
    """The page's tests rest on seeing its errors."""
    with open(path, "w") as control:
        control.write("<script>throw 1</script><script>console.error('x')</script><img src='http://hitopo.invalid/x'>")
    page.open(path)
    expect("errors and network are seen", [len(page.errors()) >= 2, "http://hitopo.invalid/x" in page.requests()],
           [True, True])


def main():
    hitopo, fixtures = sys.argv[1:]
    missing = browser.missing()
    if missing:
        print(f"skip the page in a browser: no {missing} (Debian: {browser.PACKAGES}); NOTHING of the page is tested")
        return
    with tempfile.TemporaryDirectory() as scratch, browser.Browser() as page:
        def made(name, text):
            profile, path = os.path.join(scratch, name + ".json"), os.path.join(scratch, name + ".html")
            with open(profile, "w") as file:
                file.write(text)
            subprocess.run([hitopo, "report", profile, "-f", "html", "-o", path], check=True, timeout=300)
            return path, json.loads(text)

        def compared(name, *pages):
            """Of the profiles that the pages are of."""
            path = os.path.join(scratch, name + ".html")
            profiles = [page_path[:-len("html")] + "json" for page_path in pages]
            subprocess.run([hitopo, "report", "--compare", *profiles, "-f", "html", "-o", path], check=True, timeout=300)
            return path

        def generated(*shape):
            return subprocess.run([sys.executable, os.path.join(HERE, "make_profile.py"), *map(str, shape)], check=True,
                                  timeout=300, capture_output=True, text=True).stdout

        check_control(page, os.path.join(scratch, "control.html"))
        with open(os.path.join(fixtures, "profiles", "two-nodes.json")) as file:
            path, small = made("small", file.read())
        check_small(page, path, small)
        check_whole(page, "small", small)
        path, profile = made("alone", json.dumps(alone(small)))
        page.open(path, "", DRAWN)
        check_whole(page, "alone", profile)
        check_clean(page, "alone")
        check_empty(page, made("empty", json.dumps(with_empty(small)))[0])
        single, _ = made("single", json.dumps(duplicated(small, 1)))
        path, profile = made("duplicates", json.dumps(duplicated(small, 10000)))
        check_duplicates(page, path, profile, single, 10000)
        path, profile = made("grid", json.dumps(grid(json.loads(generated(40, 4, 2, 2)))))
        check_grid(page, path, profile, 10, 4)
        expect("peers: no word of their absence", page.evaluate("document.getElementById('no-peers').offsetHeight"), 0)
        check_without_peers(page, made("summed", json.dumps(without_peers(small)))[0], small)
        expect("no orders: no word of them", page.evaluate("document.getElementById('orders').offsetHeight"), 0)
        check_orders(page, made("orders", json.dumps(with_orders(small)))[0])
        check_extreme(page, made("extreme", json.dumps(extreme(small)))[0])
        path, profile = made("medium", generated(40, 4, 2, 2))
        page.open(path, "", DRAWN)
        sums = check_numbers(page, "40 ranks", profile, 0)
        check_cells(page, "40 ranks", sums, 40)
        check_keys(page)
        check_nodes(page, sums, 4)
        check_sorting(page, profile)
        check_schemes(page)
        check_clean(page, "40 ranks")
        (path_a, profile_a), (path_b, profile_b) = made("a", generated(40, 4, 2, 2)), made("b", generated(40, 8, 2, 2))
        check_compared(page, "two profiles", compared("two", path_a, path_b), profile_a, profile_b, 0)
        expect("two profiles: how the jobs differ", page.evaluate(
            "[...document.querySelectorAll('#warnings li')].map((item) => item.textContent)"),
            ["The jobs differ in their nodes: 5 only A has, and 0 only B.", "36 of 40 ranks are on another node in B."])
        expect("two profiles: what one has alone", page.evaluate("document.querySelectorAll('section.card li').length"), 15)
        with open(os.path.join(fixtures, "profiles", "two-nodes.json")) as file:
            small_path, small = made("small", file.read())
        check_compared(page, "a profile twice", compared("same", small_path, small_path), small, small, 1)
        expect("a profile twice: the warnings", page.evaluate("document.querySelectorAll('#warnings li').length"), 2)
        path, profile = made("large", generated(1000))
        page.open(path, "", DRAWN)
        check_numbers(page, "1000 ranks", profile, 0)
        check_nodes(page, Sums(profile, [0]), 16)
        check_clean(page, "1000 ranks")
        page.open(path, "#communicator=5", DRAWN)
        check_numbers(page, "1000 ranks", profile, 5)


main()
sys.exit(failures > 0)
