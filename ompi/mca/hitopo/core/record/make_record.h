// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process says of itself, as a message of one record.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_MAKE_RECORD_H
#define OMPI_MCA_HITOPO_CORE_RECORD_MAKE_RECORD_H

#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/record/component_answer.h"
#include "ompi/mca/hitopo/core/record/node_record.h"

namespace hitopo {

// rank: of this process. The framework's own answer, the host name as the node, is added to the
// components'.
RecordMessage make_record(std::uint32_t rank, const ProcessFacts& facts,
                          const std::vector<ComponentAnswer>& answers);

}  // namespace hitopo

#endif
