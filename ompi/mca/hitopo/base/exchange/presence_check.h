// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Presence check: whether all processes of the job are here, run HiTopo or a layer above it, and which
// local groups they form. Each process looks up two others a round, in log2(size) rounds.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_PRESENCE_CHECK_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_PRESENCE_CHECK_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/exchange/local_groups.h"
#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {

// What processes announced before MPI_Init's fence: the same, whichever process looks it up.
class Announcements {
public:
    virtual ~Announcements() = default;
    virtual bool is_here(std::uint32_t process) = 0;
    // Whether it announced the same members of its local group as this process.
    virtual bool is_in_own_group(std::uint32_t process) = 0;
};

// The leaders of local groups, and how many members each has, as far as a process knows them. Takes all
// memory in its constructor, since a process that failed between two rounds would leave others waiting.
class LeaderList {
public:
    explicit LeaderList(std::size_t num_processes);

    void add(std::uint32_t leader, std::uint32_t num_members) { num_members_[leader] = num_members; }

    // Those among `num` processes from `first` on, which go on with 0 behind the last; the bytes are
    // valid until the next call. Equal groups at equal distances take some bytes in all.
    std::string_view encode(std::uint32_t first, std::size_t num);
    // Adds what encode(first, ..) gave. False where the bytes make no sense.
    bool decode(std::uint32_t first, std::string_view bytes);
    std::size_t max_bytes() const { return kMaxLeaderBytes * num_members_.size(); }

    // Whether the groups have as many members as there are processes.
    bool is_whole() const;
    const std::vector<std::uint32_t>& num_members() const { return num_members_; }  // 0: it leads none

private:
    static constexpr std::size_t kMaxLeaderBytes = 15;  // three numbers of 32 bits

    std::vector<std::uint32_t> num_members_;  // by process
    ByteWriter bytes_;
};

// The local groups, while all processes learn of all leaders.
class GroupFinder {
public:
    // members: the processes that this one takes for its group, itself among them, ascending. Takes all
    // memory that the rest needs, or throws. Local.
    GroupFinder(std::uint32_t own, std::size_t num_processes, std::vector<std::uint32_t> members,
                Announcements& announced);

    // When all know of all, once: groups of one process each where processes do not agree. Takes no
    // memory.
    LocalGroups take_groups();

private:
    friend class PresenceCheck;

    const std::uint32_t own_;
    LocalGroups groups_;
    LeaderList leaders_;
    Received received_;  // with room for the list of another process
    bool is_agreed_;     // this process and its leader announced one group; after the check: all did
};

enum class Presence {
    kAll,
    kUnready,  // all are here, but one of them could not get ready
    kSome,
    kCannotTell  // there is no PMIx server to ask
};

struct PresenceOutcome {
    Presence presence = Presence::kAll;  // the same at all that are here
    // Where some are missing: one of them; and whether this process is the lowest that is here, which is
    // to print a message.
    std::uint32_t missing = 0;
    bool is_lowest_here = false;
};

// groups: NULL where they are not asked for, at all processes, or where this one is not ready. Takes no
// memory. Collective among those that are here.
PresenceOutcome check_presence(Channel& channel, Announcements& announced, GroupFinder* groups,
                               bool is_ready);

}  // namespace hitopo

#endif
