// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Lists of ranks, as maps write them: "0-3,8,16-31:4".
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_RANK_LIST_H
#define OMPI_MCA_HITOPO_CORE_TEXT_RANK_LIST_H

#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

class RankList {
public:
    // Errors are kMalformed with the column in `text`. Ranks go up to 2147483647.
    static Result<RankList> parse(std::string_view text);

    bool contains(int rank) const;
    // Those below `limit`, ascending, each once.
    std::vector<std::uint32_t> below(std::uint32_t limit) const;

private:
    struct Range {
        int first = 0;
        int last = 0;
        int stride = 1;
    };

    static Result<Range> parse_range(std::string_view text);

    std::vector<Range> ranges_;
};

}  // namespace hitopo

#endif
