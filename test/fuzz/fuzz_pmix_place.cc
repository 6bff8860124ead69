// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a launcher may give by PMIx. Input, one a line: the machine's host name, PMIx's, the fabric's
// groups, switches with commas between. Only island and switch are told, each with its reason, and the
// same for switches in any order.
#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/pmix/pmix_place.h"
#include "test/fuzz/require.h"

namespace hitopo {
namespace {

enum Line : std::size_t { kHost, kPmixHost, kGroups, kSwitches, kNumLines };

PmixFacts facts_of(const std::vector<std::string_view>& lines) {
    PmixFacts facts;
    facts.host_name = lines[kPmixHost];
    facts.groups = lines[kGroups];
    for (const std::string_view name : split(lines[kSwitches], ',')) {
        facts.switches.emplace_back(name);
    }
    return facts;
}

void check(const PmixPlace& place) {
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        const bool may_be_told = level == kIsland || level == kSwitch;
        require(may_be_told ? !place.reasons[level].empty() : !place.levels[level]);
        require(!place.levels[level] || !place.levels[level]->path.empty());
    }
    require(!place.error || (!place.error->where.empty() && !place.error->message.empty()));
}

}  // namespace
}  // namespace hitopo

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hitopo;
    auto lines = split({reinterpret_cast<const char*>(data), size}, '\n');
    lines.resize(kNumLines);
    PmixFacts facts = facts_of(lines);
    const PmixPlace place = place_by_pmix(facts, lines[kHost]);
    check(place);
    std::reverse(facts.switches.begin(), facts.switches.end());
    require(place_by_pmix(facts, lines[kHost]).levels == place.levels);
    return 0;
}
