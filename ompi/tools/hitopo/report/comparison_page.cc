// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report --compare A.json B.json --format html`: tables with bars, in the style of a report's
// page.
#include <fmt/format.h>

#include <algorithm>

#include "ompi/tools/hitopo/report/comparison.h"
#include "ompi/tools/hitopo/report/page.h"
#include "ompi/tools/hitopo/report/units.h"
#include "ompi/tools/hitopo/show/markup.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr const char* kStyle =
    "td svg { display: inline-block; vertical-align: middle; width: 45%; min-width: 3rem; height: "
    ".8rem; }\n"
    ".a rect { fill: var(--single); }\n"
    ".b rect { fill: var(--collective); }\n"
    "tbody tr:last-child > * { font-weight: 600; }\n";

std::string shown(const std::string& text) { return escape_xml(safe(text, Charset::kUtf8)); }

// A number, and its part of the table's largest as a bar.
std::string bar_cell(std::uint64_t bytes, std::uint64_t most, const char* side) {
    const double percent =
        most == 0 ? 0 : 100.0 * static_cast<double>(bytes) / static_cast<double>(most);
    return fmt::format(
        "<td class=\"number {}\">{} <svg aria-hidden=\"true\"><rect width=\"{:.2f}%\" "
        "height=\"100%\"/></svg></td>",
        side, human_bytes(bytes), bytes == 0 ? 0.0 : std::max(percent, 0.5));
}

std::string number_cell(const std::string& text) {
    return fmt::format("<td class=\"number\">{}</td>", escape_xml(text));
}

std::string row_element(const ComparedRow& row, bool has_messages, std::uint64_t most) {
    std::string out = fmt::format("<tr><th scope=\"row\">{}</th>", shown(row.name));
    if (has_messages) {
        out += number_cell(human_count(row.messages[0])) + number_cell(human_count(row.messages[1]));
    }
    return out + bar_cell(row.bytes[0], most, "a") + bar_cell(row.bytes[1], most, "b") +
           number_cell(difference_text(row.bytes)) + number_cell(ratio_text(row.bytes)) + "</tr>\n";
}

std::string table_element(const ComparedTraffic& traffic, const ComparedColumns& columns) {
    const std::vector<ComparedRow> rows = rows_of(traffic, columns);
    if (rows.empty()) {
        return "";
    }
    const bool has_messages = columns.messages != nullptr;
    const std::uint64_t most = std::max(rows.back().bytes[0], rows.back().bytes[1]);
    std::string out = fmt::format(
        "<h3>{}</h3>\n<div class=\"scrolls\"><table>\n<thead><tr><th scope=\"col\">lane</th>",
        columns.title);
    for (const char* head : {"messages A", "messages B", "bytes A", "bytes B", "B − A", "B/A"}) {
        const bool is_of_messages = head[0] == 'm';
        out += is_of_messages && !has_messages
                   ? ""
                   : fmt::format("<th scope=\"col\" class=\"number\">{}</th>", head);
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const ComparedRow& row : rows) {
        out += row_element(row, has_messages, most);
    }
    return out + "</tbody></table></div>\n";
}

std::string card(const std::string& title, const ComparedTraffic& traffic) {
    std::string out = fmt::format(
        "<section class=\"card\">\n<h2>{}</h2>\n<p class=\"quiet\">Calls: {} and {}; time of all "
        "processes together: {} and "
        "{}, B/A {}</p>\n",
        title, human_count(traffic.calls[0]), human_count(traffic.calls[1]), human_ns(traffic.ns[0]),
        human_ns(traffic.ns[1]), escape_xml(ratio_text(traffic.ns)));
    for (const ComparedColumns& columns : kComparedTables) {
        out += table_element(traffic, columns);
    }
    return out + "</section>\n";
}

std::string only_element(const char* side, const std::vector<std::string>& names) {
    std::string items;
    for (const std::string& name : names) {
        items += fmt::format("<li>{}</li>\n", shown(name));
    }
    return names.empty()
               ? ""
               : fmt::format("<section class=\"card\"><h2>Only in {}</h2>\n<ul>\n{}</ul></section>\n",
                             side, items);
}

std::string header(const NamedProfile& a, const NamedProfile& b, const Comparison& comparison) {
    std::string out = fmt::format(
        "<header>\n<h1>Two profiles side by side</h1>\n<p id=\"a\">A: {}: {}</p>\n<p id=\"b\">B: {}: "
        "{}</p>\n",
        shown(a.name), shown(side_phrase(a.profile)), shown(b.name), shown(side_phrase(b.profile)));
    std::string items;
    const auto add_item = [&](const std::string& text) {
        items += fmt::format("<li>{}</li>\n", shown(text));
    };
    for (const std::string& difference : comparison.differences) {
        add_item(difference);
    }
    for (const std::string& warning : a.profile.warnings) {
        add_item("Warning of A: " + warning);
    }
    for (const std::string& warning : b.profile.warnings) {
        add_item("Warning of B: " + warning);
    }
    return out + (items.empty() ? "" : fmt::format("<ul id=\"warnings\">\n{}</ul>\n", items)) +
           "</header>\n";
}

}  // namespace

std::string format_comparison_page(const NamedProfile& a, const NamedProfile& b) {
    const Comparison comparison = compare(a.profile, b.profile);
    std::string body = "<body>\n" + header(a, b, comparison) + "<main>\n";
    body += card("Whole job", comparison.all);
    for (const ComparedTraffic& traffic : comparison.of_both) {
        body += card(shown(traffic.name) + ": " + traffic.size, traffic);
    }
    body += only_element("A", comparison.of_one[0]) + only_element("B", comparison.of_one[1]);
    body += "</main>\n</body>\n</html>\n";
    return page_head("Two HiTopo profiles", nonce_of(body), false, kStyle) + body;
}

}  // namespace hitopo::tool
