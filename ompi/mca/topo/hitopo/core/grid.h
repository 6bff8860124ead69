// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A Cartesian grid, as of MPI_Cart_create.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_GRID_H
#define OMPI_MCA_TOPO_HITOPO_CORE_GRID_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo::topo {

// Cells are numbered row by row, the last dimension fastest: a cell's number is the rank of who has it.
struct Grid {
    std::vector<int> dims;          // each at least 1, one at least
    std::vector<bool> is_periodic;  // as many

    std::size_t num_dims() const { return dims.size(); }
    std::uint32_t num_cells() const {
        std::uint32_t num = 1;
        for (const int dim : dims) {
            num *= static_cast<std::uint32_t>(dim);
        }
        return num;
    }
};

// From one cell to the next one along each dimension.
inline std::vector<std::uint32_t> strides_of(const Grid& grid) {
    std::vector<std::uint32_t> strides(grid.num_dims(), 1);
    for (std::size_t d = grid.num_dims() - 1; d > 0; --d) {
        strides[d - 1] = strides[d] * static_cast<std::uint32_t>(grid.dims[d]);
    }
    return strides;
}

}  // namespace hitopo::topo

#endif
