// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The matrix under pointer and keys.

class MatrixInput {
    constructor(matrix) {
        this.matrix = matrix;
        this.drag = null;
        const {canvas} = matrix;
        canvas.addEventListener("pointermove", (event) => this.pointed(event));
        canvas.addEventListener("pointerdown", (event) => {
            this.drag = {x: event.clientX, y: event.clientY, view: {...matrix.view}};
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener("pointerup", () => { this.drag = null; });
        canvas.addEventListener("pointercancel", () => { this.drag = null; });
        canvas.addEventListener("dblclick", (event) => matrix.zoomBy(2, this.under(event)));
        canvas.addEventListener("keydown", (event) => this.pressed(event));
    }

    // What lies under the pointer, in cells.
    under(event) {
        const {view, gutter, plot} = this.matrix;
        return {
            x: view.x + ((event.offsetX - gutter) / plot) * this.matrix.columnsShown(),
            y: view.y + ((event.offsetY - gutter) / plot) * this.matrix.rowsShown(),
        };
    }

    pointed(event) {
        if (this.drag) {
            const {x, y, view} = this.drag;
            this.matrix.moveTo(view.x - ((event.clientX - x) / this.matrix.plot) * this.matrix.columnsShown(),
                view.y - ((event.clientY - y) / this.matrix.plot) * this.matrix.rowsShown());
        } else {
            const {x, y} = this.under(event);
            this.matrix.setFocus(Math.floor(y), Math.floor(x));
        }
    }

    pressed(event) {
        const steps = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]};
        const factors = {"+": 2, "=": 2, "-": 0.5};
        if (steps[event.key]) {
            this.step(...steps[event.key]);
        } else if (factors[event.key]) {
            const {focus} = this.matrix;
            this.matrix.zoomBy(factors[event.key], focus && {x: focus.column + 0.5, y: focus.row + 0.5});
        } else if (event.key === "0") {
            this.matrix.whole();
        } else {
            return;
        }
        event.preventDefault();
    }

    // The first step shows where the focus is. It stays in sight.
    step(down, right) {
        const {focus, view} = this.matrix;
        this.matrix.setFocus(focus ? focus.row + down : 0, focus ? focus.column + right : 0);
        const {row, column} = this.matrix.focus;
        const inSight = (at, first, shown) => Math.min(Math.max(first, at + 1 - shown), at);
        this.matrix.moveTo(inSight(column, view.x, this.matrix.columnsShown()),
            inSight(row, view.y, this.matrix.rowsShown()));
    }
}
