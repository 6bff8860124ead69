// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/show/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// The mean advance of wide sans-serif fonts (bold ones included) and the line height, in parts of the
// font size: a viewer's font is not known.
constexpr double kAdvance = 0.66;
constexpr double kLineHeight = 1.3;
constexpr double kFrameMargin = 4;  // around a frame's caption and its content; its line is 1 wide

double total(const std::vector<double>& sizes, int gap) {
    return std::accumulate(sizes.begin(), sizes.end(), gap + gap * static_cast<double>(sizes.size()));
}

Box chip_of(Box text, double min_width, double margin, const BoxStyle& style, bool is_fixed) {
    text.width = std::max(text.width + margin, min_width);
    text.height += 6;
    text.is_fixed = is_fixed;
    text.style = {style.fill, style.line, text.style.text, text.style.font_points, style.is_dashed};
    return text;
}

// The greatest width in each column and height in each row of a grid.
struct GridSizes {
    std::vector<double> widths, heights;
};

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

// The area for a box; at least as large as the box.
struct Area {
    double x, y, width, height;
};

class SvgWriter {
public:
    std::string picture(const Box& box, const std::string& title) {
        constexpr double kPad = 11;
        const double width = box.width + 2 * kPad;
        const double height = box.height + 2 * kPad;
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:.0f}pt\" "
            "height=\"{1:.0f}pt\" style=\"max-width:100%;max-height:100vh\" "
            "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica,Arial,sans-serif\" "
            "text-anchor=\"middle\">\n"
            "<title>{2}</title>\n"
            "<rect width=\"100%\" height=\"100%\" fill=\"#FFFFFF\"/>\n",
            width, height, escape_xml(title));
        draw(box, {kPad, kPad, box.width, box.height});
        return std::move(text_) + "</svg>\n";
    }

private:
    void draw(const Box& box, Area area) {
        if (box.is_fixed) {  // in the middle
            area = {area.x + (area.width - box.width) / 2, area.y + (area.height - box.height) / 2,
                    box.width, box.height};
        }
        switch (box.kind) {
            case Box::Kind::kText:
                return draw_text(box, area);
            case Box::Kind::kGrid:
                return draw_grid(box, area);
            default:
                return draw_frame(box, area);
        }
    }

    void draw_rectangle(const BoxStyle& style, const Area& area) {
        text_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"8\" fill=\"{}\" "
            "stroke=\"{}\"{}/>\n",
            area.x + 0.5, area.y + 0.5, area.width - 1, area.height - 1, style.fill, style.line,
            style.is_dashed ? " stroke-dasharray=\"5 3\"" : "");
    }

    void draw_text(const Box& box, const Area& area) {
        constexpr double kBaseline = 0.35;  // below the middle, in parts of the font size
        if (!box.style.fill.empty()) {
            draw_rectangle(box.style, area);
        }
        const std::string bold = box.bold.empty() ? ""
                                                  : fmt::format("<tspan font-weight=\"bold\">{}</tspan>",
                                                                escape_xml(box.bold));
        text_ += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\">{}{}</text>\n",
            area.x + area.width / 2, area.y + area.height / 2 + kBaseline * box.style.font_points,
            box.style.font_points, box.style.text, escape_xml(box.plain), bold);
    }

    // All columns, and all rows, share the space left over.
    void draw_grid(const Box& box, const Area& area) {
        const GridSizes sizes = grid_sizes(box);
        const double wider = (area.width - box.width) / static_cast<double>(sizes.widths.size());
        const double higher = (area.height - box.height) / static_cast<double>(sizes.heights.size());
        Area cell = {0, area.y + box.gap, 0, 0};
        for (std::size_t i = 0; i < box.inside.size(); ++i) {
            const std::size_t column = i % box.columns;
            cell.x = column == 0 ? area.x + box.gap : cell.x + cell.width + box.gap;
            cell.y += column == 0 && i > 0 ? cell.height + box.gap : 0;
            cell.width = sizes.widths[column] + wider;
            cell.height = sizes.heights[i / box.columns] + higher;
            draw(box.inside[i], cell);
        }
    }

    // The content gets the space left over.
    void draw_frame(const Box& box, const Area& area) {
        constexpr double kBorder = 1 + kFrameMargin;
        const Box& caption = box.inside[0];
        const double top = caption.height + 2 * kFrameMargin;
        const double width = area.width - 2 * kBorder;
        draw_rectangle(box.style, area);
        draw(caption, {area.x + kBorder, area.y + kBorder, width, caption.height});
        draw(box.inside[1],
             {area.x + kBorder, area.y + kBorder + top, width, area.height - 2 * kBorder - top});
    }

    std::string text_;
};

}  // namespace

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

std::string svg_of(const Box& box, const std::string& title) { return SvgWriter().picture(box, title); }

}  // namespace hitopo::tool
