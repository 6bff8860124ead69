// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Side resources in the JSON documents of hitopo_describe.h.
#ifndef OMPI_MCA_HITOPO_BASE_HITOPO_BASE_DESCRIBE_SIDE_H
#define OMPI_MCA_HITOPO_BASE_HITOPO_BASE_DESCRIBE_SIDE_H

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

// `side` of a tree.
nlohmann::ordered_json describe_side(const AddressTree& tree);

// `side` of a process. tree: of MPI_COMM_WORLD, in which it is `rank`; or NULL.
nlohmann::ordered_json describe_side_answers(const Answers& answers, const AddressTree* tree,
                                             std::uint32_t rank);

}  // namespace hitopo

#endif
