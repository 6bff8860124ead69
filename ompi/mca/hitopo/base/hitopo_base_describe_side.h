// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Side resources in the JSON documents of hitopo_describe.h.
#ifndef OMPI_MCA_HITOPO_BASE_HITOPO_BASE_DESCRIBE_SIDE_H
#define OMPI_MCA_HITOPO_BASE_HITOPO_BASE_DESCRIBE_SIDE_H

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "ompi/mca/hitopo/base/job/answers.h"
#include "ompi/mca/hitopo/core/table/table.h"

namespace hitopo {

// `side` of a table.
nlohmann::ordered_json describe_side(const Table& table);

// `side` of a process. table: of MPI_COMM_WORLD, in which it is `rank`; or NULL.
nlohmann::ordered_json describe_side_answers(const Answers& answers, const Table* table,
                                             std::size_t rank);

}  // namespace hitopo

#endif
