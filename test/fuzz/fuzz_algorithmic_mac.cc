// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MAC addresses of Slingshot: what is taken for a place is the address of that place, written anew.
#include <cstdint>
#include <cstdio>
#include <string>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/slingshot/slingshot.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto place = hitopo::parse_algorithmic_mac(text);
    if (!place) {
        return 0;
    }
    const unsigned low = place->group << 11 | place->group_switch << 6 | place->port;
    char written[32];
    std::snprintf(written, sizeof written, "02:00:00:%02x:%02x:%02x", low >> 16, low >> 8 & 255,
                  low & 255);
    require(hitopo::equals_ignoring_case(text, written) && text.size() == 17);
    return 0;
}
