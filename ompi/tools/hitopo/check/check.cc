// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All rules, one after the other, and what they found, as text and as JSON.
#include "ompi/tools/hitopo/check/check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

std::size_t num_faults(const Checked& checked) {
    return static_cast<std::size_t>(
        std::count_if(checked.findings.begin(), checked.findings.end(),
                      [](const Finding& finding) { return !finding.is_remark; }));
}

}  // namespace

std::string_view kind_name(FindingKind kind) {
    constexpr std::string_view kNames[] = {
        "overloaded-node",  "quota",      "shared-core",    "shared-cpus",   "unbound",
        "several-sockets",  "threads",    "shared-threads", "quota-threads", "level",
        "hardware-threads", "one-socket", "across-sockets", "load",          "order"};
    return kNames[static_cast<std::size_t>(kind)];
}

Checked check_placement(const Placement& placement, bool uses_openmp) {
    std::vector<Occurrence> occurrences;
    find_sharing(placement, occurrences);
    find_unbound(placement, occurrences);
    Checked checked{to_findings(occurrences, placement), find_unchecked(placement)};
    find_levels(placement, checked.findings);
    find_load(placement, checked.findings);
    find_order(placement, checked.findings);
    bool has_threads = false;
    for (Finding& finding : checked.findings) {
        const bool is_about_threads = finding.kind == FindingKind::kThreads ||
                                      finding.kind == FindingKind::kSharedThreads ||
                                      finding.kind == FindingKind::kQuotaThreads;
        has_threads |= is_about_threads;
        finding.is_remark =
            finding.kind >= FindingKind::kHwThreads || (!uses_openmp && is_about_threads);
    }
    std::stable_sort(checked.findings.begin(), checked.findings.end(),
                     [](const Finding& a, const Finding& b) {
                         return std::pair(a.is_remark, a.kind) < std::pair(b.is_remark, b.kind);
                     });
    if (has_threads && !uses_openmp) {
        checked.unchecked.emplace_back(
            "whether the program uses OpenMP; add --openmp if it does, and too many threads are a "
            "fault");
    }
    return checked;
}

bool has_faults(const Checked& checked) { return num_faults(checked) > 0; }

std::string format_check(const Checked& checked, const Placement& placement, Charset charset) {
    const std::size_t faults = num_faults(checked);
    const std::size_t remarks = checked.findings.size() - faults;
    std::string text = fmt::format("{}: {}{}\n", fmt::join(placement.counts, ", "),
                                   faults == 0 ? "no faults" : counted(faults, "fault"),
                                   remarks == 0 ? "" : ", " + counted(remarks, "remark"));
    for (const Finding& finding : checked.findings) {
        const std::string subject = finding.ranks.empty() ? "" : ranks_phrase(finding.ranks) + ": ";
        const std::string line = fmt::format("{}: {}{}. {}.", finding.is_remark ? "remark" : "fault",
                                             subject, finding.text, finding.remedy);
        text += safe(line, charset) + '\n';
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
        Json nodes = Json::array();
        for (const std::size_t node : finding.nodes) {
            nodes.push_back(placement.nodes[node].name);
        }
        findings.push_back({{"kind", kind_name(finding.kind)},
                            {"is_fault", !finding.is_remark},
                            {"ranks", whole_number_list(finding.ranks)},
                            {"num_ranks", finding.ranks.size()},
                            {"nodes", nodes},
                            {"text", finding.text},
                            {"remedy", finding.remedy}});
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
