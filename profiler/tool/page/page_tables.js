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

// Rows in the order that they have until a head is clicked; where `opened(row)` gives an element, a click on a row's name
// shows it below.
function sortableTable(label, columns, rows, opened) {
    const body = element("tbody", {});
    const lines = rows.map((row) => {
        const line = element("tr", {}, ...columns.map((column, i) => cellOf(column, row, i === 0)));
        return {row, line: opened ? openable(line, columns.length, () => opened(row)) : [line]};
    });
    const sortBy = (column, head) => {
        const isUp = head.ariaSort ? head.ariaSort === "descending" : Boolean(column.isName);
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.ariaSort = isUp ? "ascending" : "descending";
        lines.sort((a, b) => compared(column.value(a.row), column.value(b.row)) * (isUp ? 1 : -1));
        body.append(...lines.flatMap(({line}) => line));
    };
    const heads = columns.map((column) => {
        const head = headOf(column, () => sortBy(column, head));
        return head;
    });
    body.append(...lines.flatMap(({line}) => line));
    return element("table", {"aria-label": label}, element("thead", {}, element("tr", {}, ...heads)), body);
}

// The line, whose name becomes a button, and the one that it shows.
function openable(line, width, opened) {
    const place = element("td", {colspan: width});
    const below = element("tr", {class: "below", hidden: ""}, place);
    const button = element("button", {type: "button", class: "link", "aria-expanded": false}, line.firstChild.textContent);
    button.addEventListener("click", () => {
        below.hidden = !below.hidden;
        button.setAttribute("aria-expanded", !below.hidden);
        place.replaceChildren(...(below.hidden ? [] : [opened()]));
    });
    line.firstChild.replaceChildren(button);
    return [line, below];
}

const numbered = (label, value, human) => ({label, value, text: (row) => human(value(row))});
const named = (label, value) => ({label, value, text: value, isName: true});

// A number and its share of the largest.
function bar(value, largest, human) {
    const filling = element("i", {});
    if (value > 0) {
        const filled = element("b", {});
        filled.style.width = `${(100 * value) / largest}%`;
        filling.append(filled);
    }
    return element("div", {class: "bar"}, element("span", {}, human(value)), filling);
}

// Rows [name, text, a value for each kind {head, className, most}], which has a bar.
function barTable(label, heads, rows, kinds, human) {
    const body = rows.map(([name, text, ...values]) => element("tr", {},
        element("th", {scope: "row"}, name),
        element("td", {class: "number"}, text),
        ...kinds.map(({className, most}, i) => element("td", {class: className}, bar(values[i], most, human)))));
    return element("table", {"aria-label": label},
        element("thead", {}, element("tr", {}, ...[...heads, ...kinds.map(({head}) => head)].map((head, i) =>
            element("th", {scope: "col", ...(i === 1 ? {class: "number"} : {})}, head)))),
        element("tbody", {}, ...body));
}

function groupTable(groups, runNs) {
    const rows = groups.map(({group, ns}) => [group, percentText(runNs > 0 ? ns / runNs : 0), ns]);
    return barTable("Time", ["", "share"], rows, [{head: "time", className: "single", most: runNs || 1}], humanNs);
}

// Lanes that have something: messages, and two kinds of bytes, whose bars have one scale or two.
function byLane(label, lanes, messages, kinds, hasOneScale) {
    const rows = lanes.map((lane) => [lane.lane, humanCount(lane[messages]), ...kinds.map(([, bytes]) => lane[bytes]), lane[messages]])
        .filter((row) => row[2] + row[3] + row[4] > 0);
    const most = kinds.map((_, i) => Math.max(0, ...rows.map((row) => row[2 + i])));
    return barTable(label, ["lane", "messages"], rows, kinds.map(([head], i) => ({
        head, className: ["single", "collective"][i], most: hasOneScale ? Math.max(...most) : most[i]})), humanBytes);
}

const laneTable = (lanes) => byLane("Lanes", lanes, "messages",
    [["point-to-point bytes", "bytes"], ["collective bytes (estimated)", "collective_bytes"]], false);
const servedTable = (lanes) => byLane("Served", lanes, "served_messages",
    [["bytes that it sent", "served_bytes"], ["bytes that flat algorithms would send", "served_flat_bytes"]], true);

function sizeTable(sizes) {
    return sortableTable("Lengths of messages", [
        {label: "length", value: (row) => sizes.indexOf(row), text: (row) => row.length, isName: true},
        numbered("messages", (row) => row.messages, humanCount),
        numbered("bytes", (row) => row.bytes, humanBytes),
    ], sizes.filter(({messages}) => messages > 0));
}

function orderTable(rows) {
    return sortableTable("Orders", [
        named("call", (row) => row[0]),
        numbered("count", (row) => row[1], humanCount),
        numbered("processes", (row) => row[2], String),
        named("outcome", (row) => row[3]),
        named("what is counted", (row) => row[4]),
        named("across each level", (row) => row[5]),
    ], rows);
}

// Shares are of `all`.
function callTable(calls, all, opened) {
    return sortableTable("Calls", [
        named("call", (row) => row.call),
        numbered("count", (row) => row.count, humanCount),
        numbered("bytes", (row) => row.bytes, humanBytes),
        numbered("time", (row) => row.ns, humanNs),
        numbered("share", (row) => (all > 0 ? row.ns / all : 0), percentText),
        numbered("least", (row) => row.least_ns, humanNs),
        numbered("most", (row) => row.most_ns, humanNs),
    ], calls, opened);
}

function kindTable(kinds, opened) {
    return sortableTable("Communicators", [
        named("made by", (row) => row.name || "(no name)"),
        numbered("number", (row) => row.number, (number) => number || "-"),
        {label: "size", value: (row) => row.size, text: sizeText},
        numbered("calls", (row) => row.num_calls, humanCount),
        numbered("messages", (row) => row.messages, humanCount),
        numbered("bytes", (row) => row.call_bytes, humanBytes),
        numbered("time", (row) => row.ns, humanNs),
    ], kinds, opened);
}

function sizeText({size, remote_size: remote}) {
    return remote > 0 ? `${size} + ${remote}` : String(size || "-");
}
