// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --format svg`: the places as nested boxes, under a title, then side resources, each type
// by itself, and a legend. Inner places are summed up in their parents' boxes where there would be too
// many boxes to read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/place.h"
#include "ompi/tools/hitopo/show/boxes.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// Okabe and Ito's palette, which colour-blind people can tell apart: light tints for the boxes, and
// captions dark enough for print. One a level, outermost first.
constexpr BoxStyle kStyles[kNumLevels] = {
    {"#F7F7F7", "#6B6B6B", "#404040", 15, false},  // cluster
    {"#E4F0F8", "#0072B2", "#00568A", 14, false},  // island
    {"#FDF1D8", "#D08A00", "#7A5000", 13, false},  // switch
    {"#E2F4ED", "#009E73", "#006B4E", 13, false},  // node
    {"#F8EAF2", "#CC79A7", "#8F3F6B", 11, false},  // l2numa
    {"#FFFFFF", "#56B4E9", "#1F6F9F", 11, false},  // socket
    {"#F4F4F4", "#B0B0B0", "#555555", 9, false},   // core
    {"#FFFFFF", "#B0B0B0", "#555555", 9, false},   // hwthread
};
constexpr BoxStyle kLooseStyle = {"#FFFFFF", "#D55E00", "#A84A00", 10, true};
constexpr BoxStyle kSideStyle = {"#FAFAE6", "#B5A800", "#6E6600", 12, false};
constexpr BoxStyle kDomainStyle = {"#FFFFFF", "#B5A800", "#6E6600", 10, false};
constexpr std::string_view kTitleColour = "#202020";
constexpr std::string_view kNoteColour = "#5A5A5A";
constexpr std::string_view kDot = " \u00b7 ";

constexpr double kAspect = 1.7;         // of the whole picture: a slide's
constexpr std::size_t kMaxBoxes = 160;  // of one level; more are summed up
constexpr std::size_t kMaxChips = 16;   // ranks of one place that stand singly
constexpr std::size_t kMaxNameChars = 28;
constexpr std::size_t kMaxDomains = 24;  // of one type beside the levels

Box plain_text(const std::string& text, int points, std::string_view colour) {
    return text_box(safe(text, Charset::kUtf8), "", points, colour);
}

Box caption(const Place& place) {
    const BoxStyle& style = kStyles[place.level];
    return text_box(fmt::format("{} ", level_name(place.level)),
                    shortened(safe(place.name, Charset::kUtf8), kMaxNameChars), style.font_points,
                    style.text);
}

Box list_chip(const std::vector<int>& ranks) { return chip(ranks_phrase(ranks), false); }

// Ranks one by one, or as a list where they are many.
Box ranks_box(const std::vector<int>& ranks) {
    if (ranks.size() > kMaxChips) {
        return list_chip(ranks);
    }
    std::vector<Box> chips;
    chips.reserve(ranks.size());
    for (const int rank : ranks) {
        chips.push_back(chip(std::to_string(rank), true));
    }
    const std::size_t columns = std::min<std::size_t>(chips.size(), 4);
    return grid(std::move(chips), columns, 2);
}

// "2 sockets · 50 cores": what a summed-up place holds.
std::string contents(const Place& place) {
    const std::array<std::size_t, kNumLevels> counts = count_places({{}, place.children});
    std::vector<std::string> phrases;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        if (counts[i] > 0) {
            phrases.push_back(counted(counts[i], level_name(static_cast<Level>(i))));
        }
    }
    return fmt::format("{}", fmt::join(phrases, kDot));
}

Box summary(const Place& place) {
    std::vector<Box> lines = {list_chip(all_ranks(place)), plain_text(contents(place), 10, kNoteColour)};
    return framed(caption(place), grid(std::move(lines), 1, 2), kStyles[place.level]);
}

// The deepest level of which not too many places exist; the outermost at least.
Level finest_level(const PlaceTree& tree) {
    const std::array<std::size_t, kNumLevels> counts = count_places(tree);
    Level finest = kCluster;
    for (std::size_t i = 0; i < kNumLevels && counts[i] <= kMaxBoxes; ++i) {
        finest = counts[i] > 0 ? static_cast<Level>(i) : finest;
    }
    return finest;
}

// The most boxes that a place of `level` among `places` and below has inside.
std::size_t most_boxes(const std::vector<Place>& places, Level level) {
    std::size_t most = 0;
    for (const Place& place : places) {
        const std::size_t own =
            place.level == level ? place.children.size() + !place.own_ranks.empty() : 0;
        most = std::max({most, own, most_boxes(place.children, level)});
    }
    return most;
}

// The columns of a grid of `most` boxes, or of these if they are more, in the shape `aspect`.
std::size_t columns_for(std::size_t most, const std::vector<Box>& boxes, int gap, double aspect) {
    double width = 1;
    double height = 1;
    for (const Box& box : boxes) {
        width = std::max(width, box.width + gap);
        height = std::max(height, box.height + gap);
    }
    return best_columns(std::max(most, boxes.size()), width, height, aspect);
}

// One way to lay out the tree. All places of one level have the same number of columns, the one that
// suits the fullest of them, so that equal places look alike.
class Drawing {
public:
    Drawing(const PlaceTree& tree, double aspect)
        : tree_(tree), finest_(finest_level(tree)), deepest_(deepest_level(tree)), aspect_(aspect) {}

