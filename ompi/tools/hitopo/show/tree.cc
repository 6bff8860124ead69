// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --format tree`: the domains as an indented tree.
#include <fmt/format.h>

#include "ompi/tools/hitopo/domain.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

struct Branches {
    std::string_view middle, last, below_middle, below_last;
};
constexpr Branches kUtf8Branches = {"├─ ", "└─ ", "│  ", "   "};
constexpr Branches kAsciiBranches = {"|- ", "`- ", "|  ", "   "};

// A line of the tree with the lines below it.
struct Line {
    std::string text;
    std::vector<Line> below;
};

bool has_one_rank(const Domain& domain) {
    return domain.children.empty() && domain.own_ranks.size() == 1;
}

// Cores of consecutive numbers that hold one rank each, in ascending order, read as one.
bool continues(const Domain& core, const Domain& next) {
    return next.level == core.level && next.number == core.number + 1 && has_one_rank(next) &&
           next.own_ranks.front() > core.own_ranks.front();
}

std::string label(const Domain& domain, Charset charset) {
    return fmt::format("{} {}", level_name(domain.level), safe(domain.name, charset));
}

// "core 0: ranks 0-1", or "cores 0-3: ranks 4-7" for a run of cores, which `next` moves past.
std::string take_cores(const std::vector<Domain>& cores, std::size_t& next, Charset charset) {
    const Domain& first = cores[next++];
    std::vector<int> ranks = first.own_ranks;
    while (has_one_rank(first) && next < cores.size() && continues(cores[next - 1], cores[next])) {
        ranks.push_back(cores[next++].own_ranks.front());
    }
    const Domain& last = cores[next - 1];
    const std::string who =
        &first == &last ? label(first, charset) : fmt::format("cores {}-{}", first.number, last.number);
    return fmt::format("{}: {}", who, ranks_phrase(ranks));
}

struct Style {
    Charset charset;
    Level deepest;  // of the job's domains
};

Line make_line(const Domain& domain, const Style& style);

std::vector<Line> lines_of(const std::vector<Domain>& children, const Style& style) {
    std::vector<Line> lines;
    for (std::size_t next = 0; next < children.size();) {
        if (children[next].level == kCore) {
            lines.push_back({take_cores(children, next, style.charset), {}});
        } else {
            lines.push_back(make_line(children[next++], style));
        }
    }
    return lines;
}

// Ranks that need no branches of their own stand on the domain's line.
Line make_line(const Domain& domain, const Style& style) {
    Line line = {label(domain, style.charset), lines_of(domain.children, style)};
    if (!domain.own_ranks.empty()) {
        const std::string_view why = looseness(domain.level, style.deepest);
        const std::string ranks = ranks_phrase(domain.own_ranks);
        line.below.insert(line.below.begin(),
                          {why.empty() ? ranks : fmt::format("{}: {}", why, ranks), {}});
    }
    const bool has_children = !domain.children.empty();
    if (domain.level >= kNode && line.below.size() == 1 && line.below.front().below.empty()) {
        const std::string& only = line.below.front().text;
        return {line.text + (has_children ? ", " : ": ") + only, {}};
    }
    return line;
}

void draw(const std::vector<Line>& lines, const std::string& margin, const Branches& branches,
          std::string& out) {
    for (const Line& line : lines) {
        const bool is_last = &line == &lines.back();
        out += fmt::format("{}{}{}\n", margin, is_last ? branches.last : branches.middle, line.text);
        const std::string_view below = is_last ? branches.below_last : branches.below_middle;
        draw(line.below, margin + std::string(below), branches, out);
    }
}

// A tree of its own for each type: it nests in no level.
std::vector<Line> side_lines(const TableDocument& table, Charset charset) {
    std::vector<Line> lines;
    for (const SideResource& side : table.side) {
        Line type = {safe(side.type, charset), {}};
        for (std::size_t number = 0; number < side.domains.size(); ++number) {
            const SideDomain& domain = side.domains[number];
            const std::string name = domain.name ? safe(*domain.name, charset) : std::to_string(number);
            type.below.push_back({fmt::format("{}: {}", name, ranks_phrase(domain.ranks)), {}});
        }
        lines.push_back(std::move(type));
    }
    return lines;
}

}  // namespace

std::string format_tree(const TableDocument& table, Charset charset) {
    const Domain job = make_domains(table);
    std::vector<Line> lines = lines_of(job.children, {charset, deepest_level(job)});
    if (!job.own_ranks.empty()) {
        lines.insert(lines.begin(), {ranks_phrase(job.own_ranks), {}});
    }
    std::string text = heading(table, charset);
    const Branches& branches = charset == Charset::kUtf8 ? kUtf8Branches : kAsciiBranches;
    draw(lines, "", branches, text);
    if (!table.side.empty()) {
        text += "Beside the levels:\n";
        draw(side_lines(table, charset), "", branches, text);
    }
    return text + warnings(table, charset);
}

}  // namespace hitopo::tool
