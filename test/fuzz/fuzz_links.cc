// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// coll_hitopo_links: what is read can be chosen by, and an error has a place and a remedy.
#include "ompi/mca/coll/hitopo/core/settings.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto links = hitopo::coll::parse_links(text);
    if (!links) {
        require(links.error().column > 0 && !links.error().message.empty());
        return 0;
    }
    for (const hitopo::coll::Link& link : *links) {
        require(link.latency_us >= 0 && link.bytes_per_us > 0 && link.message_us >= 0);
    }
    return 0;
}
