// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/help_file.h"

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

std::string safe_lines(std::string_view value) {
    std::string text;
    for (const std::string_view line : split(value, '\n')) {
        text.append(safe(line, Charset::kAscii)).append("\n");
    }
    text.pop_back();
    return text;
}

std::string fill_in(std::string_view text, const std::vector<std::string_view>& values) {
    std::string filled;
    std::size_t next = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view mark = text.substr(i, 2);
        if (mark != "%s" && mark != "%l") {
            filled += text[i];
            continue;
        }
        const std::string_view value = next < values.size() ? values[next++] : "";
        filled += mark == "%l" ? safe_lines(value) : safe(value, Charset::kAscii);
        ++i;
    }
    return filled;
}

}  // namespace

// # a comment
// [topic]
// Lines, up to the next [topic].
std::optional<std::string> help_text(std::string_view file, std::string_view topic,
                                     const std::vector<std::string_view>& values) {
    const std::string head = "[" + std::string(topic) + "]";
    const std::string rule = std::string(74, '-') + "\n";
    bool is_found = false;
    std::string text;
    for (const std::string_view line : split(file, '\n')) {
        const bool is_head = !line.empty() && line[0] == '[';
        if (is_found && is_head) {
            break;
        }
        if (is_found && (line.empty() || line[0] != '#')) {
            text.append(line).append("\n");
        }
        is_found |= is_head && trim(line) == head;
    }
    if (!is_found) {
        return std::nullopt;
    }
    text.resize(text.find_last_not_of('\n') + 1);
    return rule + fill_in(text, values) + "\n" + rule;
}

}  // namespace hitopo
