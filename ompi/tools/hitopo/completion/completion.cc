// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/completion/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace hitopo::tool {
namespace {

std::string subcommands_of(const CLI::App& app) {
    std::string lines;
    for (const CLI::App* command : app.get_subcommands({})) {
        lines += command->get_name() + '\n';
    }
    return lines;
}

std::string long_options_of(const CLI::App& command) {
    std::string lines;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            lines += "--" + name + '\n';
        }
    }
    return lines;
}

// CLI11 tells the set of IsMember nowhere else: "FORMAT:{text,json}".
std::string values_of(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const std::size_t open = type.find('{');
    if (open == std::string::npos) {
        return "";
    }
    std::string lines = type.substr(open + 1, type.find('}', open) - open - 1) + '\n';
    std::replace(lines.begin(), lines.end(), ',', '\n');
    return lines;
}

bool takes_files(const CLI::App& command) {
    return !command.get_options([](const CLI::Option* option) { return option->get_positional(); })
                .empty();
}

// The subcommand that the words begin with, or the app itself where there are none yet.
const CLI::App* command_of(const CLI::App& app, const std::vector<std::string>& words) {
    if (words.empty()) {
        return &app;
    }
    const auto found = app.get_subcommands(
        [&](const CLI::App* command) { return command->get_name() == words.front(); });
    return found.empty() ? nullptr : found.front();
}

}  // namespace

std::string completions(const CLI::App& app, std::vector<std::string> words) {
    const std::string typed = words.empty() ? "" : words.back();
    words.resize(words.empty() ? 0 : words.size() - 1);
    const CLI::App* command = command_of(app, words);
    if (command == nullptr) {
        return "";
    }
    const CLI::Option* before = words.empty() ? nullptr : command->get_option_no_throw(words.back());
    if (before != nullptr && before->get_items_expected_max() > 0) {
        return values_of(*before);
    }
    if (!typed.empty() && typed.front() == '-') {
        return long_options_of(*command);
    }
    return words.empty() ? subcommands_of(app) : takes_files(*command) ? "" : long_options_of(*command);
}

}  // namespace hitopo::tool
