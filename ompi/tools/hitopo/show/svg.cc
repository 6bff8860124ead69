// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --format svg`.
#include <fmt/format.h>

#include <algorithm>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/show/markup.h"
#include "ompi/tools/hitopo/show/picture.h"

namespace hitopo::tool {
namespace {

// Where a box goes; at least as large as the box.
struct Area {
    double x, y, width, height;
};

// An area of the box's size, in the middle.
Area middle_of(const Area& area, const Box& box) {
    return {area.x + (area.width - box.width) / 2, area.y + (area.height - box.height) / 2, box.width,
            box.height};
}

class SvgWriter {
public:
    std::string picture(const Box& box, const std::string& title) {
        constexpr double kPad = 11;
        const double width = box.width + 2 * kPad;
        const double height = box.height + 2 * kPad;
        text_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:.0f}pt\" "
            "height=\"{1:.0f}pt\" "
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
        area = box.is_fixed ? middle_of(area, box) : area;
        switch (box.kind) {
            case Box::Kind::kText:
                return draw_text(box, area);
            case Box::Kind::kChip:
                draw_rectangle(box.style, area);
                return draw(box.inside[0], area);
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
        const std::string bold = box.bold.empty() ? ""
                                                  : fmt::format("<tspan font-weight=\"bold\">{}</tspan>",
                                                                escape_xml(box.bold));
        text_ += fmt::format(
            "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\">{}{}</text>\n",
            area.x + area.width / 2, area.y + area.height / 2 + kBaseline * box.style.font_points,
            box.style.font_points, box.style.text, escape_xml(box.plain), bold);
    }

    // What is left over is shared by all columns, and by all rows.
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

    // What is left over is the content's.
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

std::string format_svg(const TableDocument& table) {
    return SvgWriter().picture(picture_of(table), title_text(table));
}

}  // namespace hitopo::tool