    Box draw() {
        std::vector<Box> boxes = place_boxes(tree_.roots);
        if (!tree_.own_ranks.empty()) {
            boxes.push_back(ranks_box(tree_.own_ranks));
        }
        const std::size_t columns = columns_for(0, boxes, 6, aspect_);
        return grid(std::move(boxes), columns, 6);
    }

    Box legend() const {
        const std::array<std::size_t, kNumLevels> counts = count_places(tree_);
        std::vector<Box> boxes;
        for (std::size_t i = 0; i <= static_cast<std::size_t>(finest_); ++i) {
            if (counts[i] > 0) {
                boxes.push_back(swatch(std::string(level_name(static_cast<Level>(i))), kStyles[i]));
            }
        }
        boxes.push_back(chip("rank", true));
        return fixed_row(std::move(boxes), 6);
    }

private:
    Box arranged(Level level, std::vector<Box> boxes) {
        constexpr int kGap = 4;
        const std::size_t count = boxes.size();
        const auto [columns, is_new] = columns_.try_emplace(level, 1);
        if (is_new) {
            columns->second = columns_for(most_boxes(tree_.roots, level), boxes, kGap, aspect_);
        }
        return grid(std::move(boxes), std::min(columns->second, count), kGap);
    }

    Box own_ranks_box(const Place& place) const {
        Box ranks = ranks_box(place.own_ranks);
        const std::string why(looseness(place.level, deepest_));
        return why.empty() ? ranks
                           : framed(plain_text(why, kLooseStyle.font_points, kLooseStyle.text),
                                    std::move(ranks), kLooseStyle);
    }

    Box place_box(const Place& place) {
        if (place.level >= finest_ && !place.children.empty()) {
            return summary(place);
        }
        std::vector<Box> boxes = place_boxes(place.children);
        if (!place.own_ranks.empty()) {
            boxes.push_back(own_ranks_box(place));
        }
        return framed(caption(place), arranged(place.level, std::move(boxes)), kStyles[place.level]);
    }

    // The places of one parent; where even these are too many, the others as a number.
    std::vector<Box> place_boxes(const std::vector<Place>& places) {
        const std::size_t num_drawn = places.size() > kMaxBoxes ? kMaxBoxes - 1 : places.size();
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < num_drawn; ++i) {
            boxes.push_back(place_box(places[i]));
        }
        if (num_drawn < places.size()) {
            const std::string level(level_name(places.back().level));
            boxes.push_back(plain_text("and " + counted(places.size() - num_drawn, "more " + level), 12,
                                       kNoteColour));
        }
        return boxes;
    }

    const PlaceTree& tree_;
    Level finest_;   // places of this level are the last to be drawn
    Level deepest_;  // that the job has places of
    double aspect_;  // of each place inside the picture
    std::map<Level, std::size_t> columns_;
};

// Small and near a slide's shape.
double cost(const Box& box) {
    return std::abs(std::log(box.width / box.height / kAspect)) + 0.5 * std::log(box.width * box.height);
}

// Boxes inside boxes cannot all have the best shape: tries several and keeps the best picture.
Box best_drawing(const PlaceTree& tree) {
    Box best;
    double best_cost = std::numeric_limits<double>::max();
    for (const double aspect : {0.5, 0.7, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0}) {
        Box box = Drawing(tree, aspect).draw();
        if (cost(box) < best_cost) {
            best_cost = cost(box);
            best = std::move(box);
        }
    }
    return best;
}

Box domain_box(const SideDomain& domain, std::size_t number) {
    const std::string name = domain.name ? shortened(safe(*domain.name, Charset::kUtf8), kMaxNameChars)
                                         : std::to_string(number);
    return framed(text_box("", name, kDomainStyle.font_points, kDomainStyle.text),
                  list_chip(domain.ranks), kDomainStyle);
}

// A type that nests in no level, by itself.
Box side_box(const SideResource& side) {
    const std::size_t num_drawn =
        side.domains.size() > kMaxDomains ? kMaxDomains - 1 : side.domains.size();
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < num_drawn; ++i) {
        boxes.push_back(domain_box(side.domains[i], i));
    }
    if (num_drawn < side.domains.size()) {
        boxes.push_back(plain_text("and " + counted(side.domains.size() - num_drawn, "more domain"), 10,
                                   kNoteColour));
    }
    constexpr double kWide = 6;
    const std::size_t columns = columns_for(0, boxes, 0, kWide);
    return framed(plain_text(side.type, kSideStyle.font_points, kSideStyle.text),
                  grid(std::move(boxes), columns, 4), kSideStyle);
}

}  // namespace

std::string format_svg(const TableDocument& table) {
    const std::string title = fmt::format("{}", fmt::join(job_counts(table), kDot));
    const std::string origin = fmt::format("{}{}HiTopo {}", table.communicator, kDot, table.version);
    const PlaceTree tree = make_places(table);
    std::vector<Box> parts = {
        grid({text_box("", title, 20, kTitleColour), plain_text(origin, 11, kNoteColour)}, 1, 2),
        best_drawing(tree)};
    for (const SideResource& side : table.side) {
        if (!side.domains.empty()) {
            parts.push_back(side_box(side));
        }
    }
    parts.push_back(Drawing(tree, kAspect).legend());
    return svg_of(grid(std::move(parts), 1, 4), title);
}

}  // namespace hitopo::tool
