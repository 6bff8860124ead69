// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/candidates.h"

#include <algorithm>
#include <cmath>

namespace hitopo::topo {
namespace {

std::size_t longest(const std::vector<int>& dims) {
    return static_cast<std::size_t>(std::max_element(dims.begin(), dims.end()) - dims.begin());
}

// Appends the cells of a box whose lowest cell is `origin`: those of one half, then those of the other.
void add_halves(std::uint32_t origin, std::vector<int>& dims, const std::vector<std::uint32_t>& strides,
                PerProcess& cell_at) {
    const std::size_t dim = longest(dims);
    const int whole = dims[dim], half = whole / 2;
    if (half == 0) {
        cell_at.push_back(origin);
        return;
    }
    dims[dim] = half;
    add_halves(origin, dims, strides, cell_at);
    dims[dim] = whole - half;
    add_halves(origin + strides[dim] * static_cast<std::uint32_t>(half), dims, strides, cell_at);
    dims[dim] = whole;
}

struct Range {
    std::uint32_t first, end;
};

// 0 .. num - 1 in parts of about `width`.
std::vector<Range> parts_of(std::uint32_t num, std::uint32_t width) {
    const std::uint32_t num_parts = std::max(1u, num / width);
    std::vector<Range> parts;
    for (std::uint32_t i = 0; i < num_parts; ++i) {
        const auto border = [&](std::uint32_t part) {
            return part * (num / num_parts) + std::min(part, num % num_parts);
        };
        parts.push_back({border(i), border(i + 1)});
    }
    return parts;
}

class Strips {
public:
    Strips(const Grid& grid, std::uint32_t group_size) : strides_(strides_of(grid)) {
        const std::size_t num_dims = grid.num_dims();
        along_ = longest(grid.dims);
        const auto width = std::max(1u, static_cast<std::uint32_t>(std::lround(
                                            std::pow(group_size, 1.0 / static_cast<double>(num_dims)))));
        for (std::size_t dim = 0; dim < num_dims; ++dim) {
            if (dim != along_) {
                across_.push_back(dim);
                parts_.push_back(parts_of(static_cast<std::uint32_t>(grid.dims[dim]), width));
            }
        }
        length_ = static_cast<std::uint32_t>(grid.dims[along_]);
        is_back_.assign(num_dims, false);
        cell_at_.reserve(grid.num_cells());
    }

    PerProcess lay() {
        add_strips(0);
        return std::move(cell_at_);
    }

private:
    void add_strips(std::size_t i) {
        if (i == across_.size()) {
            add_strip();
            return;
        }
        const std::vector<Range>& parts = parts_[i];
        for (std::size_t k = 0; k < parts.size(); ++k) {
            box_.push_back(is_back_[i] ? parts[parts.size() - 1 - k] : parts[k]);
            add_strips(i + 1);
            box_.pop_back();
        }
        is_back_[i] = !is_back_[i];
    }

    void add_strip() {
        for (std::uint32_t k = 0; k < length_; ++k) {
            add_layer(0, (is_back_.back() ? length_ - 1 - k : k) * strides_[along_]);
        }
        is_back_.back() = !is_back_.back();
    }

    void add_layer(std::size_t i, std::uint32_t cell) {
        if (i == across_.size()) {
            cell_at_.push_back(cell);
            return;
        }
        for (std::uint32_t k = box_[i].first; k < box_[i].end; ++k) {
            add_layer(i + 1, cell + k * strides_[across_[i]]);
        }
    }

    std::vector<std::uint32_t> strides_;
    std::vector<std::size_t> across_;        // dimensions, all but the longest
    std::vector<std::vector<Range>> parts_;  // of each of them
    std::size_t along_ = 0;
    std::uint32_t length_ = 0;
    std::vector<bool> is_back_;  // of each of across_, and of the longest: which way next
    std::vector<Range> box_;     // of the strip, in each of across_
    PerProcess cell_at_;
};

}  // namespace

PerProcess kd_cells(const Grid& grid) {
    PerProcess cell_at;
    cell_at.reserve(grid.num_cells());
    std::vector<int> dims = grid.dims;
    add_halves(0, dims, strides_of(grid), cell_at);
    return cell_at;
}

PerProcess strip_cells(const Grid& grid, std::uint32_t group_size) {
    return Strips(grid, group_size).lay();
}

}  // namespace hitopo::topo
