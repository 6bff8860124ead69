// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/show/boxes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo::tool {
namespace {

// The mean advance of wide sans-serif fonts (bold ones included) and the line height, in parts of the
// font size: which font a viewer has is not known.
constexpr double kAdvance = 0.66;
constexpr double kLineHeight = 1.3;

double total(const std::vector<double>& sizes, int gap) {
    return std::accumulate(sizes.begin(), sizes.end(), gap + gap * static_cast<double>(sizes.size()));
}

Box chip_of(Box text, double min_width, double margin, const BoxStyle& style, bool is_fixed) {
    Box box;
    box.kind = Box::Kind::kChip;
    box.width = std::max(text.width + margin, min_width);
    box.height = text.height + 6;
    box.is_fixed = is_fixed;
    box.style = style;
    box.inside.push_back(std::move(text));
    return box;
}

}  // namespace

GridSizes grid_sizes(const Box& grid) {
    const std::size_t count = grid.inside.size();
    GridSizes sizes = {std::vector<double>(std::min(grid.columns, count)),
                       std::vector<double>((count + grid.columns - 1) / grid.columns)};
    for (std::size_t i = 0; i < count; ++i) {
        double& width = sizes.widths[i % grid.columns];
        double& height = sizes.heights[i / grid.columns];
        width = std::max(width, grid.inside[i].width);
        height = std::max(height, grid.inside[i].height);
    }
    return sizes;
}

Box text_box(std::string plain, std::string bold, int font_points, std::string_view colour) {
    Box box;
    box.kind = Box::Kind::kText;
    box.width = static_cast<double>(num_columns(plain) + num_columns(bold)) * kAdvance * font_points;
    box.height = kLineHeight * font_points;
    box.plain = std::move(plain);
    box.bold = std::move(bold);
    box.style.text = colour;
    box.style.font_points = font_points;
    return box;
}

Box chip(std::string text, bool is_fixed) {
    constexpr BoxStyle kStyle = {"#33424F", "#33424F", "#FFFFFF", 11, false};
    return chip_of(text_box("", std::move(text), kStyle.font_points, kStyle.text), 30, 12, kStyle,
                   is_fixed);
}

Box swatch(std::string name, const BoxStyle& style) {
    return chip_of(text_box(std::move(name), "", 10, style.text), 60, 16, style, true);
}

std::size_t best_columns(std::size_t count, double width, double height, double aspect) {
    std::size_t best = 1;
    double best_cost = std::numeric_limits<double>::max();
    for (std::size_t columns = 1; columns <= count; ++columns) {
        const std::size_t rows = (count + columns - 1) / columns;
        const double shape = static_cast<double>(columns) * width / (static_cast<double>(rows) * height);
        const double waste = static_cast<double>(rows * columns - count) / static_cast<double>(count);
        const double cost = std::abs(std::log(shape / aspect)) + 2.5 * waste;
        if (cost < best_cost) {
            best = columns;
            best_cost = cost;
        }
    }
    return best;
}

Box grid(std::vector<Box> boxes, std::size_t columns, int gap) {
    Box box;
    box.inside = std::move(boxes);
    box.columns = columns;
    box.gap = gap;
    const GridSizes sizes = grid_sizes(box);
    box.width = total(sizes.widths, gap);
    box.height = total(sizes.heights, gap);
    return box;
}

Box fixed_row(std::vector<Box> boxes, int gap) {
    const std::size_t columns = std::max<std::size_t>(boxes.size(), 1);
    Box row = grid(std::move(boxes), columns, gap);
    row.is_fixed = true;
    return row;
}

Box framed(Box caption, Box content, const BoxStyle& style) {
    Box box;
    box.kind = Box::Kind::kFrame;
    box.width = std::max(caption.width, content.width) + 2 * kFrameMargin + 2;
    box.height = caption.height + content.height + 4 * kFrameMargin + 2;
    box.style = style;
    box.inside.push_back(std::move(caption));
    box.inside.push_back(std::move(content));
    return box;
}

}  // namespace hitopo::tool
