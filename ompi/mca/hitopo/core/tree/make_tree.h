// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TREE_MAKE_TREE_H
#define OMPI_MCA_HITOPO_CORE_TREE_MAKE_TREE_H

#include <cstddef>
#include <cstdint>

#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

// The tree of num_processes >= 1 processes from what all of them say: records in any order and cut in
// any way give equal trees. identity: of the exchange. An error (kDisagree) where the records do not
// have each process once. Time O(P + N log N) for N nodes, and O(layouts).
Result<AddressTree> make_tree(const RecordMessage& message, std::size_t num_processes,
                              std::int64_t identity);

}  // namespace hitopo

#endif
