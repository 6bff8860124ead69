// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A regular job in one line of a map: "shape island:2 switch:2 node:2 ranks:4".
#ifndef OMPI_MCA_HITOPO_FILE_MAP_SHAPE_H
#define OMPI_MCA_HITOPO_FILE_MAP_SHAPE_H

#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/file/map_words.h"

namespace hitopo {

class MapShape {
public:
    // `words` without the first, "shape". Errors have the column.
    static Result<MapShape> parse(const std::vector<MapWord>& words);

    // Ranks fill the innermost first. Levels down to the node are named by their place ("i0",
    // "i0s1", "i0s1n0"), those inside it by their number. Empty for ranks beyond the shape.
    RawAddress address_of(int rank) const;

private:
    struct Count {
        Level level;
        int count;
    };

    std::vector<Count> counts_;  // outermost first
    int size_ = 1;               // ranks in all
};

}  // namespace hitopo

#endif
