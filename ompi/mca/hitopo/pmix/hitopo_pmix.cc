// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/pmix/hitopo_pmix.h"

#include "ompi/mca/hitopo/pmix/hitopo_pmix_input.h"

namespace hitopo {
namespace {

// The dimensions; none, and a message, where the variable is malformed.
PmixDimensions read_dimensions(const std::string& text, Reporter& reporter) {
    const Result<PmixDimensions> dimensions = parse_pmix_dimensions(text);
    if (!dimensions) {
        reporter.error(dimensions.error(), "hitopo_pmix_dimensions");
        return {};
    }
    return *dimensions;
}

}  // namespace

void answer_pmix(const PmixFactsSource& facts, const std::string& dimensions, Reporter& reporter) {
    if (!reporter.asks_for_node()) {
        reporter.reason("not asked: local rank 0 answers for the whole node");
        return;
    }
    const PmixDimensions meaning = read_dimensions(dimensions, reporter);
    const std::optional<PmixFacts> known = facts();
    if (!known) {
        reporter.reason("no PMIx server started this process");
        return;
    }
    const PmixPlace place = place_by_pmix(*known, meaning, reporter.host_name());
    if (place.error) {
        reporter.error(*place.error);
    }
    for (const Level level : {kIsland, kSwitch, kNode}) {
        if (place.levels[level]) {
            reporter.value(level, *place.levels[level]);
        }
        reporter.reason(level, place.reasons[level]);
    }
}

}  // namespace hitopo

extern "C" int hitopo_pmix_query(const hitopo_pmix_settings_t* settings, const hitopo_report_t* report) {
    return hitopo::report_by(report, [settings](hitopo::Reporter& reporter) {
        hitopo::answer_pmix(hitopo::fetch_pmix_facts, hitopo::text_or_empty(settings->dimensions),
                            reporter);
    });
}
