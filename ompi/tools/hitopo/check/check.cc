// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All rules, one after the other.
#include <algorithm>
#include <utility>

#include "ompi/tools/hitopo/check/rules.h"

namespace hitopo::tool {

namespace {

bool is_about_threads(FindingKind kind) {
    return kind == FindingKind::kThreads || kind == FindingKind::kSharedThreads ||
           kind == FindingKind::kQuotaThreads;
}

// Marks remarks, and puts them last.
void sort(std::vector<Finding>& findings, bool uses_openmp) {
    for (Finding& finding : findings) {
        finding.is_remark =
            finding.kind >= FindingKind::kHwThreads || (!uses_openmp && is_about_threads(finding.kind));
    }
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::pair(a.is_remark, a.kind) < std::pair(b.is_remark, b.kind);
    });
}

}  // namespace

std::string_view kind_name(FindingKind kind) {
    constexpr std::string_view kNames[] = {
        "overloaded-node",  "quota",      "shared-core",    "shared-cpus",   "unbound",
        "several-sockets",  "threads",    "shared-threads", "quota-threads", "level",
        "hardware-threads", "one-socket", "across-sockets", "load",          "order",
        "switches"};
    return kNames[static_cast<std::size_t>(kind)];
}

Checked check_placement(const Placement& placement, bool uses_openmp) {
    std::vector<Occurrence> occurrences;
    find_sharing(placement, occurrences);
    find_quota(placement, occurrences);
    find_unbound(placement, occurrences);
    find_threads(placement, occurrences);
    Checked checked{to_findings(occurrences, placement), find_unchecked(placement)};
    find_levels(placement, checked.findings);
    find_load(placement, checked.findings);
    find_order(placement, checked.findings);
    find_switches(placement, checked.findings);
    sort(checked.findings, uses_openmp);
    const bool has_threads =
        std::any_of(checked.findings.begin(), checked.findings.end(),
                    [](const Finding& finding) { return is_about_threads(finding.kind); });
    if (has_threads && !uses_openmp) {
        checked.unchecked.emplace_back(
            "whether the program uses OpenMP; add --openmp if it does, and too many threads are a "
            "fault");
    }
    return checked;
}

}  // namespace hitopo::tool
