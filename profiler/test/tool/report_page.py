#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""The page of `hitopo report -f html` in a browser: that its tables show the report's numbers (worked out by hand, as in
two-nodes.report.txt; report_test.cc has the numbers themselves), and what only a browser can show.

    report_page.py HITOPO FIXTURES_DIR

Prints `ok - NAME`, `not ok - NAME` or `ok - NAME # SKIP WHY` for each test, and exits 1 if one fails.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../test/tools"))
import browser  # noqa: E402

failures = 0


def expect(name, got, wanted=True):
    global failures
    if got == wanted:
        print("ok -", name, flush=True)
    else:
        failures += 1
        print("not ok -", name)
        print(f"    got    {got}\n    wanted {wanted}", flush=True)


# ---- what the pages have to show ----

# The tables of fixtures/profiles/two-nodes.json.
HOSTILE = "</script><script>alert(1)</script>\\x1b[31m"
SMALL = {
    "#groups": [["outside MPI", "53 %", "2.10 ms"], ["waiting for requests", "29 %", "1.15 ms"],
                ["messages that block", "18 %", "720 us"], ["starting messages", "<1 %", "21.5 us"],
                ["one-sided", "<1 %", "5.00 us"], ["collectives", "<1 %", "1.00 us"]],
    "#calls": [["MPI_Waitall", "2", "0 B", "1.15 ms", "29 %", "0 ns", "900 us"],
               ["MPI_Recv", "5", "0 B", "620 us", "16 %", "0 ns", "600 us"],
               ["MPI_Send", "7", "1.00 MiB", "99.7 us", "2 %", "0 ns", "96.0 us"],
               ["MPI_Isend", "10", "80 B", "20.0 us", "<1 %", "0 ns", "20.0 us"],
               ["MPI_Get", "2", "2.00 KiB", "5.00 us", "<1 %", "0 ns", "5.00 us"],
               ["MPI_Irecv", "10", "0 B", "1.50 us", "<1 %", "0 ns", "1.50 us"],
               ["MPI_Bcast", "1", "100 B", "1.00 us", "<1 %", "0 ns", "1.00 us"]],
    "#lanes": [["node", "14", "3.01 KiB", "100 B"], ["switch", "3", "1.00 MiB", "200 B"], ["unknown", "2", "64 B", "0 B"]],
    "#sizes": [["0 B", "1", "0 B"], ["< 64 B", "12", "144 B"], ["< 1 KiB", "3", "2.93 KiB"], ["< 64 KiB", "2", "2.00 KiB"],
               [">= 1 MiB", "1", "1.00 MiB"]],
    "#served-lanes": [["node", "1", "100 B", "100 B"], ["switch", "1", "100 B", "200 B"]],
    "#pairs-table": [["0 (n1 socket 0 core 0)", "2 (n2 socket 0 core 0)", "switch", "3", "1.00 MiB"],
                     ["0 (n1 socket 0 core 0)", "1 (n1 socket 1 core 0)", "node", "13", "3.01 KiB"],
                     ["2 (n2 socket 0 core 0)", "3 (n2 socket 1 core 0)", "node", "1", "0 B"]],
    "#kinds": [["(requests)", "-", "-", "2", "0", "0 B", "1.15 ms"], ["WORLD", "1", "4", "13", "7", "1.00 MiB", "723 us"],
               [HOSTILE, "1", "2", "20", "10", "80 B", "21.5 us"], ["to the server", "1", "2 + 2", "2", "2", "64 B", "3.00 us"]],
}
WORLD_CALLS = [["MPI_Recv", "5", "0 B", "620 us"], ["MPI_Send", "5", "1.00 MiB", "96.7 us"], ["MPI_Get", "2", "2.00 KiB", "5.00 us"],
               ["MPI_Bcast", "1", "100 B", "1.00 us"]]
WORLD_LANES = [["node", "4", "2.93 KiB", "100 B"], ["switch", "3", "1.00 MiB", "200 B"]]

