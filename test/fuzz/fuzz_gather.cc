// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 20000
//
// What processes tell each other of the profiler's parts. Any bytes are refused, or are parts that can
// be told on.
#include <cstdint>
#include <string_view>

#include "profiler/gather/gather.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parts = hitopo::decode_parts({reinterpret_cast<const char*>(data), size});
    if (parts) {
        const auto again = hitopo::decode_parts(hitopo::encode(*parts));
        require(again && again->size() == parts->size());
        for (const hitopo::ProcessPart& part : *parts) {
            require(part.report >= 0 && part.rank >= 0);
        }
    }
    return 0;
}
