// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Host name patterns. Input: the pattern and a host name, one a line.
#include <string>

#include "ompi/mca/hitopo/core/network/host_pattern.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto lines = hitopo::split(text, '\n');
    lines.resize(2);
    const auto pattern = hitopo::HostPattern::parse(lines[0]);
    if (!pattern) {
        const hitopo::Error& error = pattern.error();
        require(!error.message.empty());
        require(error.code == hitopo::Errc::kTooLarge ||
                (error.column >= 1 && error.column <= static_cast<int>(lines[0].size()) + 1));
        return 0;
    }
    const auto address = pattern->match(lines[1]);
    bool has_value = false;
    for (int level = 0; address && level < hitopo::kNumLevels; ++level) {
        const auto& value = (*address)[static_cast<std::size_t>(level)];
        has_value = has_value || value;
        require(!value || (level < hitopo::kNode && !value->visible().text().empty()));
    }
    require(!address || has_value);
    return 0;
}
