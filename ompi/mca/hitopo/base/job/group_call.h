// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The local groups of MPI_COMM_WORLD: processes of one PMIx server, which know each other without a
// message. All learn of all leaders in the roll call (base/job/presence.h).
#ifndef OMPI_MCA_HITOPO_BASE_JOB_GROUP_CALL_H
#define OMPI_MCA_HITOPO_BASE_JOB_GROUP_CALL_H

#include <string_view>

#include "ompi/mca/hitopo/base/job/wire.h"
#include "ompi/mca/hitopo/core/exchange/leader_list.h"
#include "ompi/mca/hitopo/core/exchange/local_groups.h"

namespace hitopo {

// Before MPI_Init's fence: says which group this process takes itself to be in. Local.
void announce_local_group();

class GroupCall {
public:
    // Takes all memory that the rest needs, or throws. After the fence. Local.
    GroupCall(int rank, int size);

    // Whether this process and its leader, and all that it heard of, take themselves to be in the same
    // groups.
    bool is_agreed() const { return is_agreed_; }

    std::string_view leaders() { return list_.encode(); }
    Message& heard() { return heard_; }  // room for what another one's leaders() gives
    void hear(bool is_agreed);           // what came there

    // To be called once, when all know of all: of one process each where they do not agree.
    LocalGroups take_groups();

private:
    const std::uint32_t rank_, size_;
    LocalGroups groups_;
    LeaderList list_;
    Message heard_;
    bool is_agreed_;
};

}  // namespace hitopo

#endif
