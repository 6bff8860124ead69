// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/show/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hitopo::tool {
namespace {

// The mean advance of wide sans-serif fonts (bold ones included) and the line height, in parts of the
// font size: a viewer's font may be wider than the one that Graphviz measured.
constexpr double kAdvance = 0.66;
constexpr double kLineHeight = 1.3;

constexpr std::string_view kNoFrame = "BORDER=\"0\"";

std::string table(std::string_view attributes, int spacing, std::string_view rows) {
    return fmt::format("<TABLE {} CELLBORDER=\"0\" CELLSPACING=\"{}\" CELLPADDING=\"0\">{}</TABLE>",
                       attributes, spacing, rows);
}

std::string frame(std::string_view line, std::string_view fill, bool is_dashed) {
    return fmt::format("BORDER=\"1\" STYLE=\"{}\" COLOR=\"{}\" BGCOLOR=\"{}\"",
                       is_dashed ? "ROUNDED,DASHED" : "ROUNDED", line, fill);
}

std::string fixed_size(double width, double height) {
    return fmt::format(" FIXEDSIZE=\"TRUE\" WIDTH=\"{:.0f}\" HEIGHT=\"{:.0f}\"", width, height);
}

std::string row_of(const Box* first, const Box* last) {
    std::string row = "<TR>";
    for (; first != last; ++first) {
        row += fmt::format("<TD>{}</TD>", first->html);
    }
    return row + "</TR>\n";
}

// A grid's size grows by one row.
void add_row(const Box* first, const Box* last, int gap, Box& size) {
    double width = gap;
    double height = 0;
    for (; first != last; ++first) {
        width += first->width + gap;
        height = std::max(height, first->height);
    }
    size.width = std::max(size.width, width);
    size.height += height + gap;
}

// `text` in the middle of a frame. A table of fixed size does not stretch its cell: that has its own
// size, less the border.
Box pill(const Box& text, double width, double height, const std::string& frame, bool is_fixed) {
    const std::string cell = fmt::format("<TR><TD WIDTH=\"{:.0f}\" HEIGHT=\"{:.0f}\">{}</TD></TR>",
                                         width - 2, height - 2, text.html);
    return {table(frame + (is_fixed ? fixed_size(width, height) : ""), 0, cell), width, height};
}

}  // namespace

Box text_box(std::string_view markup, std::size_t num_chars, int font_points, std::string_view colour) {
    const double width = static_cast<double>(num_chars) * kAdvance * font_points;
    const std::string cell =
        fmt::format("<TR><TD WIDTH=\"{:.0f}\"><FONT POINT-SIZE=\"{}\" COLOR=\"{}\">{}</FONT></TD></TR>",
                    width, font_points, colour, markup);
    return {table(kNoFrame, 0, cell), width, kLineHeight * font_points};
}

Box chip(std::string_view markup, std::size_t num_chars, bool is_fixed) {
    constexpr std::string_view kFill = "#33424F";
    const Box text = text_box(fmt::format("<B>{}</B>", markup), num_chars, 11, "#FFFFFF");
    return pill(text, std::max(text.width + 12, 30.0), text.height + 6, frame(kFill, kFill, false),
                is_fixed);
}

Box swatch(std::string_view markup, std::size_t num_chars, const BoxStyle& style) {
    const Box text = text_box(markup, num_chars, 10, style.text);
    return pill(text, std::max(text.width + 16, 60.0), text.height + 6,
                frame(style.line, style.fill, style.is_dashed), true);
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

Box grid(const std::vector<Box>& boxes, std::size_t columns, int gap) {
    Box result = {"", 0, static_cast<double>(gap)};
    std::string rows;
    for (std::size_t start = 0; start < boxes.size(); start += columns) {
        const Box* first = boxes.data() + start;
        const Box* last = boxes.data() + std::min(start + columns, boxes.size());
        rows += row_of(first, last);
        add_row(first, last, gap, result);
    }
    result.html = table(kNoFrame, gap, rows);
    return result;
}

Box fixed_row(const std::vector<Box>& boxes, int gap) {
    Box row = grid(boxes, boxes.size(), gap);
    const std::string attributes = std::string(kNoFrame) + fixed_size(row.width + 2, row.height + 2);
    row.html = table(attributes, gap, row_of(boxes.data(), boxes.data() + boxes.size()));
    return row;
}

Box framed(const Box& caption, const Box& content, const BoxStyle& style) {
    // Graphviz gives each row the same share of spare height: many rows keep the caption at the top.
    constexpr int kContentRows = 8;
    constexpr double kMargin = 4;
    const std::string rows = fmt::format(
        "<TR><TD CELLPADDING=\"{0}\">{1}</TD></TR>\n<TR><TD ROWSPAN=\"{2}\" "
        "CELLPADDING=\"{0}\">{3}</TD></TR>",
        kMargin, caption.html, kContentRows, content.html);
    return {table(frame(style.line, style.fill, style.is_dashed), 0, rows),
            std::max(caption.width, content.width) + 2 * kMargin + 2,
            caption.height + content.height + 4 * kMargin + 2};
}

}  // namespace hitopo::tool
