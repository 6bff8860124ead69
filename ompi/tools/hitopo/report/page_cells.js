// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A communicator's traffic as the cells of a matrix: one for each pair of ranks, or of nodes, switches, ..

const METRICS = [
    {name: "bytes", human: humanBytes},
    {name: "messages", human: humanCount},
    {name: "ns", label: "time", human: humanNs},
];

// The levels that one cell can stand for: ranks, and each level with places, innermost first.
function cellLevels(communicator) {
    const levels = [...new Set(communicator.groups.map(([level]) => level))];
    const order = ["cluster", "island", "switch", "node", "l2numa", "socket"].filter((level) => levels.includes(level));
    return ["rank", ...(communicator.remote_size > 0 ? [] : order.reverse())];
}

// Ranks that lie in no place of the level stand for themselves.
function axis(profile, communicator, level) {
    const {order, groups, ranks} = communicator;
    const size = ranks.length;
    const places = level === "rank" ? [] : groups.filter((group) => group[0] === level);
    const names = [];
    const labels = []; // beside a rank's cell
    const cellOf = new Int32Array(size);
    let next = 0;
    for (let position = 0; position < size;) {
        const inPlace = next < places.length && places[next][1] === position;
        const end = inPlace ? places[next][2] : position + 1;
        for (let i = position; i < end; ++i) {
            cellOf[order[i]] = names.length;
        }
        names.push(inPlace ? `${places[next][0]} ${places[next][3]} (${end - position} ranks)`
                           : rankName(profile, knownRank(communicator, order[position]), ranks[order[position]]));
        labels.push(inPlace ? "" : knownRank(communicator, order[position]));
        next += inPlace ? 1 : 0;
        position = end;
    }
    return {count: names.length, name: (cell) => names[cell], label: (cell) => labels[cell], cellOf: (rank) => cellOf[rank]};
}

// Where several communicators are one entry: the rank in MPI_COMM_WORLD, where all processes outside that are one.
function knownRank({count, ranks}, rank) {
    return count === 1 ? String(rank) : ranks[rank] < 0 ? "outside" : String(ranks[rank]);
}

function rankName(profile, rank, worldRank) {
    const place = worldRank >= 0 ? profile.places[worldRank] : "";
    return place ? `${rank} (${place})` : rank;
}

// The other side of an intercommunicator, in the order of its ranks.
function remoteAxis(communicator) {
    return {count: communicator.remote_size, name: (cell) => `remote ${cell}`, label: String, cellOf: (rank) => rank};
}

// Cells row by row; those of row r are start[r] .. start[r + 1] - 1.
class Cells {
    constructor(profile, communicator, peers, level) {
        this.rows = axis(profile, communicator, level);
        this.columns = communicator.remote_size > 0 ? remoteAxis(communicator) : this.rows;
        const most = peers.reduce((sum, row) => sum + row[1].length, 0);
        this.start = new Int32Array(this.rows.count + 1);
        this.column = new Int32Array(most);
        this.lane = new Uint8Array(most);
        for (const name of ["messages", "bytes", "ns", "fetches", "fetched"]) {
            this[name] = new Float64Array(most);
        }
        this.fill(peers);
    }

    fill(peers) {
        const inRow = Array.from({length: this.rows.count}, () => []);
        for (const row of peers) {
            inRow[this.rows.cellOf(row[0])].push(row);
        }
        this.count = 0;
        inRow.forEach((rows, cell) => {
            const slots = new Map();
            rows.forEach((row) => this.addRow(row, slots));
            this.start[cell + 1] = this.count;
        });
    }

    addRow([, peers, lanes, messages, bytes, ns, fetches, fetched], slots) {
        for (let i = 0; i < peers.length; ++i) {
            const column = this.columns.cellOf(peers[i]);
            let slot = slots.get(column);
            if (slot === undefined) {
                slot = this.count++;
                slots.set(column, slot);
                this.column[slot] = column;
            }
            this.lane[slot] = Math.max(this.lane[slot], lanes[i]);
            this.messages[slot] += messages[i] + (fetches.length > 0 ? fetches[i] : 0);
            this.bytes[slot] += bytes[i] + (fetched.length > 0 ? fetched[i] : 0);
            this.ns[slot] += ns[i];
            this.fetches[slot] += fetches.length > 0 ? fetches[i] : 0;
            this.fetched[slot] += fetched.length > 0 ? fetched[i] : 0;
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
        for (let row = 0; row < this.rows.count; ++row) {
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
