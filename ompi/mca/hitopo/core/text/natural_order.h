// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_NATURAL_ORDER_H
#define OMPI_MCA_HITOPO_CORE_TEXT_NATURAL_ORDER_H

#include <string_view>

namespace hitopo {

// Natural order: runs of digits compare as numbers, all else byte by byte (node4 < node12); names
// that tie (n4, n04) fall back to their bytes. Negative, zero, positive; zero only if equal.
int compare_natural(std::string_view a, std::string_view b);

}  // namespace hitopo

#endif
