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
            ...next.advice.flatMap(({text, command}) => [element("p", {}, `${text}:`), element("pre", {}, command)]),
            ...next.sentences.map((sentence) => element("p", {}, sentence)));
    }

    showTime() {
        const {run_ns: runNs, num_processes: processes, whole_job: {outside_ns: outside, groups, calls}} = this.profile;
        byId("run-time").textContent = `${humanNs(runNs)} = ${processes} \u00d7 ${humanNs(Math.floor(runNs / Math.max(processes, 1)))}`;
        byId("groups").append(groupTable([{group: "outside MPI", ns: outside}, ...groups], runNs));
        byId("calls").append(callTable(calls, runNs, ({call}) => this.ranksElement(this.profile.ranks_ns[call])));
    }

    // A cell for each rank, nested as its places; `ns` is of each of the profile's `ranks`.
    ranksElement(ns) {
        const {ranks, order, levels, places} = this.profile;
        const timeOf = new Map(ranks.map((rank, i) => [rank, ns[i]]));
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
        const {ranks, waits} = this.profile;
        const timeOf = new Map(waits.ranks.map(({rank, ns}) => [rank, ns]));
        byId("waits").replaceChildren(this.ranksElement(ranks.map((rank) => timeOf.get(rank))));
        byId("waits-least").textContent = ranks.length > 0 ? `least ${humanNs(waits.ranks[0].ns)}` : "";
        byId("waits-most").textContent = ranks.length > 0 ? `most ${humanNs(waits.ranks[ranks.length - 1].ns)}` : "";
    }

    showBytes() {
        const {whole_job: {lanes, sizes, served}, without_pairs: why} = this.profile;
        byId("lanes").append(laneTable(lanes));
        byId("sizes").append(sizeTable(sizes));
        byId("served").hidden = served.length === 0;
        byId("served-calls").textContent = served.map(({call, count}) => `${humanCount(count)} ${call}`).join(", ");
        byId("served-lanes").append(servedTable(lanes));
        this.pairs = parsed("pairs");
        const hasPairs = this.pairs.some(([, peers]) => peers.length > 0);
        byId("no-pairs").textContent = why ? `Pairs are ${why}.` : "No point-to-point messages.";
        byId("no-pairs").hidden = hasPairs;
        byId("with-pairs").hidden = !hasPairs;
        if (hasPairs) {
            this.listen();
            this.showMatrix();
            this.showPairs();
        }
    }

    listen() {
        this.matrix = new MatrixView(this.profile, (focus) => this.show_focus(focus));
        const levels = cellLevels(this.profile);
        byId("cells").append(...levels.map((level) => element("option", {}, level)));
        byId("cells").value = this.profile.order.length > 2000 && levels.includes("node") ? "node" : "rank"; // a pixel can show it
        byId("metric").append(...METRICS.map(({name}) => element("option", {}, name)));
        byId("cells").addEventListener("change", () => this.showMatrix());
        byId("metric").addEventListener("change", () => this.showMatrix());
    }

    showMatrix() {
        const [level, metric] = [byId("cells").value, byId("metric").value];
        this.cells = new Cells(this.profile, this.pairs, level);
        this.matrix.show(this.cells, level, metric);
        this.showLegend();
        this.show_focus(null);
    }

    showLegend() {
        const canvas = byId("ramp");
        const context = canvas.getContext("2d");
        readRamp().forEach(([red, green, blue], x) => {
            context.fillStyle = `rgb(${red} ${green} ${blue})`;
            context.fillRect(x, 0, 1, 1);
        });
        const {human} = METRICS.find(({name}) => name === byId("metric").value);
        const {least, most} = this.matrix.range;
        byId("least").textContent = human(least);
        byId("most").textContent = human(most);
        byId("legend").hidden = least === most;
    }

    // The pair under the pointer or the keys.
    show_focus(focus) {
        if (!focus) {
            byId("readout").replaceChildren(
                element("p", {class: "quiet"}, `Pairs with traffic: ${humanCount(this.cells.count)}.`));
            return;
        }
        const cell = this.cells.at(focus.row, focus.column);
        const facts = [["process", this.cells.axis.name(focus.row)], ["peer", this.cells.axis.name(focus.column)],
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
            named("process", ({row}) => cells.axis.name(row)),
            named("peer", ({cell}) => cells.axis.name(cells.column[cell])),
            named("lane", ({cell}) => cells.lane[cell]),
            numbered("messages", ({cell}) => cells.messages[cell], humanCount),
            numbered("bytes", ({cell}) => cells.bytes[cell], humanBytes),
        ], cells.heaviest(NUM_PAIRS)));
    }

    showKinds() {
        byId("kinds").append(kindTable(this.profile.communicators, ({ns, calls, lanes}) =>
            element("div", {class: "columns"}, callTable(calls, ns), laneTable(lanes))));
    }

    showOrders() {
        const {order_rows: rows, other_orders: others} = this.profile;
        byId("orders").hidden = rows.length === 0;
        byId("orders-table").append(orderTable(rows));
        byId("other-orders").textContent = others > 0 ? `And ${humanCount(others)} of further kinds.` : "";
    }
}

new Page();
document.documentElement.dataset.state = "drawn";
