// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The page: a list of communicators, and all about the chosen one. The address keeps the choice, as in
// report.html#communicator=2&cells=node&metric=messages.

const MOST_TABLE_CELLS = 24 * 24;
const NUM_PAIRS = 20;

class Page {
    constructor() {
        this.profile = parsed("profile");
        this.profile.communicators.forEach((communicator, id) => { communicator.id = id; });
        this.matrix = new MatrixView(this.profile, (focus) => this.tell(focus));
        this.showJob();
        this.listen();
        const wanted = new URLSearchParams(location.hash.slice(1));
        this.wanted = {cells: wanted.get("cells"), metric: wanted.get("metric")};
        this.choose(wanted.has("communicator") ? Number(wanted.get("communicator")) : 0); // the most bytes
    }

    showJob() {
        const {job, moment, hitopo, warnings} = this.profile;
        byId("job").textContent = `${job}; written ${moment} by HiTopo ${hitopo}`;
        byId("warnings").append(...warnings.map((warning) => element("li", {}, `Warning: ${warning}`)));
        byId("warnings").hidden = warnings.length === 0;
        this.showWhole();
        this.showOrders();
        byId("several").hidden = this.profile.communicators.every(({count}) => count === 1);
        byId("communicators").append(this.profile.communicators.length > 0
            ? communicatorTable(this.profile, (id) => this.choose(id))
            : "No communicator was registered.");
    }

    // The lanes of an only communicator are those of the whole job.
    showWhole() {
        const {whole, communicators} = this.profile;
        byId("run-time").textContent = `Run time ${whole.run_time}`;
        byId("in-mpi").textContent = communicators.length > 0 ? `In MPI ${whole.in_mpi}` : "";
        byId("whole-lanes").append(laneTable(this.profile, whole));
        byId("own-lanes").hidden = communicators.length === 1;
    }

    showOrders() {
        const {orders, other_orders: others} = this.profile;
        byId("orders").hidden = !orders;
        if (orders) {
            byId("orders-table").replaceChildren(orderTable(orders));
            byId("other-orders").textContent = others > 0 ? `And ${humanCount(others)} of further kinds.` : "";
        }
    }

