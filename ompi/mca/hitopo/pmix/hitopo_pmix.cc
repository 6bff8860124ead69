// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/pmix/hitopo_pmix.h"

#include "ompi/mca/hitopo/pmix/hitopo_pmix_input.h"

namespace hitopo {
void answer_pmix(const PmixFactsSource& facts, Reporter& reporter) {
    if (!reporter.asks_for_node()) {
        reporter.reason("not asked: local rank 0 answers for the whole node");
        return;
    }
    const std::optional<PmixFacts> known = facts();
    if (!known) {
        reporter.reason("no PMIx server started this process");
        return;
    }
    const PmixPlace place = place_by_pmix(*known, reporter.host_name());
    if (place.error) {
        reporter.error(*place.error);
    }
    for (const Level level : {kIsland, kSwitch}) {
        if (place.levels[level]) {
            reporter.value(level, *place.levels[level]);
        }
        reporter.reason(level, place.reasons[level]);
    }
}

}  // namespace hitopo

extern "C" int hitopo_pmix_query(const hitopo_report_t* report) {
    return hitopo::report_by(report, [](hitopo::Reporter& reporter) {
        hitopo::answer_pmix(hitopo::fetch_pmix_facts, reporter);
    });
}
