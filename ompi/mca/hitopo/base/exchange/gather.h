// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How all processes learn what each one says: members send it to their leader, leaders to each other in
// ceil(log2) rounds, and each leader sends the whole to its members.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_GATHER_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_GATHER_H

#include <cstdint>
#include <string>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/exchange/local_groups.h"
#include "ompi/mca/hitopo/core/record/message.h"
#include "ompi/mca/hitopo/core/record/node_record.h"

namespace hitopo {

// Flags of a status header. All processes see the same.
enum StatusFlag : std::uint32_t {
    kIsHostUnasked = 1,  // no process of some group was asked for all of a host that the group is on
    kHasUplinks = 2,     // some process can tell the uplinks of its switch, if asked
    kIsRefused = 4       // nothing failed, but what was said makes no sense
};

// One process among all. Functions are collective over all processes of the channel, and what fails in
// one of them, memory above all, ends no process's part: it goes on without content, and its status says
// so.
class Gather {
public:
    // Both live longer.
    Gather(Channel& channel, const LocalGroups& groups) : channel_(channel), groups_(groups) {}

    // own: what this process says; nothing where that failed. mine: its status, into which comes what it
    // heard of others', the flags of all among it. Gives what all say: whole where no status has a
    // failure, else anything.
    RecordMessage all_say(const RecordMessage& own, StatusHeader& mine);

    // Whether all processes got so far: the same status at all, but where the last message of all fails,
    // of which nobody could tell.
    StatusHeader agree(StatusHeader mine);

private:
    bool is_leader() const { return groups_.members[0] == channel_.own(); }
    template <class Body>
    void attempt(StatusHeader& mine, Body body) const;
    // members, all: NULL where the status alone counts.
    void hear_member(std::uint32_t member, MessageMaker* members, StatusHeader& mine);
    // How the sending went.
    int tell_leaders(MessageMaker* all, StatusHeader& mine);
    int tell_members(const StatusHeader& header, const std::string& bytes);
    RecordMessage lead(const RecordMessage& own, StatusHeader& mine);
    RecordMessage follow(const RecordMessage& own, StatusHeader& mine);

    Channel& channel_;
    const LocalGroups& groups_;
};

}  // namespace hitopo

#endif
