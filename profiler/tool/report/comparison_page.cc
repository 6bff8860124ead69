// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo report --compare A.json B.json --format html`: tables in the style of a report's page.
#include <fmt/format.h>

#include "ompi/tools/hitopo/show/markup.h"
#include "profiler/tool/report/comparison.h"
#include "profiler/tool/report/page.h"

namespace hitopo::tool {
namespace {

std::string shown(const std::string& text) { return escape_xml(safe(text, Charset::kUtf8)); }

std::string table_element(const ComparedTable& table) {
    std::string out = "<section class=\"card\"><div class=\"scrolls\"><table>\n<thead><tr>";
    for (const std::string& head : table.heads) {
        out += fmt::format("<th scope=\"col\"{}>{}</th>",
                           &head == &table.heads.front() ? "" : " class=\"number\"", head);
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const std::vector<std::string>& row : table.rows) {
        out += fmt::format("<tr><th scope=\"row\">{}</th>", shown(row[0]));
        for (std::size_t i = 1; i < row.size(); ++i) {
            out += fmt::format("<td class=\"number\">{}</td>", escape_xml(row[i]));
        }
        out += "</tr>\n";
    }
    return out + "</tbody></table></div></section>\n";
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
    const Comparison comparison = compare(a.profile, b.profile, true);
    std::string body = "<body>\n" + header(a, b, comparison) + "<main>\n";
    body += fmt::format(
        "<section class=\"card\"><p id=\"run-time\">Run time {} -&gt; {}, ratio {}</p>\n<p>In MPI {} "
        "-&gt; "
        "{}</p></section>\n",
        comparison.run_time[0], comparison.run_time[1], escape_xml(comparison.run_time_ratio),
        escape_xml(comparison.in_mpi[0]), escape_xml(comparison.in_mpi[1]));
    for (const ComparedTable& table : comparison.tables) {
        body += table_element(table);
    }
    body += only_element("A", comparison.of_one[0]) + only_element("B", comparison.of_one[1]);
    body += "</main>\n</body>\n</html>\n";
    return page_head("Two HiTopo profiles", nonce_of(body), false) + body;
}

}  // namespace hitopo::tool
