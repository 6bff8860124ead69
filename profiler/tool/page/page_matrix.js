// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The matrix on its canvas: colours on a logarithmic scale, the hierarchy beside it, and a focus under pointer and keys.

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
        this.canvas.addEventListener("pointermove", (event) => this.setFocus(this.under(event.offsetY), this.under(event.offsetX)));
        this.canvas.addEventListener("keydown", (event) => this.pressed(event));
        new ResizeObserver(() => this.cells && this.draw()).observe(this.canvas.parentElement);
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.cells && this.draw());
    }

    show(cells, level, metric) {
        Object.assign(this, {cells, level, metric, range: cells.range(metric)});
        this.focus = null;
        this.draw();
    }

    // The cell at so many pixels from the canvas's begin.
    under(pixels) { return Math.floor(((pixels - this.gutter) / this.plot) * this.cells.axis.count); }

    // The first step shows where the focus is.
    pressed(event) {
        const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
        if (step) {
            const {focus} = this;
            this.setFocus(focus ? focus.row + step[0] : 0, focus ? focus.column + step[1] : 0);
            event.preventDefault();
        }
    }

    // The levels that have room for a band beside a plot of `width`.
    bandsFor(width) {
        const room = (level) => width / this.profile.levels.filter((place) => place[0] === level).length;
        return BANDED.filter((level) => room(level) >= 9 && room(level) < Infinity);
    }

    measure() {
        this.ratio = window.devicePixelRatio || 1;
        const {count} = this.cells.axis;
        const most = count * MOST_CELL + (BANDED.length + 1) * BAND;
        const width = Math.min(this.canvas.parentElement.clientWidth, most);
        this.bands = this.bandsFor(width);
        this.hasLabels = this.level === "rank" && width / count >= LABELLED_CELL;
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

    // The edge of a cell, in pixels of the plot.
    edge(cell) { return (cell / this.cells.axis.count) * this.plot; }

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
        const gap = side / this.cells.axis.count >= 8 ? 1 : 0;
        const {start, column} = this.cells;
        for (let row = 0; row < this.cells.axis.count; ++row) {
            const [top, bottom] = this.pixels(row, side, gap);
            for (let cell = start[row]; cell < start[row + 1]; ++cell) {
                const [left, right] = this.pixels(column[cell], side, gap);
                const level = 1 + Math.round(255 * (values[cell] > 0 ? this.level01(values[cell]) : 0));
                for (let y = top; y < bottom; ++y) {
                    for (let at = y * side + left; at < y * side + right; ++at) {
                        levels[at] = level > levels[at] ? level : levels[at];
                    }
                }
            }
        }
        this.paint(context, levels, side);
    }

    pixels(cell, side, gap) {
        const first = Math.round(this.edge(cell) * this.ratio);
        return [first, Math.min(Math.max(Math.round(this.edge(cell + 1) * this.ratio) - gap, first + 1), side)];
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
        const cellOf = (position) => this.cells.axis.cellOf(this.profile.order[position]);
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
            if (level !== this.level && this.plot / edges.length >= 14) {
                this.drawLines(context, edges, LINE_WIDTHS[level]);
            }
        });
    }

    // The ranks of cells, above the columns and beside the rows. Returns how many.
    drawLabels(context) {
        const {axis} = this.cells;
        const size = this.plot / axis.count;
        for (let cell = 0; cell < axis.count; ++cell) {
            const middle = (cell + 0.5) * size;
            for (const [x, y] of [[middle, -BAND / 2], [-BAND / 2, middle]]) {
                context.save();
                this.label(context, axis.label(cell), x, y, size + BAND / 2);
                context.restore();
            }
        }
        return 2 * axis.count;
    }

    drawLines(context, edges, width) {
        context.fillStyle = style("--group");
        for (const {end} of edges) {
            const at = this.edge(end) - width / 2 - 0.5;
            if (end < this.cells.axis.count) {
                context.fillRect(at, 0, width, this.plot);
                context.fillRect(0, at, this.plot, width);
            }
        }
    }

    drawBand(context, edge, offset, n) {
        const [from, to] = [this.edge(edge.begin), this.edge(edge.end)];
        for (const turn of [() => {}, () => context.transform(0, 1, 1, 0, 0, 0)]) {
            context.save();
            turn();
            context.fillStyle = style(n % 2 === 0 ? "--band-a" : "--band-b");
            context.fillRect(from, offset, to - from, BAND - 1);
            this.label(context, edge.name, (from + to) / 2, offset + BAND / 2, to - from);
            context.restore();
        }
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
        const [x, y] = [this.edge(column), this.edge(row)];
        const size = this.edge(1);
        context.fillStyle = style("--accent");
        context.globalAlpha = 0.35;
        context.fillRect(0, y + size / 2 - 0.5, this.plot, 1);
        context.fillRect(x + size / 2 - 0.5, 0, 1, this.plot);
        context.globalAlpha = 1;
        context.strokeStyle = style("--ink");
        context.lineWidth = 1.5;
        context.strokeRect(x - 1, y - 1, Math.max(size, 2) + 1, Math.max(size, 2) + 1);
    }

    setFocus(row, column) {
        const isInside = row >= 0 && column >= 0 && row < this.cells.axis.count && column < this.cells.axis.count;
        if (isInside && !(this.focus && this.focus.row === row && this.focus.column === column)) {
            this.focus = {row, column};
            this.onFocus(this.focus);
            requestAnimationFrame(() => this.present());
        }
    }
}
