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

// "  hitopo_slurm_priority = 50  (int; default)".
std::string variable_line(const VariableInfo& variable, Charset charset) {
    const std::string value = variable.value ? safe(*variable.value, charset) : "(not set)";
    const char* quote = variable.value && variable.type == "string" ? "\"" : "";
    return fmt::format("  {0} = {1}{2}{1}  ({3}, {4}; {5})\n", safe(variable.name, charset), quote,
                       value, safe(variable.type, charset), safe(variable.scope, charset),
                       safe(variable.source, charset));
}

// The same with the help below it.
std::string variable_text(const VariableInfo& variable, Charset charset) {
    std::string help = variable.help;  // wrapped() sets its lines anew
    std::replace_if(
        help.begin(), help.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return variable_line(variable, charset) + wrapped(safe(help, charset), "      ", kWidth);
}

}  // namespace

std::string format_variables(const std::vector<VariableInfo>& variables, bool has_help,
                             Charset charset) {
    std::string text;
    for (const VariableInfo& variable : variables) {
        text += has_help ? variable_text(variable, charset) : variable_line(variable, charset);
    }
    return text;
}

std::string format_info(const FrameworkDocument& framework, Charset charset) {
    std::vector<std::vector<std::string>> rows = {{"name", "version", "priority", "fills"}};
    for (const ComponentInfo& component : framework.components) {
        rows.push_back({safe(component.name, charset), safe(component.version, charset),
                        pad_left(std::to_string(component.priority), 8),
                        component.levels.empty()
                            ? "side resources"
                            : safe(fmt::format("{}", fmt::join(component.levels, ", ")), charset)});
    }
    std::string text = fmt::format(
        "HiTopo {} in Open MPI {}\nLevels, outermost first: {}\n\nComponents\n{}\n"
        "Set a variable with `mpirun --mca NAME VALUE` or in the environment as OMPI_MCA_NAME=VALUE.\n",
        safe(framework.version, charset), safe(framework.open_mpi, charset),
        safe(fmt::format("{}", fmt::join(framework.levels, ", ")), charset), aligned(rows, "  "));
    // By component, of which "hitopo_slurm_priority" is one of slurm; "": of the framework.
    std::map<std::string, std::string> variables;
    for (const VariableInfo& variable : framework.variables) {
        const auto owner = std::find_if(
            framework.components.begin(), framework.components.end(), [&](const ComponentInfo& each) {
                return variable.name.rfind("hitopo_" + each.name + '_', 0) == 0;
            });
        variables[owner == framework.components.end() ? "" : owner->name] +=
            variable_text(variable, charset);
    }
    const auto add_section = [&](const std::string& title, const std::string& own) {
        text += own.empty() ? "" : fmt::format("\nVariables of {}\n{}", title, own);
    };
    add_section("the framework", variables[""]);
    for (const ComponentInfo& component : framework.components) {
        add_section(safe(component.name, charset), variables[component.name]);
    }
    return text;
}

}  // namespace hitopo::tool
