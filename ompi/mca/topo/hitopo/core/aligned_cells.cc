// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>

#include "ompi/mca/topo/hitopo/core/box.h"
#include "ompi/mca/topo/hitopo/core/candidates.h"

namespace hitopo::topo {
namespace {

class Borders {
public:
    explicit Borders(const Places& places)
        : num_levels_(places.levels().size()), level_at_(places.size(), num_levels_) {
        for (std::size_t i = num_levels_; i-- > 0;) {
            for (const std::uint32_t start : places.starts(i)) {
                level_at_[start] = static_cast<std::uint8_t>(i);
            }
        }
        if (num_levels_ > 0) {
            all_ = places.starts(num_levels_ - 1);
        }
    }

    // The outermost level of which a group begins there; num_levels() if none does.
    std::uint8_t level_at(std::uint32_t position) const { return level_at_[position]; }
    std::uint8_t num_levels() const { return num_levels_; }

    // The begin of a group within the box that is nearest to its middle; its own begin if there is none.
    std::uint32_t nearest_to_middle(const Box& box) const {
        const std::uint32_t middle = box.first + box.size / 2, end = box.first + box.size;
        const auto above = std::lower_bound(all_.begin(), all_.end(), middle);
        const std::uint32_t below = above == all_.begin() ? box.first : *(above - 1);
        if (above == all_.end() || *above >= end) {
            return std::max(below, box.first);
        }
        return below > box.first && middle - below <= *above - middle ? below : *above;
    }

private:
    std::uint8_t num_levels_;
    std::vector<std::uint8_t> level_at_;
    PerProcess all_;
};

struct Choice {
    Cut cut;
    std::uint8_t level;
    double area;  // of the cut, more for one that is not in the middle

    bool is_before(const Choice& other) const {
        return level != other.level ? level < other.level : area < other.area;
    }
};

Cut nearest_cut(const Box& box, const Borders& borders) {
    const std::size_t dim = box.longest();
    const std::uint32_t border = borders.nearest_to_middle(box);
    const std::uint32_t layer = box.layer(dim);
    const int width = border == box.first ? box.dims[dim] / 2
                                          : static_cast<int>((border - box.first + layer / 2) / layer);
    return {dim, std::clamp(width, 1, box.dims[dim] - 1)};
}

Cut choose(const Box& box, const Borders& borders) {
    Choice best = {{0, 0}, borders.num_levels(), 0};
    for (std::size_t dim = 0; dim < box.dims.size(); ++dim) {
        const std::uint32_t layer = box.layer(dim);
        for (int width = 1; width < box.dims[dim]; ++width) {
            const std::uint32_t position = box.first + layer * static_cast<std::uint32_t>(width);
            const double balance = std::abs(2.0 * width / box.dims[dim] - 1);
            const Choice choice = {{dim, width}, borders.level_at(position), layer * (1 + balance)};
            if (choice.is_before(best)) {
                best = choice;
            }
        }
    }
    return best.level < borders.num_levels() ? best.cut : nearest_cut(box, borders);
}

}  // namespace

PerProcess aligned_cells(const Grid& grid, const Places& places) {
    const Borders borders(places);
    return cut_cells(grid, [&](const Box& box) { return choose(box, borders); });
}

}  // namespace hitopo::topo
