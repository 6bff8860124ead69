// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tables that a click on a column's head sorts.

// A column: label; value(row), by which it is sorted; text(row), a string or an element; isName for text.
function headOf(column, onSort) {
    const button = element("button", {type: "button"}, column.label);
    button.addEventListener("click", onSort);
    return element("th", {scope: "col", ...(column.isName ? {} : {class: "number"})}, button);
}

function cellOf(column, row, isFirst) {
    const kind = column.isName ? "name" : "number";
    const cell = element(isFirst ? "th" : "td", {class: kind, ...(isFirst ? {scope: "row"} : {})}, column.text(row));
    if (column.isName) {
        cell.title = cell.textContent;
    }
    return cell;
}

function compared(a, b) {
    return typeof a === "string" ? a.localeCompare(b, undefined, {numeric: true}) : a - b;
}

// Rows in the order that they have until a head is clicked; `mark(row)` may name a class.
function sortableTable(label, columns, rows, mark) {
    const body = element("tbody", {});
    const lines = rows.map((row) => {
        const line = element("tr", {}, ...columns.map((column, i) => cellOf(column, row, i === 0)));
        if (mark) {
            mark(row, line);
        }
        return {row, line};
    });
    const sortBy = (column, head) => {
        const isUp = head.ariaSort ? head.ariaSort === "descending" : Boolean(column.isName);
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.ariaSort = isUp ? "ascending" : "descending";
        lines.sort((a, b) => compared(column.value(a.row), column.value(b.row)) * (isUp ? 1 : -1));
        body.append(...lines.map(({line}) => line));
    };
    const heads = columns.map((column) => {
        const head = headOf(column, () => sortBy(column, head));
        return head;
    });
    body.append(...lines.map(({line}) => line));
    return element("table", {"aria-label": label}, element("thead", {}, element("tr", {}, ...heads)), body);
}

const numbered = (label, value, human) => ({label, value, text: (row) => human(value(row))});
const named = (label, value) => ({label, value, text: value, isName: true});

// A number and its share of the largest.
function bar(bytes, largest) {
    const filling = element("i", {});
    if (bytes > 0) {
        const filled = element("b", {});
        filled.style.width = `${(100 * bytes) / largest}%`;
        filling.append(filled);
    }
    return element("div", {class: "bar"}, element("span", {}, humanBytes(bytes)), filling);
}

function spansText(profile, communicator) {
    const lanes = communicator.spans.map((lane) => profile.lanes[lane]);
    return lanes.length < 2 ? lanes.join("") : `${lanes[0]} \u2013 ${lanes[lanes.length - 1]}`;
}

function sizeText({size, remote_size: remote}) {
    return remote > 0 ? `${size} + ${remote}` : String(size);
}

function communicatorTable(profile, onChoose) {
    const button = (row) => {
        const made = element("button", {type: "button", class: "link"}, row.name || "(no name)");
        made.addEventListener("click", () => onChoose(row.id));
        return made;
    };
    const columns = [
        {label: "name", value: (row) => row.name, text: button, isName: true},
        numbered("count", (row) => row.count, humanCount),
        {label: "size", value: (row) => row.size, text: sizeText},
        named("spans", (row) => spansText(profile, row)),
        numbered("calls", (row) => row.calls, humanCount),
        numbered("messages", (row) => row.messages, humanCount),
        numbered("bytes", (row) => row.call_bytes, humanBytes),
        numbered("time", (row) => row.ns, humanNs),
        named("state", (row) => row.state),
    ];
    return sortableTable("Communicators", columns, profile.communicators, (row, line) => {
        line.dataset.id = row.id;
    });
}

// The lanes that lie between two of its processes, or have traffic.
function laneRows(profile, communicator) {
    return communicator.lanes
        .map(([messages, bytes, collective], lane) => ({name: profile.lanes[lane], lane, messages, bytes, collective}))
        .filter((row) => row.messages + row.bytes + row.collective > 0 || communicator.spans.includes(row.lane));
}

// A row's name and messages, and two kinds of bytes with bars: {head, className, most, bytes(row)}.
function barTable(label, rows, kinds) {
    const body = rows.map((row) =>
        element("tr", {"data-lane": row.name},
            element("th", {scope: "row"}, row.name),
            element("td", {class: "number"}, humanCount(row.messages)),
            ...kinds.map(({className, most, bytes}) => element("td", {class: className}, bar(bytes(row), most)))));
    const heads = ["lane", "messages", ...kinds.map(({head}) => head)];
    return element("table", {"aria-label": label},
        element("thead", {}, element("tr", {}, ...heads.map((head, i) =>
            element("th", {scope: "col", ...(i === 1 ? {class: "number"} : {})}, head)))),
        element("tbody", {}, ...body));
}

function laneTable(profile, communicator) {
    const rows = laneRows(profile, communicator);
    const single = (row) => row.bytes;
    const collective = (row) => row.collective;
    return barTable("Lanes", rows, [
        {head: "bytes to single peers", className: "single", most: Math.max(...rows.map(single)), bytes: single},
        {head: "collective bytes (estimated)", className: "collective", most: Math.max(...rows.map(collective)), bytes: collective}]);
}

// Both columns are of the same calls, so their bars have one scale.
function servedTable(profile, {served, spans}) {
    const rows = served.lanes
        .map(([messages, sent, flat], lane) => ({name: profile.lanes[lane], lane, messages, sent, flat}))
        .filter((row) => row.messages + row.flat > 0 || spans.includes(row.lane));
    const most = Math.max(...rows.map((row) => Math.max(row.sent, row.flat)));
    return barTable("Served by coll/hitopo", rows, [
        {head: "bytes that it sent", className: "single", most, bytes: (row) => row.sent},
        {head: "if flat", className: "collective", most, bytes: (row) => row.flat}]);
}

function orderTable(orders) {
    const rows = orders.map(([call, count, size, outcome, unit, crossings]) => ({call, count, size, outcome, unit, crossings}));
    return sortableTable("Orders", [
        named("call", (row) => row.call),
        numbered("count", (row) => row.count, humanCount),
        numbered("processes", (row) => row.size, String),
        named("outcome", (row) => row.outcome),
        named("what is counted", (row) => row.unit),
        named("across each level", (row) => row.crossings),
    ], rows);
}

function callTable(communicator) {
    const rows = communicator.by_call.map(([name, count, bytes, ns]) => ({name, count, bytes, ns}));
    const share = (row) => (communicator.ns > 0 ? row.ns / communicator.ns : 0);
    return sortableTable("Calls", [
        named("call", (row) => row.name),
        numbered("count", (row) => row.count, humanCount),
        numbered("bytes", (row) => row.bytes, humanBytes),
        numbered("time", (row) => row.ns, humanNs),
        numbered("time each", (row) => (row.count > 0 ? Math.floor(row.ns / row.count) : 0), humanNs),
        numbered("share", share, (part) => `${(100 * part).toFixed(1)} %`),
    ], rows);
}