# As units_test.cc has them.
UNITS = {
    "humanBytes(1023)": "1023 B", "humanBytes(1024)": "1.00 KiB", "humanBytes(10235)": "10.0 KiB",
    "humanBytes(1048063)": "1023 KiB", "humanBytes(1048064)": "1.00 MiB", "humanNs(999)": "999 ns", "humanNs(16250)": "16.2 us",
    "humanNs(12e9)": "12.0 s", "humanCount(99999)": "99999", "humanCount(100000)": "100 k", "percentText(0.009)": "<1 %",
    "percentText(0.125)": "12 %",
}

# Process, peer, and what the readout has of them: make_profile.py with 40 ranks.
CELLS = [(0, 1, ["socket", "14", "224 KiB"]), (20, 0, ["cluster", "41", "20.5 KiB"]), (25, 24, ["socket", "38", "608 KiB"]),
         (7, 8, ["island", "4", "256 B"]), (3, 3, None)]


def pairs_of(profile):
    """{(rank, peer): [messages, bytes]}"""
    return {(process["rank"], peer): counts for process in profile["processes"] for peer, *counts in process["pairs"]}


def summed(pairs, per_node):
    """Bytes by pair of nodes."""
    sums = {}
    for (rank, peer), (_, size) in pairs.items():
        nodes = rank // per_node, peer // per_node
        sums[nodes] = sums.get(nodes, 0) + size
    return sums


# ---- what the page shows ----

