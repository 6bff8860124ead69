// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All rules, one after the other.
#include <algorithm>

#include "ompi/tools/hitopo/check/rules.h"

namespace hitopo::tool {

bool is_remark(FindingKind kind) { return kind >= FindingKind::kHwThreads; }

std::string_view kind_name(FindingKind kind) {
    constexpr std::string_view kNames[] = {
        "overloaded-node", "shared-core",      "shared-cpus", "unbound", "several-sockets", "threads",
        "level",           "hardware-threads", "load",        "order",   "switches"};
    return kNames[static_cast<std::size_t>(kind)];
}

Checked check_placement(const Placement& placement) {
    std::vector<Occurrence> occurrences;
    find_sharing(placement, occurrences);
    find_unbound(placement, occurrences);
    find_threads(placement, occurrences);
    Checked checked{to_findings(occurrences, placement), find_unchecked(placement)};
    find_levels(placement, checked.findings);
    find_load(placement, checked.findings);
    find_order(placement, checked.findings);
    find_switches(placement, checked.findings);
    std::stable_sort(checked.findings.begin(), checked.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
    return checked;
}

}  // namespace hitopo::tool
