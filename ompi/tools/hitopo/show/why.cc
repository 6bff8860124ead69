// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --why`: per level which component answered what, equal processes together.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

using Processes = std::vector<std::optional<ProcessDocument>>;
using Rows = std::vector<std::vector<std::string>>;

// Processes that say the same, by what they say. Keys stand in the order of output.
template <class Key>
using Groups = std::map<Key, std::vector<int>>;

// One answer; higher priorities first, as the framework asks them.
struct Said {
    long long minus_priority;
    std::string component;
    bool is_chosen;
    OptionalText value;
    OptionalText reason;

    auto key() const { return std::tie(minus_priority, component, is_chosen, value, reason); }
    friend bool operator<(const Said& a, const Said& b) { return a.key() < b.key(); }
};

// So many rows are listed of one component at one level, and of each section at the end.
constexpr std::size_t kMaxRows = 12;

// All rows if they are few; otherwise the first ones and how many more there are.
Rows limited(Rows rows) {
    if (rows.size() <= kMaxRows) {
        return rows;
    }
    const std::size_t num_left = rows.size() - kMaxRows + 1;
    rows.resize(kMaxRows - 1);
    rows.push_back({fmt::format(".. and {} more (--format json has all)", num_left)});
    return rows;
}

std::string or_dash(const OptionalText& text, Charset charset) {
    return text ? safe(*text, charset) : "-";
}

// Levels in the order in which the documents have them.
std::vector<std::string> level_names(const Processes& processes) {
    std::vector<std::string> names;
    for (const auto& process : processes) {
        for (const LevelAnswers& level : process ? process->levels : std::vector<LevelAnswers>()) {
            add_once(names, level.level);
        }
    }
    return names;
}

// A component that describes the machine has no value of its own: what follows is the level's.
void add_answers(const LevelAnswers& level, int rank, Groups<Said>& groups) {
    for (const Answer& answer : level.answers) {
        const bool is_chosen = level.chosen == answer.component;
        const OptionalText& value = is_chosen && !answer.value ? level.value : answer.value;
        const Said said = {-static_cast<long long>(answer.priority), answer.component, is_chosen, value,
                           answer.reason};
        groups[said].push_back(rank);
    }
}

// Calls `visit` with each process that has a document and its rank.
template <class Visit>
void each_process(const Processes& processes, Visit visit) {
    for (std::size_t rank = 0; rank < processes.size(); ++rank) {
        if (processes[rank]) {
            visit(*processes[rank], static_cast<int>(rank));
        }
    }
}

Groups<Said> answers_of(const Processes& processes, const std::string& name) {
    Groups<Said> groups;
    each_process(processes, [&](const ProcessDocument& process, int rank) {
        for (const LevelAnswers& level : process.levels) {
            if (level.level == name) {
                add_answers(level, rank, groups);
            }
        }
    });
    return groups;
}

using Answers = std::vector<std::pair<const Said*, const std::vector<int>*>>;

// One component's answers in the order of their first ranks.
Rows component_rows(Answers answers, Charset charset) {
    std::sort(answers.begin(), answers.end(),
              [](const auto& a, const auto& b) { return a.second->front() < b.second->front(); });
    Rows rows;
    for (const auto& [said, ranks] : answers) {
        const std::string who = fmt::format("{} {} ({})", said->is_chosen ? '*' : ' ',
                                            safe(said->component, charset), -said->minus_priority);
        rows.push_back({ranks_phrase(*ranks), who, or_dash(said->value, charset),
                        said->reason ? safe(*said->reason, charset) : ""});
    }
    return limited(std::move(rows));
}

Rows level_rows(const Groups<Said>& groups, Charset charset) {
    Rows rows;
    for (auto first = groups.begin(); first != groups.end();) {
        Answers answers;
        const std::string component = first->first.component;
        for (; first != groups.end() && first->first.component == component; ++first) {
            answers.emplace_back(&first->first, &first->second);
        }
        const Rows more = component_rows(std::move(answers), charset);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    return rows;
}

std::string binding_text(const ProcessDocument& process, Charset charset) {
    const std::string cpus =
        process.binding ? "CPUs " + safe(*process.binding, charset) : "CPUs unknown";
    return cpus + (process.is_binding_changed ? ", changed since MPI_Init" : "");
}

std::string error_text(const BadInput& error, Charset charset) {
    return fmt::format("{}: {}: \"{}\" in {}: {}", safe(error.component, charset),
                       safe(error.code, charset), safe(error.value, charset), safe(error.where, charset),
                       safe(error.message, charset));
}

// A section of rows "ranks 0-3  text", in the order of first ranks; "" without any.
std::string section(std::string_view title, const Groups<std::string>& groups) {
    std::vector<std::pair<int, std::vector<std::string>>> lines;
    for (const auto& [text, ranks] : groups) {
        lines.push_back({ranks.front(), {ranks_phrase(ranks), text}});
    }
    std::sort(lines.begin(), lines.end());
    Rows rows;
    for (auto& line : lines) {
        rows.push_back(std::move(line.second));
    }
    return rows.empty() ? "" : fmt::format("\n{}\n{}", title, aligned(limited(std::move(rows)), "  "));
}

std::string end_sections(const Processes& processes, Charset charset) {
    Groups<std::string> bindings;
    Groups<std::string> errors;
    Groups<std::string> silent;
    each_process(processes, [&](const ProcessDocument& process, int rank) {
        bindings[binding_text(process, charset)].push_back(rank);
        for (const BadInput& error : process.errors) {
            errors[error_text(error, charset)].push_back(rank);
        }
    });
    for (std::size_t rank = 0; rank < processes.size(); ++rank) {
        if (!processes[rank]) {
            silent["HiTopo is off there, or has another version"].push_back(static_cast<int>(rank));
        }
    }
    return section("binding", bindings) + section("bad input", errors) + section("no answer", silent);
}

}  // namespace

std::string format_why(const Processes& processes, Charset charset) {
    std::string text =
        "Components of each level by priority (in parentheses), with raw value and reason; * fills the "
        "level.\n";
    for (const std::string& name : level_names(processes)) {
        const Rows rows = level_rows(answers_of(processes, name), charset);
        text += fmt::format("\n{}\n{}", safe(name, charset),
                            rows.empty() ? "  no component fills this level\n" : aligned(rows, "  "));
    }
    return text + end_sections(processes, charset);
}

}  // namespace hitopo::tool
