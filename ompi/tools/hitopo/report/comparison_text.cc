// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report --compare A.json B.json`: two profiles as text of 80 columns.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ompi/tools/hitopo/report/comparison.h"
#include "ompi/tools/hitopo/report/units.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxCompared = 20;
constexpr std::size_t kCompareColumns = 80;

std::string cell(const std::string& text) { return pad_left(text, 10); }

std::string compared_table(const ComparedTraffic& traffic, const ComparedColumns& columns,
                           Charset charset) {
    const bool has_messages = columns.messages != nullptr;
    std::vector<std::vector<std::string>> lines = {{"lane"}};
    const auto append = [&](const std::vector<std::string>& messages,
                            const std::vector<std::string>& bytes) {
        if (has_messages) {
            lines.back().insert(lines.back().end(), messages.begin(), messages.end());
        }
        lines.back().insert(lines.back().end(), bytes.begin(), bytes.end());
    };
    append({cell("messages A"), cell("B")},
           {cell("bytes A"), cell("B"), cell("B - A"), pad_left("B/A", 5)});
    const std::vector<ComparedRow> rows = rows_of(traffic, columns);
    for (const ComparedRow& row : rows) {
        lines.push_back({pad_right(cut(safe(row.name, charset), 10, charset), 10)});
        append({cell(human_count(row.messages[0])), cell(human_count(row.messages[1]))},
               {cell(human_bytes(row.bytes[0])), cell(human_bytes(row.bytes[1])),
                cell(difference_text(row.bytes)), pad_left(ratio_text(row.bytes), 5)});
    }
    return rows.empty() ? "" : fmt::format("  {}\n{}", columns.title, aligned(lines, "  "));
}

std::string compared_section(const std::string& title, const ComparedTraffic& traffic, Charset charset) {
    std::string text =
        fmt::format("\n{}\n  calls {} and {}; time {} and {}, B/A {}\n", title,
                    human_count(traffic.calls[0]), human_count(traffic.calls[1]),
                    human_ns(traffic.ns[0]), human_ns(traffic.ns[1]), ratio_text(traffic.ns));
    for (const ComparedColumns& columns : kComparedTables) {
        text += compared_table(traffic, columns, charset);
    }
    return text;
}

std::string compared_title(const ComparedTraffic& traffic, Charset charset) {
    return safe(traffic.name, charset) + ": " + traffic.size;
}

std::string only_in(const char* side, const std::vector<std::string>& names, Charset charset) {
    if (names.empty()) {
        return "";
    }
    const std::size_t shown = std::min(names.size(), kMaxCompared);
    const std::vector<std::string> first(names.begin(),
                                         names.begin() + static_cast<std::ptrdiff_t>(shown));
    const std::string rest =
        shown < names.size() ? fmt::format(", and {} more", names.size() - shown) : "";
    return '\n' + wrapped(fmt::format("Only in {}: {}{}", side,
                                      safe(fmt::format("{}", fmt::join(first, ", ")), charset), rest),
                          "", kCompareColumns);
}

std::string warnings_of(const char* side, const Profile& profile, Charset charset) {
    std::string text;
    for (const std::string& warning : profile.warnings) {
        text += fmt::format("\nwarning of {}: {}\n", side, safe(warning, charset));
    }
    return text;
}

}  // namespace

std::string format_comparison(const NamedProfile& a, const NamedProfile& b, Charset charset) {
    const Comparison comparison = compare(a.profile, b.profile);
    std::string text = fmt::format(
        "Two profiles, times of all processes together\nA  {}\n   {}\nB  {}\n   {}\n",
        safe(a.name, charset), side_phrase(a.profile), safe(b.name, charset), side_phrase(b.profile));
    for (const std::string& difference : comparison.differences) {
        text += safe(difference, charset) + '\n';
    }
    text += compared_section("Whole job", comparison.all, charset);
    const std::size_t shown = std::min(comparison.of_both.size(), kMaxCompared);
    for (std::size_t i = 0; i < shown; ++i) {
        const ComparedTraffic& traffic = comparison.of_both[i];
        text += compared_section(compared_title(traffic, charset), traffic, charset);
    }
    if (shown < comparison.of_both.size()) {
        text += fmt::format("\nThese are the {} with the most bytes; --format html has all {}.\n", shown,
                            comparison.of_both.size());
    }
    text += only_in("A", comparison.of_one[0], charset) + only_in("B", comparison.of_one[1], charset);
    return text + warnings_of("A", a.profile, charset) + warnings_of("B", b.profile, charset);
}

}  // namespace hitopo::tool
