// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {
namespace {

using Numbers = std::vector<int>;

// One entry of a list, starting at `first`, which moves past its numbers: those that follow each other
// with one step.
std::string take_entry(const Numbers& numbers, std::size_t& first) {
    const int low = numbers[first];
    std::size_t end = std::min(first + 2, numbers.size());
    const int step = end > first + 1 ? numbers[first + 1] - low : 0;
    while (end < numbers.size() && numbers[end] - numbers[end - 1] == step) {
        ++end;
    }
    if (end - first >= 3 || step == 1) {
        first = end;
        const std::string stride = step == 1 ? "" : fmt::format(":{}", step);
        return fmt::format("{}-{}{}", low, numbers[end - 1], stride);
    }
    ++first;
    return std::to_string(low);
}

std::vector<std::size_t> column_widths(const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (const std::vector<std::string>& row : rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], num_columns(row[i]));
        }
    }
    return widths;
}

}  // namespace

std::string number_list(const Numbers& numbers, std::size_t max_chars) {
    std::string list;
    for (std::size_t next = 0; next < numbers.size();) {
        const std::string entry = take_entry(numbers, next);
        if (list.size() + entry.size() > max_chars) {
            return list + ",..";
        }
        list += list.empty() ? entry : "," + entry;
    }
    return list;
}

std::string ranks_phrase(const Numbers& ranks) {
    if (ranks.size() == 1) {
        return fmt::format("rank {}", ranks.front());
    }
    const std::string list = number_list(ranks);
    const bool is_cut = list.size() > 2 && list.compare(list.size() - 2, 2, "..") == 0;
    return is_cut ? fmt::format("ranks {} ({} ranks)", list, ranks.size()) : "ranks " + list;
}

std::string plural(std::string_view noun) {
    const bool hisses = !noun.empty() && (noun.back() == 'h' || noun.back() == 's');
    return fmt::format("{}{}", noun, hisses ? "es" : "s");
}

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}", count, count == 1 ? std::string(noun) : plural(noun));
}

std::string pad_right(std::string text, std::size_t width) {
    const std::size_t columns = num_columns(text);
    return columns < width ? text.append(width - columns, ' ') : text;
}

std::string pad_left(const std::string& text, std::size_t width) {
    const std::size_t columns = num_columns(text);
    return columns < width ? std::string(width - columns, ' ') + text : text;
}

std::string cut(const std::string& text, std::size_t width, Charset charset) {
    if (num_columns(text) <= width) {
        return text;
    }
    const std::string_view ellipsis = charset == Charset::kUtf8 ? "\u2026" : "..";
    std::size_t end = 0;
    for (std::size_t columns = width - num_columns(ellipsis) + 1; columns > 0; ++end) {
        columns -= num_columns(text.substr(end, 1));
    }
    return text.substr(0, end - 1).append(ellipsis);
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
    const std::vector<std::size_t> widths = column_widths(rows);
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        std::string line(indent);
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += pad_right(row[i], widths[i] + 2);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string fitted(std::vector<std::vector<std::string>> rows, std::size_t columns, Charset charset) {
    const std::vector<std::size_t> widths = column_widths(rows);
    for (std::size_t i = 1; i < widths.size(); ++i) {
        columns -= widths[i] + 2;
    }
    for (std::vector<std::string>& row : rows) {
        for (std::size_t i = 1; i < row.size(); ++i) {
            row[i] = pad_left(row[i], widths[i]);
        }
        row[0] = cut(row[0], columns - 2, charset);
    }
    return aligned(rows, "  ");
}

std::string wrapped(std::string_view text, std::string_view indent, std::size_t width) {
    constexpr std::string_view kSpaces = " \t\r\n";
    std::string out;
    std::string line;
    for (std::size_t start = text.find_first_not_of(kSpaces); start != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(kSpaces, start), text.size());
        const std::string word(text.substr(start, end - start));
        start = text.find_first_not_of(kSpaces, end);
        if (!line.empty() && num_columns(indent) + num_columns(line) + 1 + num_columns(word) > width) {
            out += fmt::format("{}{}\n", indent, line);
            line.clear();
        }
        line += line.empty() ? word : " " + word;
    }
    return line.empty() ? out : out + fmt::format("{}{}\n", indent, line);
}

std::string map_word(const std::string& name) {
    std::string text = safe(name, Charset::kUtf8);
    if (text.find_first_of(" \t\"") == text.npos && !parse_number(text)) {
        return text;
    }
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    }
    return quoted + '"';
}

std::string escape_xml(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '&'    ? "&amp;"
               : c == '<'  ? "&lt;"
               : c == '>'  ? "&gt;"
               : c == '"'  ? "&quot;"
               : c == '\'' ? "&#39;"
                           : std::string(1, c);
    }
    return out;
}

}  // namespace hitopo::tool
