// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The page, in the order of the report's text.

const NUM_PAIRS = 20;

class Page {
    constructor() {
        this.profile = parsed("profile");
        this.showJob();
        this.showTime();
        this.showWaits();
        this.showBytes();
        this.showKinds();
        this.showOrders();
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
            this.showWaits();
            if (this.cells) {
                this.showLegend();
            }
        });
    }

    showJob() {
        const {job, moment, hitopo, warnings, next} = this.profile;
        byId("job").textContent = `${job}; written ${moment} by HiTopo ${hitopo}`;
        byId("warnings").append(...warnings.map((warning) => element("li", {}, `Warning: ${warning}`)));
        byId("warnings").hidden = warnings.length === 0;
        byId("next").append(
            ...next.advice.flatMap(([text, command]) => [element("p", {}, `${text}:`), element("pre", {}, command)]),
            ...next.sentences.map((sentence) => element("p", {}, sentence)));
    }

    showTime() {
        const {run_ns: runNs, ranks, groups, calls} = this.profile;
        const each = ranks.length > 0 ? Math.floor(runNs / ranks.length) : 0;
        byId("run-time").textContent = `${humanNs(runNs)} = ${ranks.length} \u00d7 ${humanNs(each)}`;
        byId("groups").append(groupTable(groups, runNs));
        byId("calls").append(callTable(calls, runNs, (row) => this.ranksElement(row.ranks)));
    }

    // A cell for each rank, nested as its places; `ns` is of each of the profile's `ranks`.
    ranksElement(ns) {
        const {ranks, order, levels, places} = this.profile;
        const timeOf = new Map(ranks.map(([rank], i) => [rank, ns[i]]));
        const [least, most] = [Math.min(...ns), Math.max(...ns)];
        const ramp = readRamp();
        const ends = [{element: element("div", {class: "ranks"}), end: order.length}];
        const boxes = levels.filter(([level]) => level === "switch" || level === "node");
        let next = 0;
        order.forEach((rank, position) => {
            while (ends[ends.length - 1].end <= position) {
                ends.pop();
            }
            for (; next < boxes.length && boxes[next][1] === position; ++next) {
                const [level, , end, name] = boxes[next];
                const box = element("div", {class: level}, element("span", {}, name));
                ends[ends.length - 1].element.append(box);
                ends.push({element: box, end});
            }
            const time = timeOf.get(rank);
            const text = `rank ${rankName(places, rank)}: ${time === undefined ? "took no part" : humanNs(time)}`;
            const cell = element("i", {title: text, "data-rank": rank});
            if (time !== undefined) {
                cell.style.background = `rgb(${ramp[most > least ? Math.round((255 * (time - least)) / (most - least)) : 128].join(" ")})`;
            }
            ends[ends.length - 1].element.append(cell);
        });
        return ends[0].element;
    }

    showWaits() {
        const ns = this.profile.ranks.map(([, time]) => time);
        byId("waits").replaceChildren(this.ranksElement(ns));
        byId("waits-least").textContent = ns.length > 0 ? `least ${humanNs(Math.min(...ns))}` : "";
        byId("waits-most").textContent = ns.length > 0 ? `most ${humanNs(Math.max(...ns))}` : "";
    }

    showBytes() {
        const {lanes, sizes, served, without_pairs: why} = this.profile;
        byId("lanes").append(laneTable(lanes));
        byId("sizes").append(sizeTable(sizes));
        byId("served").hidden = !served;
        if (served) {
            byId("served-calls").textContent = served.calls.map(([name, count]) => `${humanCount(count)} ${name}`).join(", ");
            byId("served-lanes").append(servedTable(served.lanes));
        }
        this.pairs = parsed("pairs");
        const hasPairs = this.pairs.some(([, peers]) => peers.length > 0);
        byId("no-pairs").textContent = why ? `Pairs are ${why}.` : "No messages between single peers.";
        byId("no-pairs").hidden = hasPairs;
        byId("with-pairs").hidden = !hasPairs;
        if (hasPairs) {
            this.listen();
            this.showMatrix();
            this.showPairs();
        }
    }

    listen() {
        this.matrix = new MatrixView(this.profile, (focus) => this.tell(focus));
        const levels = cellLevels(this.profile);
        byId("cells").append(...levels.map((level) => element("option", {}, level)));
        byId("cells").value = this.profile.order.length > 2000 && levels.includes("node") ? "node" : "rank"; // a pixel can show it
        byId("metric").append(...METRICS.map(({name}) => element("option", {}, name)));
        byId("cells").addEventListener("change", () => this.showMatrix());
        byId("metric").addEventListener("change", () => this.showMatrix());
        byId("zoom-in").addEventListener("click", () => this.matrix.zoomBy(2));
        byId("zoom-out").addEventListener("click", () => this.matrix.zoomBy(0.5));
        byId("zoom-all").addEventListener("click", () => this.matrix.whole());
    }

    showMatrix() {
        const [level, metric] = [byId("cells").value, byId("metric").value];
        this.cells = new Cells(this.profile, this.pairs, level);
        this.matrix.show(this.cells, level, metric);
        this.showLegend();
        this.tell(null);
    }

    showLegend() {
        const canvas = byId("ramp");
        const context = canvas.getContext("2d");
        readRamp().forEach(([red, green, blue], x) => {
            context.fillStyle = `rgb(${red} ${green} ${blue})`;
            context.fillRect(x, 0, 1, 1);
        });
        const {human} = METRICS.find(({name}) => name === byId("metric").value);
        byId("least").textContent = human(this.matrix.range.least);
        byId("most").textContent = human(this.matrix.range.most);
    }

    // The pair under the pointer or the keys.
    tell(focus) {
        if (!focus) {
            byId("readout").replaceChildren(
                element("p", {class: "quiet"}, `Pairs with traffic: ${humanCount(this.cells.count)}.`));
            return;
        }
        const cell = this.cells.at(focus.row, focus.column);
        const facts = [["process", this.cells.rows.name(focus.row)], ["peer", this.cells.columns.name(focus.column)],
            ...(cell < 0 ? [["traffic", "none"]] : this.traffic(cell))];
        byId("readout").replaceChildren(element("dl", {}, ...facts.flatMap(([term, text]) =>
            [element("dt", {}, term), element("dd", {}, text)])));
    }

    traffic(cell) {
        const {lane, messages, bytes} = this.cells;
        return [...(byId("cells").value === "rank" ? [["lane", lane[cell]]] : []),
            ["messages", humanCount(messages[cell])], ["bytes", humanBytes(bytes[cell])]];
    }

    showPairs() {
        const cells = new Cells(this.profile, this.pairs, "rank");
        byId("pairs-table").append(sortableTable("Heaviest pairs", [
            named("process", ({row}) => cells.rows.name(row)),
            named("peer", ({cell}) => cells.columns.name(cells.column[cell])),
            named("lane", ({cell}) => cells.lane[cell]),
            numbered("messages", ({cell}) => cells.messages[cell], humanCount),
            numbered("bytes", ({cell}) => cells.bytes[cell], humanBytes),
        ], cells.heaviest(NUM_PAIRS)));
    }

    showKinds() {
        byId("kinds").append(kindTable(this.profile.kinds, ({ns, by_call: calls, lanes}) =>
            element("div", {class: "columns"}, callTable(calls, ns), laneTable(lanes))));
    }

    showOrders() {
        const {orders, other_orders: others} = this.profile;
        byId("orders").hidden = !orders;
        if (orders) {
            byId("orders-table").append(orderTable(orders));
            byId("other-orders").textContent = others > 0 ? `And ${humanCount(others)} of further kinds.` : "";
        }
    }
}

new Page();
document.documentElement.dataset.state = "drawn";
