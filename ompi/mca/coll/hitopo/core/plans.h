// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How each collective would be served, for people.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_PLANS_H
#define OMPI_MCA_COLL_HITOPO_CORE_PLANS_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/coll/hitopo/core/model.h"

namespace hitopo::coll {

struct Plan {
    std::size_t kind = 0;          // of kServedKinds that block
    std::string_view collectives;  // that go alike
    std::size_t bytes = 0;         // 1: of one without a length
    std::string how;               // describe()
};

// bytes: of the whole message; where there are blocks, of all blocks of a process together. What is
// merged is merged in numbers of eight bytes.
std::vector<Plan> plans(const Shape& shape, const Links& links, std::size_t bytes, int num_leaders);

}  // namespace hitopo::coll

#endif
