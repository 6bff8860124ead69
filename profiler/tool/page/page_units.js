// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Numbers as people read them (as units.cc has it), and elements of the page.
"use strict";

// Ties go to the even digit, as in C: toFixed() would make 16.25 16.3.
function fixed(value, digits) {
    const isTie = (value * 2 ** (digits + 1)) % 2 === 1;
    const below = Math.floor(value * 10 ** digits);
    return (isTie ? (below + (below % 2)) / 10 ** digits : value).toFixed(digits);
}

function scaled(value, step, limit, units) {
    let unit = 0;
    let rest = value;
    for (; rest >= limit && unit + 1 < units.length; ++unit) {
        rest /= step;
    }
    const digits = rest < 9.995 ? 2 : rest < 99.95 ? 1 : 0;
    return unit === 0 ? `${value} ${units[0]}` : `${fixed(rest, digits)} ${units[unit]}`;
}

const humanBytes = (bytes) => scaled(bytes, 1024, 1023.5, ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]);
const humanNs = (ns) => scaled(ns, 1000, 999.5, ["ns", "us", "ms", "s"]);
const humanCount = (count) =>
    count < 100000 ? String(count) : scaled(count, 1000, 999.5, ["", "k", "M", "G", "T", "P", "E"]);

const percentText = (part) => (part > 0 && part < 0.01 ? "<1 %" : part > 9.99 ? ">999 %" : `${fixed(100 * part, 0)} %`);

const byId = (id) => document.getElementById(id);
const parsed = (id) => JSON.parse(byId(id).textContent);
const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Control characters as the report's text has them.
const visible = (text) => text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`);

// Text only: names from a file never become markup.
function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        made.setAttribute(name, value);
    }
    made.append(...children.map((child) => (child instanceof Node ? child : visible(String(child)))));
    return made;
}
