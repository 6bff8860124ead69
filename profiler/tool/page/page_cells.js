// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's traffic as the cells of a matrix: one for each pair of ranks, or of nodes, switches, ..

const METRICS = [
    {name: "bytes", human: humanBytes},
    {name: "messages", human: humanCount},
];

// The levels that one cell can stand for: ranks, and each level with places, innermost first.
function cellLevels({levels}) {
    const known = ["socket", "l2numa", "node", "switch", "island", "cluster"];
    return ["rank", ...known.filter((level) => levels.some(([other]) => other === level))];
}

// Ranks that lie in no place of the level stand for themselves.
function axis({order, levels, places: names}, level) {
    const places = level === "rank" ? [] : levels.filter((place) => place[0] === level);
    const cells = [];
    const cellOf = new Int32Array(order.length);
    let next = 0;
    for (let position = 0; position < order.length;) {
        const inPlace = next < places.length && places[next][1] === position;
        const end = inPlace ? places[next][2] : position + 1;
        for (let i = position; i < end; ++i) {
            cellOf[order[i]] = cells.length;
        }
        const rank = order[position];
        cells.push(inPlace ? {name: `${level} ${places[next][3]} (${end - position} ranks)`, label: ""}
                           : {name: rankName(names, rank), label: String(rank)});
        next += inPlace ? 1 : 0;
        position = end;
    }
    return {count: cells.length, name: (cell) => cells[cell].name, label: (cell) => cells[cell].label, cellOf: (rank) => cellOf[rank]};
}

function rankName(places, rank) {
    return places[rank] ? `${rank} (${places[rank]})` : String(rank);
}

// Cells row by row; those of row r are start[r] .. start[r + 1] - 1.
class Cells {
    constructor(profile, pairs, level) {
        this.axis = axis(profile, level);
        const most = pairs.reduce((sum, row) => sum + row[1].length, 0);
        this.start = new Int32Array(this.axis.count + 1);
        this.column = new Int32Array(most);
        this.lane = Array(most); // of ranks; of larger cells that of the last pair
        this.messages = new Float64Array(most);
        this.bytes = new Float64Array(most);
        this.fill(pairs);
    }

    fill(pairs) {
        const inRow = Array.from({length: this.axis.count}, () => []);
        for (const row of pairs) {
            inRow[this.axis.cellOf(row[0])].push(row);
        }
        this.count = 0;
        inRow.forEach((rows, cell) => {
            const slots = new Map();
            rows.forEach((row) => this.addRow(row, slots));
            this.start[cell + 1] = this.count;
        });
    }

    addRow([, peers, lanes, messages, bytes], slots) {
        for (let i = 0; i < peers.length; ++i) {
            const column = this.axis.cellOf(peers[i]);
            let slot = slots.get(column);
            if (slot === undefined) {
                slot = this.count++;
                slots.set(column, slot);
                this.column[slot] = column;
            }
            this.lane[slot] = lanes[i];
            this.messages[slot] += messages[i];
            this.bytes[slot] += bytes[i];
        }
    }

    // Its index, or -1.
    at(row, column) {
        for (let i = this.start[row]; i < this.start[row + 1]; ++i) {
            if (this.column[i] === column) {
                return i;
            }
        }
        return -1;
    }

    // The smallest above 0 and the largest.
    range(metric) {
        let least = Infinity;
        let most = 0;
        for (let i = 0; i < this.count; ++i) {
            const value = this[metric][i];
            least = value > 0 && value < least ? value : least;
            most = value > most ? value : most;
        }
        return most > 0 ? {least, most} : {least: 0, most: 0};
    }

    // {row, cell} of the `count` with the most bytes.
    heaviest(count) {
        const best = [];
        for (let row = 0; row < this.axis.count; ++row) {
            for (let cell = this.start[row]; cell < this.start[row + 1]; ++cell) {
                if (best.length < count || this.bytes[cell] > this.bytes[best[best.length - 1].cell]) {
                    best.push({row, cell});
                    best.sort((a, b) => this.bytes[b.cell] - this.bytes[a.cell]);
                    best.length = Math.min(best.length, count);
                }
            }
        }
        return best;
    }
}
