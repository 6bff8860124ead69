// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What algorithms take that know ranks alone, by the model's links: what HiTopo's have to beat. It is
// not known which one an MPI takes, so it is the best of them, and rounds are as good as if ranks lay by
// slot.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_FLAT_H
#define OMPI_MCA_COLL_HITOPO_CORE_FLAT_H

#include <cstddef>

#include "ompi/mca/coll/hitopo/core/model.h"

namespace hitopo::coll {

// The least of a ring of the ranks, and of rounds in which the distance doubles. bytes: as of choose().
// An exchange counts only the rounds in which blocks travel together: where they go alone, all take the
// same.
double flat_us(const Shape& shape, const Links& links, Pattern pattern, std::size_t bytes);

}  // namespace hitopo::coll

#endif
