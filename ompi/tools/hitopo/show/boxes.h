// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Boxes of Graphviz's HTML-like labels, with the sizes they will roughly have, so that a grid of
// boxes can be given a good shape.
#ifndef OMPI_TOOLS_HITOPO_SHOW_BOXES_H
#define OMPI_TOOLS_HITOPO_SHOW_BOXES_H

#include <string>
#include <string_view>
#include <vector>

namespace hitopo::tool {

// A TABLE element and its size in points.
struct Box {
    std::string html;
    double width = 0;
    double height = 0;
};

struct BoxStyle {
    std::string_view fill;
    std::string_view line;
    std::string_view text;  // the caption's colour
    int font_points;
    bool is_dashed;
};

// One line of text. `markup` is escaped already; `num_chars` are what people see of it.
Box text_box(std::string_view markup, std::size_t num_chars, int font_points, std::string_view colour);

// A dark box with light text. Stretches with its surroundings unless `is_fixed`.
Box chip(std::string_view markup, std::size_t num_chars, bool is_fixed);

// A small sample of `style`, named.
Box swatch(std::string_view markup, std::size_t num_chars, const BoxStyle& style);

// The number of columns for `count` boxes of one size: as near as possible to the shape `aspect`
// (width to height), with few empty places. 1 for no box.
std::size_t best_columns(std::size_t count, double width, double height, double aspect);

// Row by row, without a frame; `columns` >= 1.
Box grid(const std::vector<Box>& boxes, std::size_t columns, int gap);

// Like grid() in one row, but never stretched.
Box fixed_row(const std::vector<Box>& boxes, int gap);

// `content` in a frame under its caption.
Box framed(const Box& caption, const Box& content, const BoxStyle& style);

}  // namespace hitopo::tool

#endif
