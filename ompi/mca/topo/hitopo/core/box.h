// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A part of a grid, which is cut in two until nothing is left to cut.
#ifndef OMPI_MCA_TOPO_HITOPO_CORE_BOX_H
#define OMPI_MCA_TOPO_HITOPO_CORE_BOX_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ompi/mca/topo/hitopo/core/grid.h"
#include "ompi/mca/topo/hitopo/core/places.h"

namespace hitopo::topo {

// From one cell to the next one along each dimension.
inline std::vector<std::uint32_t> strides_of(const Grid& grid) {
    std::vector<std::uint32_t> strides(grid.num_dims(), 1);
    for (std::size_t d = grid.num_dims() - 1; d > 0; --d) {
        strides[d - 1] = strides[d] * static_cast<std::uint32_t>(grid.dims[d]);
    }
    return strides;
}

// Across dimension `dim`, behind `width` layers of cells.
struct Cut {
    std::size_t dim;
    int width;
};

// Positions first, first + 1, .. get the cells of this box.
struct Box {
    std::uint32_t first;
    std::uint32_t size;
    std::uint32_t origin;  // the lowest cell
    std::vector<int>& dims;

    std::size_t longest() const {
        return static_cast<std::size_t>(std::max_element(dims.begin(), dims.end()) - dims.begin());
    }
    std::uint32_t layer(std::size_t dim) const { return size / static_cast<std::uint32_t>(dims[dim]); }
};

// cell_at by cuts: choose(box) tells the next Cut of a box of two cells at least.
template <class Choose>
void cut_cells(const Box& box, const std::vector<std::uint32_t>& strides, const Choose& choose,
               PerProcess& cell_at) {
    if (box.size == 1) {
        cell_at[box.first] = box.origin;
        return;
    }
    const Cut cut = choose(box);
    const std::uint32_t size = box.layer(cut.dim) * static_cast<std::uint32_t>(cut.width);
    const std::uint32_t step = strides[cut.dim] * static_cast<std::uint32_t>(cut.width);
    int& dim = box.dims[cut.dim];
    const int whole = dim;
    dim = cut.width;
    cut_cells(Box{box.first, size, box.origin, box.dims}, strides, choose, cell_at);
    dim = whole - cut.width;
    cut_cells(Box{box.first + size, box.size - size, box.origin + step, box.dims}, strides, choose,
              cell_at);
    dim = whole;
}

template <class Choose>
PerProcess cut_cells(const Grid& grid, const Choose& choose) {
    PerProcess cell_at(grid.num_cells());
    std::vector<int> dims = grid.dims;
    cut_cells(Box{0, grid.num_cells(), 0, dims}, strides_of(grid), choose, cell_at);
    return cell_at;
}

}  // namespace hitopo::topo

#endif