def texts(page, selector, count):
    """The first `count` cells of each row."""
    return page.evaluate(f"""[...document.querySelectorAll({json.dumps(selector + ' tbody tr:not(.below)')})].map(
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


def opened(page, selector, name):
    """Clicks on the line of that name and gives what it shows."""
    page.evaluate(f"""[...document.querySelectorAll({json.dumps(selector + ' tbody th button')})].find(
        (button) => button.textContent === {json.dumps(name)}).click()""")
    return selector + " tr.below:not([hidden])"


def check_tables(page, name, tables):
    for selector, rows in tables.items():
        expect(f"{name}: {selector}", texts(page, selector, len(rows[0])), rows)


def check_scale(page, name, sizes):
    """The matrix has these cells, of bytes."""
    expect(f"{name}: cells of the matrix", page.evaluate("Number(document.getElementById('matrix').dataset.cells)"), len(sizes))
    ends = [page.evaluate(f"humanBytes({end(size for size in sizes if size > 0)})") for end in (min, max)]
    expect(f"{name}: scale", [text(page, "#least"), text(page, "#most")], ends)


def check_opened(page):
    below = opened(page, "#kinds", "WORLD")
    check_tables(page, "an opened communicator", {below + " table[aria-label=Calls]": WORLD_CALLS,
                                                  below + " table[aria-label=Lanes]": WORLD_LANES})
    opened(page, "#kinds", "WORLD")
    expect("a second click closes it", page.evaluate("document.querySelectorAll('#kinds tr.below:not([hidden])').length"), 0)
    below = opened(page, "#calls", "MPI_Waitall")
    expect("an opened call: ranks", page.evaluate(
        f"[...document.querySelectorAll({json.dumps(below + ' i')})].map((cell) => cell.title)"),
           ["rank 0 (n1 socket 0 core 0): 0 ns", "rank 1 (n1 socket 1 core 0): 250 us", "rank 2 (n2 socket 0 core 0): 0 ns",
            "rank 3 (n2 socket 1 core 0): 900 us"])
    expect("ranks are in their nodes, and these in their switch", page.evaluate(
        f"[...document.querySelectorAll({json.dumps(below + ' .switch > .node > span')})].map((name) => name.textContent)"), ["n1", "n2"])
    colors = page.evaluate("[...document.querySelectorAll('#waits i')].map((cell) => cell.style.background.match(/\\d+/g).map(Number))")
    for rank, part in ((2, 0), (3, 1)):
        expect(f"the colour of rank {rank}", max(abs(a - b) for a, b in zip(colors[rank], ramp_color(page, part))) < 2)


def check_small(page, path):
    page.open(path, "", DRAWN)
    expect("the order of the page", page.evaluate("[...document.querySelectorAll('main h2')].map((h) => h.textContent)"),
           ["What to do next", "Time", "Who waits", "Bytes", "Communicators", "Orders of grids and graphs"])
    check_tables(page, "small", SMALL)
    for code, wanted in UNITS.items():
        expect(f"units: {code}", page.evaluate(code), wanted)
    expect("what was served", text(page, "#served-calls"), "1 MPI_Bcast")
    expect("a cell for each rank", page.evaluate("document.querySelectorAll('#waits i').length"), 4)
    expect("least and most", [text(page, "#waits-least"), text(page, "#waits-most")], ["least 23.7 us", "most 900 us"])
    check_scale(page, "small", [3080, 1050624, 0])
    check_opened(page)
    check_clean(page, "small")
    expect("a hostile name makes no element", page.evaluate("document.scripts.length"), 3)
    expect("the warning", text(page, "#warnings"), "Warning: rank 3 left out 7 messages \\x07")
    expect("advice has a command", text(page, "#next pre"), f"hitopo report {path[:-len('html')]}json --format html --output report.html")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    expect("no other script runs", page.evaluate("window.ran === undefined"))
    expect("each rank is beside its row and above its column",
           page.evaluate("Number(document.getElementById('matrix').dataset.labels)"), 2 * 4)
    expect("no orders: no word of them", page.evaluate("document.getElementById('orders').offsetHeight"), 0)
    expect("pairs: no word of their absence", page.evaluate("document.getElementById('no-pairs').offsetHeight"), 0)
    click = "[...document.querySelectorAll('#kinds th button')].find((b) => b.textContent === 'time').click()"
    for name, rows in (("sorted by time", SMALL["#kinds"]), ("sorted the other way", SMALL["#kinds"][::-1])):
        page.evaluate(click)
        check_tables(page, name, {"#kinds": rows})


def check_cells(page, pairs, size):
    """Some cells: their colour before the pointer comes, and what the readout has of them then."""
    left, top, width = box(page)
    gutter = float(page.evaluate("document.getElementById('matrix').style.getPropertyValue('--gutter')"))
    plot = width - gutter - 1
    sizes = [pair[1] for pair in pairs.values()]
    for row, column, wanted in CELLS:
        x = left + gutter + (column + 0.5) * plot / size
        y = top + gutter + (row + 0.5) * plot / size
        color = pixel(page, x, y)
        page.point(x, y)
        shown = readout(page)
        expect("the pair under the pointer", [shown["process"].split()[0], shown["peer"].split()[0]], [str(row), str(column)])
        if not wanted:
            expect("a pair without traffic", shown["traffic"], "none")
            continue
        expect("its numbers", [shown["lane"], shown["messages"], shown["bytes"]], wanted)
        part = math.log(pairs[row, column][1] / min(sizes)) / math.log(max(sizes) / min(sizes))
        expect(f"its colour {color}", max(abs(a - b) for a, b in zip(color, ramp_color(page, part))) < 4)
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


def check_nodes(page, pairs, per_node):
    choose(page, "cells", "node")
    check_scale(page, "by node", list(summed(pairs, per_node).values()))
    choose(page, "cells", "rank")
    choose(page, "metric", "messages")
    expect("by messages: scale", text(page, "#most"), str(max(pair[0] for pair in pairs.values())))


def check_schemes(page):
    light = {}
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        light[scheme] = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        for selector in ("h1", "#job", "#lanes th", "#readout", ".quiet", "#kinds tbody button", "#least", "pre"):
            expect(f"{scheme}: {selector} can be read", contrast(page, selector) >= 4.5)
    expect("light is light and dark is dark", [min(light["light"]) > 200, max(light["dark"]) < 50], [True, True])
    page.scheme("light")


def extreme(profile):
    """The largest numbers, and nothing known of places."""
    most = 2**64 - 1
    profile["table"], profile["seconds"] = None, 1e300
    profile["kinds"][2].update(remote_size=2**31 - 1)
    profile["kinds"][0]["name"] = ""
    profile["processes"][0]["kinds"][0].update(calls=[["MPI_Send", most, most, most]], lanes=[[8, most, most, most]])
    profile["processes"][0]["pairs"] = [[1, most, most], [2, 0, 0]]
    return profile


def check_extreme(page, path):
    page.open(path, "", DRAWN)
    page.evaluate("document.getElementById('matrix').focus()")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.press(key)
    expect("extreme: its size", "2 + 2147483647" in [row[2] for row in texts(page, "#kinds", 3)])
    check_clean(page, "extreme")


def without_pairs(profile):
    """The profile as of a job of more than three processes with hitopo_prof_max_peers 3."""
    profile = json.loads(json.dumps(profile))
    profile["max_peers"] = 3
    for process in profile["processes"]:
        del process["pairs"], process["unknown_pairs"]
    return profile


def check_without_pairs(page, path):
    page.open(path, "", DRAWN)
    check_tables(page, "no pairs", {"#lanes": SMALL["#lanes"]})
    expect("no pairs: no matrix", page.evaluate("document.getElementById('with-pairs').offsetHeight"), 0)
    expect("no pairs: how to get them", "hitopo_prof_max_peers" in text(page, "#no-pairs"))
    check_clean(page, "no pairs")


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


def check_compared(page, path):
    page.open(path)
    expect("two profiles: the text", "run time    12.5 s ->   12.5 s   1.00" in text(page, "pre"))
    check_clean(page, "two profiles")
    for scheme in ("light", "dark"):
        page.scheme(scheme)
        for selector in ("h1", "pre"):
            expect(f"two profiles, {scheme}: {selector} can be read", contrast(page, selector) >= 4.5)
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
        print(f"ok - the page in a browser # SKIP no {missing} (Debian: {browser.PACKAGES}); NOTHING of the page is tested")
        return
    with tempfile.TemporaryDirectory() as scratch, browser.Browser() as page:
        def made(name, text):
            profile, path = os.path.join(scratch, name + ".json"), os.path.join(scratch, name + ".html")
            with open(profile, "w") as file:
                file.write(text)
            subprocess.run([hitopo, "report", profile, "-f", "html", "-o", path], check=True, timeout=300)
            return path, json.loads(text)

        def generated(*shape):
            return subprocess.run([sys.executable, os.path.join(HERE, "make_profile.py"), *map(str, shape)], check=True,
                                  timeout=300, capture_output=True, text=True).stdout

        check_control(page, os.path.join(scratch, "control.html"))
        with open(os.path.join(fixtures, "profiles", "two-nodes.json")) as file:
            path, small = made("small", file.read())
        check_small(page, path)
        check_without_pairs(page, made("pairless", json.dumps(without_pairs(small)))[0])
        check_orders(page, made("orders", json.dumps(with_orders(small)))[0])
        path, profile = made("medium", generated(40, 4, 2, 2))
        page.open(path, "", DRAWN)
        check_cells(page, pairs_of(profile), 40)
        check_keys(page)
        check_nodes(page, pairs_of(profile), 4)
        check_schemes(page)
        check_clean(page, "40 ranks")
        compared = os.path.join(scratch, "two.html")
        subprocess.run([hitopo, "report", "--compare", *[path[:-len("html")] + "json"] * 2, "-f", "html", "-o", compared],
                       check=True, timeout=300)
        check_compared(page, compared)
        path, profile = made("large", generated(1000))
        page.open(path, "", DRAWN)
        check_scale(page, "1000 ranks", [pair[1] for pair in pairs_of(profile).values()])
        expect("1000 ranks: the heaviest pairs", len(texts(page, "#pairs-table", 1)), 20)
        check_nodes(page, pairs_of(profile), 16)
        check_clean(page, "1000 ranks")
        check_extreme(page, made("extreme", json.dumps(extreme(small)))[0])


main()
sys.exit(failures > 0)
