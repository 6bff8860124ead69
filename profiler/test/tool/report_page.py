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

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "../../../test/tools"))
import browser  # noqa: E402

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


def percent(part):
    return "<1 %" if 0 < part < 0.01 else f"{100 * part:.0f} %"


class Sums:
    """Of a kind, or of all. calls: {function: [count, bytes, ns, [ns of each process]]}."""

    def __init__(self, profile, id=None):
        self.profile = profile
        self.lanes, self.calls, self.pairs, self.served, served_calls = {}, {}, {}, {}, {}
        self.process_ns = {}
        for process in profile["processes"]:
            for peer, messages, size in process.get("pairs", []):
                self.pairs[process["rank"], peer] = messages, size
            self.process_ns[process["rank"]] = 0
            for entry in (entry for entry in process["kinds"] if id in (None, entry["id"])):
                self.add_entry(process["rank"], entry, served_calls)
        self.served_calls = ", ".join(f"{human_count(count)} {name}" for name, (count,) in sorted(served_calls.items()))
        self.ns = sum(self.process_ns.values())

    def add_entry(self, rank, entry, served_calls):
        for name, count, size, ns in entry["calls"]:
            self.add(self.calls, name, [count, size, ns])
            self.process_ns[rank] += ns
        for lane, *numbers in entry["lanes"]:
            self.add(self.lanes, self.profile["lanes"][lane], numbers)
        for call in entry.get("served", []):
            self.add(served_calls, call["call"], [call["count"]])
            for lane, *numbers in zip(self.profile["lanes"], call["messages"], call["bytes"], call["flat_bytes"]):
                self.add(self.served, lane, numbers)

    @staticmethod
    def add(table, key, numbers):
        table[key] = [a + b for a, b in zip(table.get(key, [0] * len(numbers)), numbers)]

    def rows_of(self, lanes):
        return [[lane, human_count(lanes[lane][0]), *map(human_bytes, lanes[lane][1:])]
                for lane in self.profile["lanes"] if any(lanes.get(lane, []))]

    def call_rows(self):
        rows = sorted(self.calls.items(), key=lambda call: (-call[1][2], call[0]))
        return [[name, human_count(count), human_bytes(size), human_ns(ns)] for name, (count, size, ns) in rows]

    def kind_row(self):
        count, size, ns = (sum(call[i] for call in self.calls.values()) for i in range(3))
        messages = sum(lane[0] for lane in self.lanes.values())
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


def check_numbers(page, name, profile):
    whole = Sums(profile)
    run = 1e9 * profile["seconds"] * len(profile["processes"])
    expect(f"{name}: the order of the page", page.evaluate("[...document.querySelectorAll('main h2')].map((h) => h.textContent)"),
           ["What to do next", "Time", "Who waits", "Bytes", "Communicators", "Orders of grids and graphs"])
    expect(f"{name}: outside MPI", texts(page, "#groups", 3)[0], ["outside MPI", percent(1 - whole.ns / run), human_ns(round(run) - whole.ns)])
    shares = [float(row[1].split()[0].strip("<")) for row in texts(page, "#groups", 2)]
    expect(f"{name}: groups have all the time", 96 <= sum(shares) <= 104)
    expect(f"{name}: calls", texts(page, "#calls", 4), whole.call_rows())
    expect(f"{name}: lanes", texts(page, "#lanes", 4), whole.rows_of(whole.lanes))
    expect(f"{name}: what was served", [texts(page, "#served-lanes", 4), text(page, "#served-calls")],
           [whole.rows_of(whole.served), whole.served_calls])
    kinds = sorted(((Sums(profile, kind["id"]), kind) for kind in profile["kinds"]), key=lambda pair: -pair[0].ns)
    expect(f"{name}: communicators", [row[3:] for row in texts(page, "#kinds", 7)], [sums.kind_row() for sums, _ in kinds])
    expect(f"{name}: a cell for each rank", page.evaluate("document.querySelectorAll('#waits i').length"), profile["size"])
    times = whole.process_ns.values()
    expect(f"{name}: least and most", [text(page, "#waits-least"), text(page, "#waits-most")],
           [f"least {human_ns(min(times))}", f"most {human_ns(max(times))}"])
    cells = page.evaluate("Number(document.getElementById('matrix').dataset.cells)")
    expect(f"{name}: cells of the matrix", cells, len(whole.pairs))
    sizes = [pair[1] for pair in whole.pairs.values() if pair[1] > 0]
    expect(f"{name}: scale", [text(page, "#least"), text(page, "#most")], [human_bytes(min(sizes)), human_bytes(max(sizes))])
    heaviest = sorted((pair[1] for pair in whole.pairs.values()), reverse=True)[:20]
    expect(f"{name}: heaviest pairs", [row[4] for row in texts(page, "#pairs-table", 5)], list(map(human_bytes, heaviest)))
    return whole


