// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The local groups of MPI_COMM_WORLD: processes of one PMIx server, which know each other without a
// message. All leaders learn of all leaders in the roll call (base/job/presence.h).
#ifndef OMPI_MCA_HITOPO_BASE_JOB_GROUP_CALL_H
#define OMPI_MCA_HITOPO_BASE_JOB_GROUP_CALL_H

#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/base/job/wire.h"
#include "ompi/mca/hitopo/core/exchange/leader_list.h"
#include "ompi/mca/hitopo/core/exchange/local_groups.h"

namespace hitopo {

// The keys by which processes compare, before the first message, what they take for granted.
inline constexpr const char* kGroupKey = "group";  // of each: the hash of its local group
inline constexpr const char* kLeadersKey =
    "leaders";  // of a leader that knows all: the hash of its list

// What a process announced.
struct AnnouncedGroup {
    std::vector<std::uint32_t> members;  // of its local group, ascending; empty where it announced none
    std::vector<std::uint32_t>
        leaders;  // of all groups, ascending; empty but in a leader that announced them
    std::uint32_t group_hash = 0, leaders_hash = 0;
    std::uint32_t size = 0;  // of the job
};

// Before MPI_Init's fence: says which group this process takes itself to be in, and as its leader, whom
// it takes for leaders. version: as of presence. Local; may throw.
void announce_local_group(std::uint32_t version);
// What it said; to be called once, later calls get nothing. Local.
AnnouncedGroup take_announced_group();

class GroupCall {
public:
    // Takes all memory that the rest needs, or throws. After the fence. Local.
    GroupCall(int rank, int size, std::uint32_t version);

    // Whether this process and its leader, and all that it heard of, take themselves to be in the same
    // groups.
    bool is_agreed() const { return is_agreed_; }
    // Whether, in addition, it heard of all groups.
    bool is_settled() const { return is_agreed_ && list_.is_whole(); }

    std::string_view leaders() { return list_.encode(); }
    Message& heard() { return heard_; }  // room for what another one's leaders() gives
    void hear(bool is_agreed);           // what came there
    void restart();                      // knows of its own group only, as in the beginning

    // To be called once, when all know of all: of one process each where they do not agree.
    LocalGroups take_groups();

private:
    const std::uint32_t rank_, size_;
    LocalGroups groups_;
    LeaderList list_;
    Message heard_;
    bool is_with_leader_, is_agreed_;
};

}  // namespace hitopo

#endif