    listen() {
        byId("cells").addEventListener("change", () => this.showMatrix());
        byId("metric").addEventListener("change", () => this.showMatrix());
        byId("zoom-in").addEventListener("click", () => this.matrix.zoomBy(2));
        byId("zoom-out").addEventListener("click", () => this.matrix.zoomBy(0.5));
        byId("zoom-all").addEventListener("click", () => this.matrix.whole());
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.cells && this.showLegend());
        byId("metric").append(...METRICS.map(({name, label}) => element("option", {value: name}, label || name)));
    }

    choose(id) {
        const communicator = this.profile.communicators[id];
        byId("chosen").hidden = !communicator;
        if (!communicator) {
            return;
        }
        this.communicator = communicator;
        this.peers = parsed(`peers-${id}`);
        document.querySelectorAll("#communicators tbody tr").forEach((line) => {
            const isChosen = line.dataset.id === String(id);
            line.className = isChosen ? "chosen" : "";
            line.querySelector("button").setAttribute("aria-pressed", isChosen);
        });
        this.showFacts();
        byId("lanes").replaceChildren(laneTable(this.profile, communicator));
        this.showServed();
        byId("calls").replaceChildren(callTable(communicator));
        byId("columns").hidden = communicator.calls === 0;
        const hasPeers = this.peers.some(([, peers]) => peers.length > 0);
        const why = this.profile.without_peers || "No messages between single peers.";
        const without = hasPeers || communicator.calls === 0 ? "" : why;
        byId("no-peers").textContent = without;
        byId("no-peers").hidden = !without;
        byId("with-peers").hidden = !hasPeers;
        if (hasPeers) {
            this.showPeers();
        } else {
            history.replaceState(null, "", `#communicator=${id}`);
        }
    }

    showPeers() {
        const {communicator} = this;
        byId("world-ranks").hidden = communicator.count === 1;
        byId("cells").replaceChildren(...cellLevels(communicator).map((level) => element("option", {}, level)));
        byId("cells").value = this.firstCells();
        byId("metric").value = METRICS.some(({name}) => name === this.wanted.metric) ? this.wanted.metric : "bytes";
        this.showMatrix();
        this.showPairs();
    }

    showFacts() {
        const {name, sizes, state, calls, messages, bytes, collective_bytes: collective, ns} = this.communicator;
        const traffic = [
            `${humanCount(calls)} calls in ${humanNs(ns)}`,
            `${humanBytes(bytes)} in ${humanCount(messages)} messages between single peers`,
            `${humanBytes(collective)} by collectives (estimated)`];
        byId("chosen-title").textContent = name || "(no name)";
        byId("chosen-facts").textContent = [`${sizes}, ${state}`, ...(calls > 0 ? traffic : ["no calls"])].join(" \u00b7 ");
    }

    showServed() {
        const {served} = this.communicator;
        byId("served").hidden = !served;
        byId("far").hidden = !served && byId("own-lanes").hidden;
        if (served) {
            byId("served-calls").textContent = served.calls.map(([name, count]) => `${humanCount(count)} ${name}`).join(", ");
            byId("served-lanes").replaceChildren(servedTable(this.profile, this.communicator));
        }
    }

    // Ranks while a pixel can show one.
    firstCells() {
        const levels = cellLevels(this.communicator);
        if (levels.includes(this.wanted.cells)) {
            return this.wanted.cells;
        }
        return this.communicator.ranks.length > 2000 && levels.includes("node") ? "node" : "rank";
    }

    showMatrix() {
        const [level, metric] = [byId("cells").value, byId("metric").value];
        this.wanted = {cells: level, metric};
        history.replaceState(null, "", `#communicator=${this.communicator.id}&cells=${level}&metric=${metric}`);
        this.cells = new Cells(this.profile, this.communicator, this.peers, level);
        this.matrix.show(this.communicator, this.cells, level, metric);
        this.showLegend();
        this.tell(null);
        this.showMatrixTable();
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
        const {lane, messages, bytes, ns, fetches, fetched} = this.cells;
        const facts = [["lane", (byId("cells").value === "rank" ? "" : "up to ") + this.profile.lanes[lane[cell]]],
            ["messages", humanCount(messages[cell])], ["bytes", humanBytes(bytes[cell])], ["time", humanNs(ns[cell])]];
        if (fetches[cell] > 0) {
            facts.push(["of these", `${humanBytes(fetched[cell])} fetched in ${humanCount(fetches[cell])}`]);
        }
        return facts;
    }

    showPairs() {
        const cells = new Cells(this.profile, this.communicator, this.peers, "rank");
        const rows = cells.heaviest(NUM_PAIRS);
        byId("pairs").replaceChildren(sortableTable("Heaviest pairs", [
            named("process", ({row}) => cells.rows.name(row)),
            named("peer", ({cell}) => cells.columns.name(cells.column[cell])),
            named("lane", ({cell}) => this.profile.lanes[cells.lane[cell]]),
            numbered("messages", ({cell}) => cells.messages[cell], humanCount),
            numbered("bytes", ({cell}) => cells.bytes[cell], humanBytes),
            numbered("time", ({cell}) => cells.ns[cell], humanNs),
        ], rows));
    }

    // For readers of tables, while one can read it.
    showMatrixTable() {
        const {rows, columns} = this.cells;
        const isSmall = rows.count * columns.count <= MOST_TABLE_CELLS;
        byId("as-table").hidden = !isSmall;
        const {name, human} = METRICS.find((metric) => metric.name === byId("metric").value);
        const text = (row, column) => {
            const cell = this.cells.at(row, column);
            return cell < 0 ? "" : human(this.cells[name][cell]);
        };
        const across = isSmall ? [...Array(columns.count).keys()] : [];
        const down = isSmall ? [...Array(rows.count).keys()] : [];
        byId("matrix-table").replaceChildren(element("table", {"aria-label": "Matrix"},
            element("thead", {}, element("tr", {}, element("th", {scope: "col"}, "process"),
                ...across.map((column) => element("th", {scope: "col", class: "number"}, columns.name(column))))),
            element("tbody", {}, ...down.map((row) => element("tr", {}, element("th", {scope: "row"}, rows.name(row)),
                ...across.map((column) => element("td", {}, text(row, column))))))));
    }
}

new Page();
document.documentElement.dataset.state = "drawn";