def check_opened(page, profile):
    sums = Sums(profile, 0)
    below = opened(page, "#kinds", "WORLD")
    expect("an opened communicator: calls", texts(page, below + " table[aria-label=Calls]", 4), sums.call_rows())
    expect("an opened communicator: lanes", texts(page, below + " table[aria-label=Lanes]", 4), sums.rows_of(sums.lanes))
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


def check_small(page, path, profile):
    page.open(path, "", DRAWN)
    check_numbers(page, "small", profile)
    check_opened(page, profile)
    check_clean(page, "small")
    hostile = profile["kinds"][1]["name"].replace("\x1b", "\\x1b")
    expect("a hostile name is text", hostile in [row[0] for row in texts(page, "#kinds", 1)])
    expect("a hostile name makes no element", page.evaluate("document.scripts.length"), 3)
    expect("the warning", text(page, "#warnings"), "Warning: rank 3 left out 7 messages \\x07")
    expect("advice has a command", text(page, "#next pre"), f"hitopo report {path[:-len('html')]}json --format html --output report.html")
    page.evaluate("document.body.append(Object.assign(document.createElement('script'), {text: 'window.ran = 1'}))")
    expect("no other script runs", page.evaluate("window.ran === undefined"))
    expect("each rank is beside its row and above its column",
           page.evaluate("Number(document.getElementById('matrix').dataset.labels)"), 2 * profile["size"])
    expect("no orders: no word of them", page.evaluate("document.getElementById('orders').offsetHeight"), 0)
    expect("pairs: no word of their absence", page.evaluate("document.getElementById('no-pairs').offsetHeight"), 0)


def check_sorting(page, profile):
    times = [Sums(profile, kind["id"]).ns for kind in profile["kinds"]]
    click = "[...document.querySelectorAll('#kinds th button')].find((b) => b.textContent === 'time').click()"
    for name, is_down in (("sorted by time", True), ("sorted the other way", False)):
        page.evaluate(click)
        expect(name, [row[6] for row in texts(page, "#kinds", 7)], list(map(human_ns, sorted(times, reverse=is_down))))


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
        expect(f"{name}: its numbers", [shown["messages"], shown["bytes"]], [human_count(pair[0]), human_bytes(pair[1])])
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


def check_without_pairs(page, path, profile):
    page.open(path, "", DRAWN)
    sums = Sums(profile)
    expect("no pairs: lanes", texts(page, "#lanes", 4), sums.rows_of(sums.lanes))
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


def check_compared(page, path, texts):
    page.open(path)
    shown = text(page, "pre")
    for line in texts:
        expect(f"two profiles: {line}", line in shown)
    expect("two profiles: no script", page.evaluate("document.scripts.length"), 0)
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
        check_without_pairs(page, made("pairless", json.dumps(without_pairs(small)))[0], small)
        check_orders(page, made("orders", json.dumps(with_orders(small)))[0])
        path, profile = made("medium", generated(40, 4, 2, 2))
        page.open(path, "", DRAWN)
        sums = check_numbers(page, "40 ranks", profile)
        check_cells(page, "40 ranks", sums, 40)
        check_keys(page)
        check_nodes(page, sums, 4)
        check_sorting(page, profile)
        check_schemes(page)
        check_clean(page, "40 ranks")
        path_a, path_b = made("a", generated(40, 4, 2, 2))[0], made("b", generated(40, 8, 2, 2))[0]
        check_compared(page, compared("two", path_a, path_b), [
            "The jobs differ in their nodes: 5 only A has, and 0 only B.", "36 of 40 ranks are on another node in B.",
            "run time    12.5 s ->   12.5 s   1.00", "MPI_Irecv"])
        path, profile = made("large", generated(1000))
        page.open(path, "", DRAWN)
        check_numbers(page, "1000 ranks", profile)
        check_nodes(page, Sums(profile), 16)
        check_clean(page, "1000 ranks")
        check_extreme(page, made("extreme", json.dumps(extreme(small)))[0])


main()
sys.exit(failures > 0)
