// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What `hitopo check` found, as text and as JSON.
#include "ompi/tools/hitopo/check/check_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

std::size_t num_faults(const Checked& checked) {
    return static_cast<std::size_t>(
        std::count_if(checked.findings.begin(), checked.findings.end(),
                      [](const Finding& finding) { return !finding.is_remark; }));
}

std::string line(const Finding& finding) {
    const std::string subject = finding.ranks.empty() ? "" : ranks_phrase(finding.ranks) + ": ";
    return fmt::format("{}: {}{}. {}.", finding.is_remark ? "remark" : "fault", subject, finding.text,
                       finding.remedy);
}

Json to_json(const Finding& finding, const Placement& placement) {
    Json nodes = Json::array();
    for (const std::size_t node : finding.nodes) {
        nodes.push_back(placement.nodes[node].name);
    }
    return {{"kind", kind_name(finding.kind)},
            {"is_fault", !finding.is_remark},
            {"ranks", whole_number_list(finding.ranks)},
            {"num_ranks", finding.ranks.size()},
            {"nodes", nodes},
            {"text", finding.text},
            {"remedy", finding.remedy}};
}

}  // namespace

bool has_faults(const Checked& checked) { return num_faults(checked) > 0; }

std::string format_check(const Checked& checked, const Placement& placement, Charset charset) {
    const std::size_t faults = num_faults(checked);
    const std::size_t remarks = checked.findings.size() - faults;
    std::string text = fmt::format("{}: {}{}\n", fmt::join(placement.counts, ", "),
                                   faults == 0 ? "no faults" : counted(faults, "fault"),
                                   remarks == 0 ? "" : ", " + counted(remarks, "remark"));
    for (const Finding& finding : checked.findings) {
        text += safe(line(finding), charset) + '\n';
    }
    for (const std::string& unchecked : checked.unchecked) {
        text += safe("not checked: " + unchecked, charset) + ".\n";
    }
    return text;
}

Json check_document(const Checked& checked, const Placement& placement, const std::string& version) {
    const std::size_t faults = num_faults(checked);
    Json findings = Json::array();
    for (const Finding& finding : checked.findings) {
        findings.push_back(to_json(finding, placement));
    }
    return {{"hitopo", version},
            {"schema", kSchema},
            {"document", "check"},
            {"communicator", "MPI_COMM_WORLD"},
            {"size", placement.processes.size()},
            {"num_nodes", placement.nodes.size()},
            {"num_faults", faults},
            {"num_remarks", checked.findings.size() - faults},
            {"findings", findings},
            {"unchecked", checked.unchecked}};
}

}  // namespace hitopo::tool
