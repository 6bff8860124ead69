// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The exchanges that make this process's trees.
#ifndef OMPI_MCA_HITOPO_BASE_TREES_H
#define OMPI_MCA_HITOPO_BASE_TREES_H

#include <memory>
#include <optional>

#include "ompi/mca/hitopo/base/presence.h"
#include "ompi/mca/hitopo/base/tree_cache.h"

namespace hitopo {

// This process's tree before MPI_Init, from what it finds by itself; NULL where it makes no sense.
// Local.
std::shared_ptr<CommTree> find_tree_alone();

// The processes of MPI_COMM_WORLD by their setting of that key, as they contributed it to its exchange;
// empty where there is no tree. Local.
std::optional<SettingRanks> find_common(const char* key);

// MPI_COMM_WORLD's first exchange, behind a check of HiTopo's presence; all get a tree or none does.
// is_open: whether this process's framework is, without which none gets one. One process prints the
// reason why there is none. A message that fails ends the job, also with fault tolerance: other
// processes may have a tree by then. Collective over the processes that are here.
Presence exchange_world(bool is_open);

// Gives comm a tree which knows the present bindings. can_exchange: whether this process takes part;
// none does where one cannot. keeps_answers: nothing but bindings may have changed; else comm exchanges
// anew. Where a message fails, with fault tolerance, its code. Collective over comm.
int load_tree(ompi_communicator_t* comm, bool can_exchange, bool keeps_answers = true);

}  // namespace hitopo

#endif
