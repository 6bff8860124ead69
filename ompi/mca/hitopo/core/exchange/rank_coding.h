// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Ascending ranks in few bytes: as runs with a stride where they follow a rule, else as differences.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_RANK_CODING_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_RANK_CODING_H

#include <cstdint>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/rank_runs.h"

namespace hitopo {

// near: a number to which the first rank is expected to be near; the reader has to give the same.
void put_ranks(const RankRuns& ranks, std::uint32_t near, ByteWriter& writer);

// Any bytes: what comes is ascending, below `limit`, and empty where the reader has failed.
RankRuns get_ranks(std::uint32_t near, std::uint32_t limit, ByteReader& reader);

}  // namespace hitopo

#endif
