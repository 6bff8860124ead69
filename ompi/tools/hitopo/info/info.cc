// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo info`: components and MCA variables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kWidth = 88;

std::string components_text(const FrameworkDocument& framework, Charset charset) {
    std::vector<std::vector<std::string>> rows = {{"name", "version", "priority", "fills"}};
    for (const ComponentInfo& component : framework.components) {
        rows.push_back({safe(component.name, charset), safe(component.version, charset),
                        pad_left(std::to_string(component.priority), 8),
                        component.levels.empty()
                            ? "side resources"
                            : safe(fmt::format("{}", fmt::join(component.levels, ", ")), charset)});
    }
    return "Components\n" + aligned(rows, "  ");
}

// "hitopo_slurm_priority" belongs to slurm.
bool belongs_to(const VariableInfo& variable, const ComponentInfo& component) {
    const std::string prefix = "hitopo_" + component.name + "_";
    return variable.name.compare(0, prefix.size(), prefix) == 0;
}

std::string quoted(const VariableInfo& variable, const OptionalText& value, Charset charset) {
    if (!value) {
        return "(not set)";
    }
    const std::string text = safe(*value, charset);
    return variable.type == "string" ? '"' + text + '"' : text;
}

// Line ends and tabs as spaces: wrapped() sets the lines anew.
std::string spaced(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return text;
}

// "  hitopo_slurm_priority = 50  (int; default)" and the help below it.
std::string variable_text(const VariableInfo& variable, Charset charset) {
    return fmt::format("  {} = {}  ({}, {}; {})\n{}", safe(variable.name, charset),
                       quoted(variable, variable.value, charset), safe(variable.type, charset),
                       safe(variable.scope, charset), safe(variable.source, charset),
                       wrapped(safe(spaced(variable.help), charset), "      ", kWidth));
}

template <class Belongs>
std::string section(const std::string& title, const FrameworkDocument& framework, Charset charset,
                    Belongs belongs) {
    std::string text;
    for (const VariableInfo& variable : framework.variables) {
        if (belongs(variable)) {
            text += variable_text(variable, charset);
        }
    }
    return text.empty() ? text : fmt::format("\n{}\n{}", title, text);
}

bool is_of_framework(const FrameworkDocument& framework, const VariableInfo& variable) {
    return std::none_of(framework.components.begin(), framework.components.end(),
                        [&](const ComponentInfo& component) { return belongs_to(variable, component); });
}

// ---- as a page ----

bool begins_with(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}

// The end of a name that the variables of all components have, or "".
std::string common_end(const VariableInfo& variable, const FrameworkDocument& framework) {
    for (std::string end : {"_priority", "_verbose"}) {
        const std::size_t size = variable.name.size();
        if (size > end.size() && variable.name.substr(size - end.size()) == end &&
            !is_of_framework(framework, variable)) {
            return end;
        }
    }
    return "";
}

// In a cell a bar would end it, and an angle bracket would begin a tag.
std::string cell(const std::string& text, Charset charset) {
    std::string escaped;
    for (const char c : safe(spaced(text), charset)) {
        escaped += c == '|' ? "\\|" : c == '<' ? "&lt;" : std::string(1, c);
    }
    return escaped;
}

// A value that is set here is no default.
std::string variable_row(const VariableInfo& variable, Charset charset) {
    const bool has_default = variable.value && variable.source == "default";
    return fmt::format(
        "| `{}` | {} | {} | {} |\n", cell(variable.name, charset), cell(variable.type, charset),
        has_default ? '`' + cell(*variable.value, charset) + '`' : "", cell(variable.help, charset));
}

struct VariableSection {
    std::string title;
    std::string prefix;
};

std::vector<VariableSection> sections_of(const FrameworkDocument& framework) {
    std::vector<VariableSection> sections = {{"Framework", "hitopo"},
                                             {"Each component", "hitopo_COMPONENT_"}};
    for (const ComponentInfo& component : framework.components) {
        sections.push_back({"Component " + component.name, "hitopo_" + component.name + "_"});
    }
    sections.push_back({"Collectives", "coll_hitopo_"});
    sections.push_back({"Grids and graphs", "topo_hitopo_"});
    sections.push_back({"Profiler", "hitopo_prof_"});
    return sections;
}

// By name; those that each component has once, and no versions.
std::map<std::string, VariableInfo> variables_of(const FrameworkDocument& framework) {
    std::map<std::string, VariableInfo> by_name;
    for (VariableInfo variable : framework.variables) {
        const std::string end = common_end(variable, framework);
        if (!end.empty()) {
            variable.name = "hitopo_COMPONENT" + end;
            variable.source = end == "_priority" ? "component" : variable.source;
        }
        if (variable.scope != "constant") {
            by_name.emplace(variable.name, variable);
        }
    }
    return by_name;
}

}  // namespace

std::string format_variables(const FrameworkDocument& framework, Charset charset) {
    const std::vector<VariableSection> sections = sections_of(framework);
    std::vector<std::string> rows(sections.size());
    for (const auto& [name, variable] : variables_of(framework)) {
        std::size_t longest = 0;
        for (std::size_t i = 0; i < sections.size(); ++i) {
            if (begins_with(name, sections[i].prefix) &&
                sections[i].prefix.size() > sections[longest].prefix.size()) {
                longest = i;
            }
        }
        const bool is_ours = begins_with(name, sections[longest].prefix);
        rows[longest] += is_ours ? variable_row(variable, charset) : "";
    }
    std::string text =
        "# MCA variables\n\n"
        "Set them with `mpirun --mca NAME VALUE`, with `OMPI_MCA_NAME=VALUE` in the environment, or in\n"
        "`openmpi-mca-params.conf`. `hitopo info` shows the current values.\n"
        "(`hitopo info --format markdown` writes this page.)\n";
    for (std::size_t i = 0; i < sections.size(); ++i) {
        if (!rows[i].empty()) {
            text +=
                fmt::format("\n## {}\n\n| variable | type | default | meaning |\n|---|---|---|---|\n{}",
                            safe(sections[i].title, charset), rows[i]);
        }
    }
    return text;
}

std::string format_info(const FrameworkDocument& framework, Charset charset) {
    std::string text = fmt::format("HiTopo {} in Open MPI {}\nLevels, outermost first: {}\n\n{}",
                                   safe(framework.version, charset), safe(framework.open_mpi, charset),
                                   safe(fmt::format("{}", fmt::join(framework.levels, ", ")), charset),
                                   components_text(framework, charset));
    text +=
        "\nSet a variable with `mpirun --mca NAME VALUE` or in the environment as "
        "OMPI_MCA_NAME=VALUE.\n";
    text += section("Variables of the framework", framework, charset,
                    [&](const VariableInfo& variable) { return is_of_framework(framework, variable); });
    for (const ComponentInfo& component : framework.components) {
        text += section("Variables of " + safe(component.name, charset), framework, charset,
                        [&](const VariableInfo& variable) { return belongs_to(variable, component); });
    }
    return text;
}

}  // namespace hitopo::tool
