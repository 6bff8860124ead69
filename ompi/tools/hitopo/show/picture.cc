// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --format svg`: the domains as nested boxes, under a title, then side resources, each type
// by itself, and a legend. Inner domains are summed up in their parents' boxes where there would be too
// many boxes to read.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/domain.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/show/boxes.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// Okabe and Ito's palette, which colour-blind people can distinguish: light tints for the boxes, and
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
constexpr std::size_t kMaxChips = 16;   // ranks of one domain that stand singly
constexpr std::size_t kMaxNameChars = 28;
constexpr std::size_t kMaxDomains = 24;  // of one type beside the levels

Box plain_text(const std::string& text, int points, std::string_view colour) {
    return text_box(safe(text, Charset::kUtf8), "", points, colour);
}

Box caption(const Domain& domain) {
    const BoxStyle& style = kStyles[domain.level];
    return text_box(fmt::format("{} ", level_name(domain.level)),
                    shortened(safe(domain.name, Charset::kUtf8), kMaxNameChars), style.font_points,
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

// A domain whose inner ones are a number: "2 sockets · 50 cores".
Box summary(const Domain& domain) {
    const std::array<std::size_t, kNumLevels> counts = count_domains(domain);
    std::vector<std::string> phrases;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        if (counts[i] > 0) {
            phrases.push_back(counted(counts[i], level_name(static_cast<Level>(i))));
        }
    }
    std::vector<Box> lines = {list_chip(all_ranks(domain)),
                              plain_text(fmt::format("{}", fmt::join(phrases, kDot)), 10, kNoteColour)};
    return framed(caption(domain), grid(std::move(lines), 1, 2), kStyles[domain.level]);
}

// The most boxes that a domain of `level` among `domains` and below has inside.
std::size_t most_boxes(const std::vector<Domain>& domains, Level level) {
    std::size_t most = 0;
    for (const Domain& domain : domains) {
        const std::size_t own =
            domain.level == level ? domain.children.size() + !domain.own_ranks.empty() : 0;
        most = std::max({most, own, most_boxes(domain.children, level)});
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

// One way to lay out the tree. All domains of one level have the same number of columns, the one that
// suits the fullest of them, so that equal domains look alike.
class Drawing {
public:
    Drawing(const Domain& job, double aspect)
        : job_(job),
          finest_(deepest_level(job, kMaxBoxes)),
          deepest_(deepest_level(job)),
          aspect_(aspect) {}

    Box draw() {
        std::vector<Box> boxes = domain_boxes(job_.children);
        if (!job_.own_ranks.empty()) {
            boxes.push_back(ranks_box(job_.own_ranks));
        }
        const std::size_t columns = columns_for(0, boxes, 6, aspect_);
        return grid(std::move(boxes), columns, 6);
    }

    Box legend() const {
        const std::array<std::size_t, kNumLevels> counts = count_domains(job_);
        std::vector<Box> boxes;
        for (std::size_t i = 0; i <= static_cast<std::size_t>(finest_); ++i) {
            if (counts[i] > 0) {
                boxes.push_back(swatch(std::string(level_name(static_cast<Level>(i))), kStyles[i]));
            }
        }
        boxes.push_back(chip("rank", true));
        const std::size_t columns = boxes.size();
        Box row = grid(std::move(boxes), columns, 6);
        row.is_fixed = true;
        return row;
    }

private:
    Box arranged(Level level, std::vector<Box> boxes) {
        constexpr int kGap = 4;
        const std::size_t count = boxes.size();
        const auto [columns, is_new] = columns_.try_emplace(level, 1);
        if (is_new) {
            columns->second = columns_for(most_boxes(job_.children, level), boxes, kGap, aspect_);
        }
        return grid(std::move(boxes), std::min(columns->second, count), kGap);
    }

    Box own_ranks_box(const Domain& domain) const {
        Box ranks = ranks_box(domain.own_ranks);
        const std::string why(looseness(domain.level, deepest_));
        return why.empty() ? ranks
                           : framed(plain_text(why, kLooseStyle.font_points, kLooseStyle.text),
                                    std::move(ranks), kLooseStyle);
    }

    Box domain_box(const Domain& domain) {
        if (domain.level >= finest_ && !domain.children.empty()) {
            return summary(domain);
        }
        std::vector<Box> boxes = domain_boxes(domain.children);
        if (!domain.own_ranks.empty()) {
            boxes.push_back(own_ranks_box(domain));
        }
        return framed(caption(domain), arranged(domain.level, std::move(boxes)), kStyles[domain.level]);
    }

    // The domains of one parent; where even these are too many, the others as a number.
    std::vector<Box> domain_boxes(const std::vector<Domain>& domains) {
        const std::size_t num_drawn = domains.size() > kMaxBoxes ? kMaxBoxes - 1 : domains.size();
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < num_drawn; ++i) {
            boxes.push_back(domain_box(domains[i]));
        }
        if (num_drawn < domains.size()) {
            const std::string level(level_name(domains.back().level));
            boxes.push_back(plain_text("and " + counted(domains.size() - num_drawn, "more " + level), 12,
                                       kNoteColour));
        }
        return boxes;
    }

    const Domain& job_;
    Level finest_;   // domains of this level are the last to be drawn
    Level deepest_;  // that the job has domains of
    double aspect_;  // of each domain inside the picture
    std::map<Level, std::size_t> columns_;
};

// Prefers small pictures near a slide's shape.
double cost(const Box& box) {
    return std::abs(std::log(box.width / box.height / kAspect)) + 0.5 * std::log(box.width * box.height);
}

// Boxes inside boxes cannot all have the best shape: tries several and keeps the best picture.
Box best_drawing(const Domain& job) {
    Box best;
    double best_cost = std::numeric_limits<double>::max();
    for (const double aspect : {0.5, 0.7, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0}) {
        Box box = Drawing(job, aspect).draw();
        if (cost(box) < best_cost) {
            best_cost = cost(box);
            best = std::move(box);
        }
    }
    return best;
}

Box side_domain_box(const SideDomain& domain, std::size_t number) {
    const std::string name = domain.name ? shortened(safe(*domain.name, Charset::kUtf8), kMaxNameChars)
                                         : std::to_string(number);
    return framed(text_box("", name, kDomainStyle.font_points, kDomainStyle.text),
                  domain.ranks.empty() ? plain_text("no rank", 9, kNoteColour) : list_chip(domain.ranks),
                  kDomainStyle);
}

// A type that nests in no level, or a node's devices, by itself.
Box side_box(const SideResource& side) {
    const std::size_t num_drawn =
        side.domains.size() > kMaxDomains ? kMaxDomains - 1 : side.domains.size();
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < num_drawn; ++i) {
        boxes.push_back(side_domain_box(side.domains[i], i));
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
    const Domain job = make_domains(table);
    std::vector<Box> parts = {
        grid({text_box("", title, 20, kTitleColour), plain_text(origin, 11, kNoteColour)}, 1, 2),
        best_drawing(job)};
    for (const SideResource& side : table.side) {
        if (!side.domains.empty()) {
            parts.push_back(side_box(side));
        }
    }
    parts.push_back(Drawing(job, kAspect).legend());
    return svg_of(grid(std::move(parts), 1, 4), title);
}

}  // namespace hitopo::tool
