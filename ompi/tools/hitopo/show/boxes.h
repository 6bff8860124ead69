// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Boxes inside boxes, with their sizes in points, as a picture.
#ifndef OMPI_TOOLS_HITOPO_SHOW_BOXES_H
#define OMPI_TOOLS_HITOPO_SHOW_BOXES_H

#include <string>
#include <string_view>
#include <vector>

namespace hitopo::tool {

struct BoxStyle {
    std::string_view fill;
    std::string_view line;
    std::string_view text;  // the caption's colour
    int font_points;
    bool is_dashed;
};

struct Box {
    enum class Kind {
        kText,   // one line, in the middle; in a frame if its style has a fill
        kGrid,   // row by row, without a frame
        kFrame,  // a caption and a content below it
    };
    Kind kind = Kind::kGrid;
    double width = 0, height = 0;  // at least
    bool is_fixed = false;         // and at most; the others fill the place that they get
    std::string plain, bold;       // kText: one after the other, without unsafe characters
    BoxStyle style = {};           // but of kGrid
    std::vector<Box> inside;       // kFrame: the caption and the content
    std::size_t columns = 1;       // kGrid
    int gap = 0;                   // kGrid: around each box
};

Box text_box(std::string plain, std::string bold, int font_points, std::string_view colour);

// A dark box with light text.
Box chip(std::string text, bool is_fixed);

// A small sample of `style`, named.
Box swatch(std::string name, const BoxStyle& style);

// The number of columns for `count` boxes of one size: as near as possible to the shape `aspect`
// (width to height), with few empty places. 1 for no box.
std::size_t best_columns(std::size_t count, double width, double height, double aspect);

// columns >= 1.
Box grid(std::vector<Box> boxes, std::size_t columns, int gap);

Box framed(Box caption, Box content, const BoxStyle& style);

// As SVG, with a title.
std::string svg_of(const Box& box, const std::string& title);

}  // namespace hitopo::tool

#endif
