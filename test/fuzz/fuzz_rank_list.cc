// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lists of ranks: an error has its column, no list holds a negative rank.
#include "ompi/mca/hitopo/core/text/rank_list.h"
#include "test/fuzz/require_located.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto list = hitopo::parse_ranges({reinterpret_cast<const char*>(data), size});
    if (!list) {
        require_located(list.error(), size);
        return 0;
    }
    require(!hitopo::has_number(*list, -1));
    (void)hitopo::has_number(*list, 2147483647);
    return 0;
}
