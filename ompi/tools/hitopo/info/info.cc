// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo info`: components and MCA variables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

}  // namespace

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
