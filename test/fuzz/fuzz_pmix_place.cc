// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a launcher may give by PMIx. Input, one a line: what the user says of dimensions, the machine's
// host name, PMIx's, the fabric's groups, switches with commas between, and each device's coordinate, a
// byte for each dimension. Only island, switch and node are told, each with its reason, and the same for
// switches in any order.
#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/pmix/pmix_place.h"
#include "test/fuzz/require_located.h"

namespace hitopo {
namespace {

enum Line : std::size_t { kDimensions, kHost, kPmixHost, kGroups, kSwitches, kFirstDevice };

PmixFacts facts_of(const std::vector<std::string_view>& lines) {
    PmixFacts facts;
    facts.host_name = lines[kPmixHost];
    facts.groups = lines[kGroups];
    for (const std::string_view name : split(lines[kSwitches], ',')) {
        facts.switches.emplace_back(name);
    }
    for (std::size_t i = kFirstDevice; i < lines.size(); ++i) {
        PmixDevice& device = facts.devices.emplace_back();
        device.fabric = i % 2;
        device.coordinate.assign(lines[i].begin(), lines[i].end());
    }
    return facts;
}

void check(const PmixPlace& place, std::string_view host_name) {
    for (int i = 0; i < kNumLevels; ++i) {
        const Level level = static_cast<Level>(i);
        const bool may_be_told = level == kIsland || level == kSwitch || level == kNode;
        require(may_be_told ? !place.reasons[level].empty() : !place.levels[level]);
        require(!place.levels[level] || !place.levels[level]->path.empty());
    }
    require(host_name.empty() || !place.levels[kNode]);
    require(!place.error || (!place.error->where.empty() && !place.error->message.empty()));
}

}  // namespace
}  // namespace hitopo

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hitopo;
    auto lines = split({reinterpret_cast<const char*>(data), size}, '\n');
    lines.resize(std::max<std::size_t>(lines.size(), kFirstDevice));
    const Result<PmixDimensions> dimensions = parse_pmix_dimensions(lines[kDimensions]);
    if (!dimensions) {
        require_located(dimensions.error(), lines[kDimensions].size());
        return 0;
    }
    PmixFacts facts = facts_of(lines);
    const PmixPlace place = place_by_pmix(facts, *dimensions, lines[kHost]);
    check(place, lines[kHost]);
    std::reverse(facts.switches.begin(), facts.switches.end());
    require(place_by_pmix(facts, *dimensions, lines[kHost]).levels == place.levels);
    return 0;
}
