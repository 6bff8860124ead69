// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What framework/hitopo_base_positions.h hands out.
#ifndef OMPI_MCA_HITOPO_BASE_POSITIONS_IN_TREE_H
#define OMPI_MCA_HITOPO_BASE_POSITIONS_IN_TREE_H

#include <memory>

#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"

struct hitopo_base_positions_t {
    std::shared_ptr<const hitopo::AddressTree> tree;
};

#endif
