// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Collectives as segments.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_SEGMENTS_H
#define OMPI_MCA_COLL_HITOPO_CORE_SEGMENTS_H

#include <cstddef>
#include <vector>

#include "ompi/mca/coll/hitopo/core/engine.h"

namespace hitopo::coll {

// One message, cut into segments of equal length (but for one element): bcast comes down, reduce goes
// up, allreduce and barrier do both.
class MessageSegments : public Segments {
public:
    enum class Roots { kOne, kByProxies, kAll };
    static Roots one_root(bool has_proxies) { return has_proxies ? Roots::kByProxies : Roots::kOne; }

    // root: a position; does not count where all are roots in turn. extent: bytes from one element to
    // the next. Segments begin at multiples of `unit` elements.
    MessageSegments(const Groups& groups, const TreeShape& shape, Roots roots, int root,
                    std::size_t count, std::ptrdiff_t extent, int num_segments, std::size_t unit = 1);
    Segment segment(int index) const override;

    const char* input = nullptr;
    char* output = nullptr;
    bool has_output = true;  // this process wants the result
    Route::Part part = Route::Part::kWhole;

private:
    std::size_t begin_of(int index) const;
    Route route(unsigned turn) const;

    const Groups& groups_;
    const TreeShape& shape_;
    Roots roots_;
    int root_;
    std::size_t count_;
    std::ptrdiff_t extent_;
    std::size_t unit_;
};

// Elements of one array.
struct Block {
    std::size_t at = 0, count = 0;
};

// As many of `count` each, one behind the other.
std::vector<Block> equal_blocks(int num, std::size_t count);

// A block for each process, which is the root of its own: allgather comes down, reduce_scatter goes up.
// All blocks in pieces, and consecutive ones of different children of the outermost group.
class BlockSegments : public Segments {
public:
    // blocks: of each rank, in `input` and `output`. A block is cut into as few pieces as have at most
    // max_piece elements (at least 1), at multiples of `unit` elements in it.
    BlockSegments(const Groups& groups, const std::vector<Block>& blocks, std::ptrdiff_t extent,
                  std::size_t max_piece, std::size_t unit = 1);
    Segment segment(int index) const override;

    const char* input = nullptr;  // of all blocks, where they go up
    char* own_output = nullptr;   // then, of this process's block alone
    char* output = nullptr;       // of all blocks, where they come down

private:
    struct Piece {
        int position;     // of the process whose block it is of
        std::size_t at;   // of all elements
        std::size_t own;  // of those of the block
        std::size_t count;
    };

    const Groups& groups_;
    std::vector<Piece> pieces_;
    std::ptrdiff_t extent_;
};

}  // namespace hitopo::coll

#endif
