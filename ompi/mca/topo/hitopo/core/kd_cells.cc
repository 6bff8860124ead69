// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/box.h"
#include "ompi/mca/topo/hitopo/core/candidates.h"

namespace hitopo::topo {

PerProcess kd_cells(const Grid& grid) {
    return cut_cells(grid, [](const Box& box) {
        const std::size_t dim = box.longest();
        return Cut{dim, box.dims[dim] / 2};
    });
}

}  // namespace hitopo::topo
