// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Presence check: whether all processes of the job are here, run HiTopo or a layer above it, and which
// of them go together as local groups. Each process looks up two others a round, in log2(size) rounds.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_PRESENCE_CHECK_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_PRESENCE_CHECK_H

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/exchange/leader_list.h"
#include "ompi/mca/hitopo/base/exchange/local_groups.h"

namespace hitopo {

// What processes announced before MPI_Init's fence: the same, whichever process looks it up.
class Announcements {
public:
    virtual ~Announcements() = default;
    virtual bool is_here(std::uint32_t process) = 0;
    // Whether it announced the same members of its local group as this process.
    virtual bool is_in_own_group(std::uint32_t process) = 0;
};

// The local groups while all processes learn of all leaders.
class GroupFinder {
public:
    // members: the processes that this one takes for its group, itself among them, ascending. Takes all
    // memory that the rest needs, or throws. Local.
    GroupFinder(std::uint32_t own, std::size_t num_processes, std::vector<std::uint32_t> members,
                Announcements& announced);

    // Whether this process and its leader, and all that it heard of, announced the same groups.
    bool is_agreed() const { return is_agreed_; }
    std::string_view leaders() { return list_.encode(); }
    Received& heard() { return heard_; }  // has room for what another one's leaders() gives
    void hear(bool is_agreed);            // what came there

    // When all know of all, once: groups of one process each where they do not agree.
    LocalGroups take_groups();

private:
    const std::uint32_t own_, num_processes_;
    LocalGroups groups_;
    LeaderList list_;
    Received heard_;
    bool is_agreed_;
};

enum class Present {
    kAll,
    kUnready,  // all are here, but one of them could not get ready
    kSome
};

struct PresenceOutcome {
    Present present = Present::kAll;  // the same at all that are here
    // Where some are missing: one of them; and whether this process is the lowest that is here, which is
    // to say so.
    std::uint32_t missing = 0;
    bool is_lowest_here = false;
};

// groups: NULL where they are not asked for, at all processes, or where this one is not ready. Takes no
// memory. Collective among those that are here.
PresenceOutcome check_presence(Channel& channel, Announcements& announced, GroupFinder* groups,
                               bool is_ready);

}  // namespace hitopo

#endif
