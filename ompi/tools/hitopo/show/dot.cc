// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --format dot`: the picture as one HTML-like label of Graphviz.
#include <fmt/format.h>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/show/markup.h"
#include "ompi/tools/hitopo/show/picture.h"

namespace hitopo::tool {
namespace {

constexpr std::string_view kNoFrame = "BORDER=\"0\"";

// Graphviz would replace \N and \G by names of the graph.
std::string html(std::string_view text) {
    std::string doubled;
    for (const char c : escape_xml(text)) {
        doubled.append(c == '\\' ? 2 : 1, c);
    }
    return doubled;
}

std::string table(std::string_view attributes, int spacing, std::string_view rows) {
    return fmt::format("<TABLE {} CELLBORDER=\"0\" CELLSPACING=\"{}\" CELLPADDING=\"0\">{}</TABLE>",
                       attributes, spacing, rows);
}

std::string frame(const BoxStyle& style) {
    return fmt::format("BORDER=\"1\" STYLE=\"{}\" COLOR=\"{}\" BGCOLOR=\"{}\"",
                       style.is_dashed ? "ROUNDED,DASHED" : "ROUNDED", style.line, style.fill);
}

std::string fixed_size(double width, double height) {
    return fmt::format(" FIXEDSIZE=\"TRUE\" WIDTH=\"{:.0f}\" HEIGHT=\"{:.0f}\"", width, height);
}

std::string label(const Box& box);

std::string text_label(const Box& box) {
    const std::string bold = box.bold.empty() ? "" : fmt::format("<B>{}</B>", html(box.bold));
    return table(kNoFrame, 0,
                 fmt::format("<TR><TD WIDTH=\"{:.0f}\"><FONT POINT-SIZE=\"{}\" COLOR=\"{}\">{}{}</FONT>"
                             "</TD></TR>",
                             box.width, box.style.font_points, box.style.text, html(box.plain), bold));
}

// A table of fixed size does not stretch its cell: that has its own size, less the border.
std::string chip_label(const Box& box) {
    return table(frame(box.style) + (box.is_fixed ? fixed_size(box.width, box.height) : ""), 0,
                 fmt::format("<TR><TD WIDTH=\"{:.0f}\" HEIGHT=\"{:.0f}\">{}</TD></TR>", box.width - 2,
                             box.height - 2, label(box.inside[0])));
}

std::string grid_label(const Box& box) {
    std::string rows;
    for (std::size_t i = 0; i < box.inside.size(); ++i) {
        const bool is_first = i % box.columns == 0;
        const bool is_last = (i + 1) % box.columns == 0 || i + 1 == box.inside.size();
        rows += fmt::format("{}<TD>{}</TD>{}", is_first ? "<TR>" : "", label(box.inside[i]),
                            is_last ? "</TR>\n" : "");
    }
    return table(std::string(kNoFrame) + (box.is_fixed ? fixed_size(box.width + 2, box.height + 2) : ""),
                 box.gap, rows);
}

std::string frame_label(const Box& box) {
    // Graphviz gives each row the same share of spare height: many rows keep the caption at the top.
    constexpr int kContentRows = 8;
    return table(frame(box.style), 0,
                 fmt::format("<TR><TD CELLPADDING=\"{0}\">{1}</TD></TR>\n<TR><TD ROWSPAN=\"{2}\" "
                             "CELLPADDING=\"{0}\">{3}</TD></TR>",
                             kFrameMargin, label(box.inside[0]), kContentRows, label(box.inside[1])));
}

std::string label(const Box& box) {
    switch (box.kind) {
        case Box::Kind::kText:
            return text_label(box);
        case Box::Kind::kChip:
            return chip_label(box);
        case Box::Kind::kGrid:
            return grid_label(box);
        default:
            return frame_label(box);
    }
}

}  // namespace

std::string format_dot(const TableDocument& table) {
    return fmt::format(
        "graph hitopo {{\n"
        "  graph [charset=\"UTF-8\", bgcolor=\"#FFFFFF\", pad=0.15]\n"
        "  node [shape=plain, fontname=\"Helvetica,Arial,sans-serif\"]\n"
        "  job [label=<{}>]\n"
        "}}\n",
        label(picture_of(table)));
}

}  // namespace hitopo::tool
