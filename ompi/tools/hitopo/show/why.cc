// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --why`: by level the components' answers, equal processes together.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

using Processes = std::vector<std::optional<ProcessDocument>>;
using Row = std::vector<std::string>;

// Ranks with equal answers, by the cells of these.
using Groups = std::map<Row, std::vector<int>>;

// So many rows are listed of one component at one level, and of each section at the end.
constexpr std::size_t kMaxRows = 12;

// Appends each group's ranks and cells, in the order of first ranks: all of them if they are few;
// otherwise the first ones and the number of the others.
void add_rows(const Groups& groups, std::vector<Row>& rows) {
    std::vector<std::pair<int, Row>> sorted;
    for (const auto& [cells, ranks] : groups) {
        Row row = {ranks_phrase(ranks)};
        row.insert(row.end(), cells.begin(), cells.end());
        sorted.emplace_back(ranks.front(), std::move(row));
    }
    std::sort(sorted.begin(), sorted.end());
    const std::size_t num_listed = sorted.size() > kMaxRows ? kMaxRows - 1 : sorted.size();
    for (std::size_t i = 0; i < num_listed; ++i) {
        rows.push_back(std::move(sorted[i].second));
    }
    if (num_listed < sorted.size()) {
        rows.push_back(
            {fmt::format(".. and {} more (--format json has all)", sorted.size() - num_listed)});
    }
}

std::vector<Row> level_rows(const Processes& processes, const std::string& name, Charset charset) {
    // Components of higher priority first, as the framework asks them.
    std::map<std::pair<long long, std::string>, Groups> components;
    const auto add = [&](const LevelAnswers& level, const Answer& answer, std::size_t rank) {
        const bool is_chosen = level.chosen == answer.component;
        // A component that describes the machine has no value of its own: the level's stands for it.
        const OptionalText& value = is_chosen && !answer.value ? level.value : answer.value;
        const Row cells = {fmt::format("{} {} ({})", is_chosen ? '*' : ' ',
                                       safe(answer.component, charset), answer.priority),
                           safe(value.value_or("-"), charset),
                           safe(answer.reason.value_or(""), charset)};
        components[{-static_cast<long long>(answer.priority), answer.component}][cells].push_back(
            static_cast<int>(rank));
    };
    for (std::size_t rank = 0; rank < processes.size(); ++rank) {
        if (!processes[rank]) {
            continue;
        }
        for (const LevelAnswers& level : processes[rank]->levels) {
            for (const Answer& answer : level.answers) {
                if (level.level == name) {
                    add(level, answer, rank);
                }
            }
        }
    }
    std::vector<Row> rows;
    for (const auto& [component, groups] : components) {
        add_rows(groups, rows);
    }
    return rows;
}

std::string section(std::string_view title, const Groups& groups) {
    std::vector<Row> rows;
    add_rows(groups, rows);
    return rows.empty() ? "" : fmt::format("\n{}\n{}", title, aligned(rows, "  "));
}

std::string end_sections(const Processes& processes, Charset charset) {
    Groups bindings, errors, silent;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const int rank = static_cast<int>(i);
        if (!processes[i]) {
            silent[{"HiTopo is off there, or has another version"}].push_back(rank);
            continue;
        }
        const OptionalText& binding = processes[i]->binding;
        bindings[{(binding ? "CPUs " + safe(*binding, charset) : "CPUs unknown") +
                  (processes[i]->is_binding_changed ? ", changed since MPI_Init" : "")}]
            .push_back(rank);
        for (const BadInput& error : processes[i]->errors) {
            std::string line = error.where;
            add_item(line, ": ", error.value);
            add_item(line, ": ", error.message);
            errors[{safe(line + " (component " + error.component + ')', charset)}].push_back(rank);
        }
    }
    return section("binding", bindings) + section("bad input", errors) + section("no answer", silent);
}

}  // namespace

std::string format_why(const Processes& processes, Charset charset) {
    std::vector<std::string> names;  // of levels, in the order in which the documents have them
    for (const auto& process : processes) {
        for (const LevelAnswers& level : process ? process->levels : std::vector<LevelAnswers>()) {
            add_once(names, level.level);
        }
    }
    std::string text =
        "For each level: what each component found and why, the highest priority (in parentheses) "
        "first; "
        "* is the one used.\n";
    for (const std::string& name : names) {
        const std::vector<Row> rows = level_rows(processes, name, charset);
        text += fmt::format("\n{}\n{}", safe(name, charset),
                            rows.empty() ? "  no component fills this level\n" : aligned(rows, "  "));
    }
    return text + end_sections(processes, charset);
}

}  // namespace hitopo::tool
