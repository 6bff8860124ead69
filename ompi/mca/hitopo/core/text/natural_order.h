// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_NATURAL_ORDER_H
#define OMPI_MCA_HITOPO_CORE_TEXT_NATURAL_ORDER_H

#include <cstdint>
#include <string_view>

namespace hitopo {

// Natural order: runs of digits compare as numbers, all else byte by byte (node4 < node12); names
// that tie (n4, n04) fall back to their bytes. Negative, zero, positive; zero only if equal.
int compare_natural(std::string_view a, std::string_view b);

// What stands before the first digit, and the number that follows. Of two texts with equal stems and
// different numbers the one with the lower number comes first.
struct NaturalHead {
    std::string_view stem;
    std::uint64_t number = 0;
    bool has_number = false;  // and it is below 10^18
};
NaturalHead natural_head(std::string_view text);  // within text

}  // namespace hitopo

#endif
