// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The matrix on its canvas: colours on a logarithmic scale, the hierarchy beside it, zoom and focus.

const BAND = 17; // pixels of a level's band beside the plot
const MOST_CELL = 56; // of a cell's side
const LABELLED_CELL = 16; // the least side of a cell that has its rank beside it
const BANDED = ["island", "switch", "node", "socket"];
const LINE_WIDTHS = {cluster: 3, island: 2.5, switch: 1.5, node: 1, l2numa: 0.5, socket: 0.5};

// 256 colours as the numbers that ImageData holds, and as text.
function readRamp() {
    const stops = style("--ramp").split(",").map((hex) => parseInt(hex.trim().slice(1), 16));
    return Array.from({length: 256}, (_, i) => {
        const at = (i / 255) * (stops.length - 1);
        const low = Math.min(Math.floor(at), stops.length - 2);
        const mix = (shift) => {
            const from = (stops[low] >> shift) & 255;
            return Math.round(from + (((stops[low + 1] >> shift) & 255) - from) * (at - low));
        };
        return [mix(16), mix(8), mix(0)];
    });
}

class MatrixView {
    constructor(profile, onFocus) {
        this.profile = profile;
        this.onFocus = onFocus;
        this.canvas = byId("matrix");
        this.ground = document.createElement("canvas"); // all but the focus, which moves often
        this.focus = null;
        new MatrixInput(this);
        new ResizeObserver(() => this.cells && this.draw()).observe(this.canvas.parentElement);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.cells && this.draw());
    }

    show(cells, level, metric) {
        Object.assign(this, {cells, level, metric, range: cells.range(metric)});
        this.focus = null;
        this.whole();
    }

    whole() {
        this.view = {x: 0, y: 0, zoom: 1};
        this.draw();
    }

    // ---- geometry: a cell is 1, the view shows count / zoom of them ----

    // The levels that have room for a band beside a plot of `width`.
    bandsFor(width) {
        const room = (level) =>
            (width * this.view.zoom) / this.profile.levels.filter((group) => group[0] === level).length;
        return BANDED.filter((level) => room(level) >= 9 && room(level) < Infinity);
    }

    measure() {
        this.ratio = window.devicePixelRatio || 1;
        const {rows, columns} = this.cells;
        const most = Math.max(rows.count, columns.count) * MOST_CELL + (BANDED.length + 1) * BAND;
        const width = Math.min(this.canvas.parentElement.clientWidth, most);
        this.bands = this.bandsFor(width);
        this.hasLabels = this.level === "rank" && width / Math.max(this.columnsShown(), this.rowsShown()) >= LABELLED_CELL;
        this.gutter = Math.max(this.bands.length + (this.hasLabels ? 1 : 0), 1) * BAND + 2;
        this.plot = width - this.gutter - 1;
        for (const canvas of [this.canvas, this.ground]) {
            canvas.width = Math.round(width * this.ratio);
            canvas.height = Math.round(width * this.ratio);
        }
        this.canvas.style.width = `${width}px`;
        this.canvas.style.height = `${width}px`;
        this.canvas.style.setProperty("--gutter", this.gutter);
    }

    columnsShown() { return this.cells.columns.count / this.view.zoom; }
    rowsShown() { return this.cells.rows.count / this.view.zoom; }
    left(column) { return ((column - this.view.x) / this.columnsShown()) * this.plot; }
    top(row) { return ((row - this.view.y) / this.rowsShown()) * this.plot; }

    zoomBy(factor, centre) {
        const {rows, columns} = this.cells;
        const middle = centre || {x: this.view.x + this.columnsShown() / 2, y: this.view.y + this.rowsShown() / 2};
        const most = Math.max(1, Math.max(rows.count, columns.count) / 4);
        this.view.zoom = Math.min(Math.max(this.view.zoom * factor, 1), most);
        this.moveTo(middle.x - this.columnsShown() / 2, middle.y - this.rowsShown() / 2);
    }

    moveTo(x, y) {
        const {rows, columns} = this.cells;
        this.view.x = Math.min(Math.max(x, 0), columns.count - this.columnsShown());
        this.view.y = Math.min(Math.max(y, 0), rows.count - this.rowsShown());
        this.draw();
    }

    // ---- drawing ----

    draw() {
        this.measure();
        const context = this.ground.getContext("2d");
        this.drawCells(context);
        this.toPlot(context);
        this.drawGroups(context);
        this.canvas.dataset.labels = this.hasLabels ? this.drawLabels(context) : 0;
        this.canvas.dataset.cells = this.cells.count;
        this.present();
    }

    present() {
        const context = this.canvas.getContext("2d");
        context.setTransform(1, 0, 0, 1, 0, 0);
        context.clearRect(0, 0, this.canvas.width, this.canvas.height);
        context.drawImage(this.ground, 0, 0);
        this.toPlot(context);
        this.drawFocus(context);
    }

    // From here on in pixels of the window, from the plot's corner.
    toPlot(context) {
        context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
        context.translate(this.gutter, this.gutter);
    }

    // 0 for the least, 1 for the most.
    level01(value) {
        const {least, most} = this.range;
        return most > least ? Math.max(Math.log(value / least) / Math.log(most / least), 0) : 1;
    }

    // Where several cells share a pixel, the largest shows.
    drawCells(context) {
        const side = Math.round(this.plot * this.ratio);
        const levels = new Uint16Array(side * side);
        const values = this.cells[this.metric];
        const gap = (side / this.columnsShown() >= 8 ? 1 : 0);
        const {start, column} = this.cells;
        const firstRow = Math.floor(this.view.y);
        const endRow = Math.min(Math.ceil(this.view.y + this.rowsShown()), this.cells.rows.count);
        for (let row = firstRow; row < endRow; ++row) {
            const [top, bottom] = this.pixels(this.top(row), this.top(row + 1), side, gap);
            for (let cell = start[row]; cell < start[row + 1]; ++cell) {
                const x = this.left(column[cell]);
                if (x > -this.plot && x < this.plot) {
                    const [left, right] = this.pixels(x, this.left(column[cell] + 1), side, gap);
                    const level = 1 + Math.round(255 * (values[cell] > 0 ? this.level01(values[cell]) : 0));
                    for (let y = top; y < bottom; ++y) {
                        for (let at = y * side + left; at < y * side + right; ++at) {
                            levels[at] = level > levels[at] ? level : levels[at];
                        }
                    }
                }
            }
        }
        this.paint(context, levels, side);
    }

    pixels(from, to, side, gap) {
        const first = Math.max(Math.round(from * this.ratio), 0);
        const end = Math.min(Math.max(Math.round(to * this.ratio) - gap, first + 1), side);
        return [first, end];
    }

    paint(context, levels, side) {
        const ramp = readRamp();
        const ground = parseInt(style("--plot").slice(1), 16);
        const image = context.createImageData(side, side);
        for (let i = 0; i < levels.length; ++i) {
            const color = levels[i] > 0 ? ramp[levels[i] - 1] : [ground >> 16, (ground >> 8) & 255, ground & 255];
            image.data.set(color, 4 * i);
            image.data[4 * i + 3] = 255;
        }
        const corner = Math.round(this.gutter * this.ratio);
        context.putImageData(image, corner, corner);
    }

    // In cells of what is shown: groups count ranks in their order, and so do cells of ranks.
    groupEdges(level) {
        const cellOf = (position) => this.cells.rows.cellOf(this.profile.order[position]);
        return this.profile.levels.filter((group) => group[0] === level)
            .map(([, begin, end, name]) => ({begin: cellOf(begin), end: cellOf(end - 1) + 1, name}));
    }

    drawGroups(context) {
        context.font = "11px system-ui, sans-serif";
        context.textBaseline = "middle";
        this.bands.forEach((level, i) => {
            const edges = this.groupEdges(level);
            const offset = -(this.bands.length - i + (this.hasLabels ? 1 : 0)) * BAND - 1;
            edges.forEach((edge, n) => this.drawBand(context, edge, offset, n));
            if (level !== this.level && (this.plot * this.view.zoom) / edges.length >= 14) {
                this.drawLines(context, edges, LINE_WIDTHS[level]);
            }
        });
    }

    // The ranks of whole cells, above the columns and beside the rows. Returns how many.
    drawLabels(context) {
        const {rows, columns} = this.cells;
        let count = 0;
        const draw = (axis, first, end, at, place) => {
            for (let cell = Math.floor(first); cell < Math.min(Math.ceil(end), axis.count); ++cell) {
                const [from, to] = [at(cell), at(cell + 1)];
                if (from > -1 && to < this.plot + 1) {
                    context.save();
                    this.label(context, axis.label(cell), ...place((from + to) / 2), to - from + BAND / 2);
                    context.restore();
                    ++count;
                }
            }
        };
        const {x, y} = this.view;
        draw(columns, x, x + this.columnsShown(), (column) => this.left(column), (middle) => [middle, -BAND / 2]);
        draw(rows, y, y + this.rowsShown(), (row) => this.top(row), (middle) => [-BAND / 2, middle]);
        return count;
    }

    drawLines(context, edges, width) {
        context.fillStyle = style("--group");
        for (const {end} of edges) {
            const x = this.left(end);
            const y = this.top(end);
            if (x > 0 && x < this.plot - 1) {
                context.fillRect(x - width / 2 - 0.5, 0, width, this.plot);
            }
            if (y > 0 && y < this.plot - 1) {
                context.fillRect(0, y - width / 2 - 0.5, this.plot, width);
            }
        }
    }

    drawBand(context, edge, offset, n) {
        const draw = (from, to, turn) => {
            const first = Math.max(from, 0);
            const length = Math.min(to, this.plot) - first;
            if (length <= 0) {
                return;
            }
            context.save();
            turn();
            context.fillStyle = style(n % 2 === 0 ? "--band-a" : "--band-b");
            context.fillRect(first, offset, length, BAND - 1);
            this.label(context, edge.name, first + length / 2, offset + BAND / 2, length);
            context.restore();
        };
        draw(this.left(edge.begin), this.left(edge.end), () => {});
        draw(this.top(edge.begin), this.top(edge.end), () => context.transform(0, 1, 1, 0, 0, 0));
    }

    // Upright beside the rows too: the transform above mirrors.
    label(context, name, x, y, room) {
        if (context.measureText(name).width + 4 > room) {
            return;
        }
        const isMirrored = context.getTransform().b !== 0;
        context.translate(x, y);
        if (isMirrored) {
            context.scale(-1, 1);
        }
        context.fillStyle = style("--ink");
        context.textAlign = "center";
        context.fillText(name, 0, 0);
    }

    drawFocus(context) {
        if (!this.focus) {
            return;
        }
        const {row, column} = this.focus;
        const [x, y] = [this.left(column), this.top(row)];
        const [width, height] = [this.left(column + 1) - x, this.top(row + 1) - y];
        context.fillStyle = style("--accent");
        context.globalAlpha = 0.35;
        context.fillRect(0, y + height / 2 - 0.5, this.plot, 1);
        context.fillRect(x + width / 2 - 0.5, 0, 1, this.plot);
        context.globalAlpha = 1;
        context.strokeStyle = style("--ink");
        context.lineWidth = 1.5;
        context.strokeRect(x - 1, y - 1, Math.max(width, 2) + 1, Math.max(height, 2) + 1);
    }

    setFocus(row, column) {
        const isInside = row >= 0 && column >= 0 && row < this.cells.rows.count && column < this.cells.columns.count;
        if (isInside && !(this.focus && this.focus.row === row && this.focus.column === column)) {
            this.focus = {row, column};
            this.onFocus(this.focus);
            requestAnimationFrame(() => this.present());
        }
    }
}
