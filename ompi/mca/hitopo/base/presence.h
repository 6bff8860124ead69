// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Presence check: whether all processes of the job are here, run HiTopo or a layer above it, as PMIx
// knows, and which local groups they form. Each process looks up two others a round, in log2(size)
// rounds.
#ifndef OMPI_MCA_HITOPO_BASE_PRESENCE_H
#define OMPI_MCA_HITOPO_BASE_PRESENCE_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/base/exchange/channel.h"
#include "ompi/mca/hitopo/base/exchange/local_groups.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

struct ompi_communicator_t;

namespace hitopo {

// The announcements of processes before MPI_Init's fence: the same, whichever process looks them up.
class Announcements {
public:
    virtual ~Announcements() = default;
    virtual bool is_here(std::uint32_t process) = 0;
    // Whether it announced the same members of its local group as this process.
    virtual bool is_in_own_group(std::uint32_t process) = 0;
};

// The local groups, while all processes learn of all leaders.
class GroupFinder {
public:
    // members: the processes that this one takes for its group, itself among them, ascending. Local.
    GroupFinder(std::uint32_t own, std::size_t num_processes, std::vector<std::uint32_t> members,
                Announcements& announced);

    // Call it once, when all know of all: groups of one process each where processes do not agree.
    LocalGroups take_groups();

private:
    friend class PresenceCheck;

    const std::uint32_t own_;
    LocalGroups groups_;
    LeaderList leaders_;
    bool is_agreed_;  // this process and its leader announced one group; after the check: all did
};

enum class Presence {
    kAll,
    kSome,
    kCannotTell  // there is no PMIx server to ask
};

struct PresenceOutcome {
    Presence presence = Presence::kAll;  // the same at all that are here
    // If some are missing, one of them, and whether this process is the lowest that is here, which
    // prints a message.
    std::uint32_t missing = 0;
    bool is_lowest_here = false;
};

// groups: NULL where they are not asked for, at all processes. Throws MessageFailed. Collective among
// those that are here.
PresenceOutcome check_presence(Channel& channel, Announcements& announced, GroupFinder* groups);

// ---- the same by PMIx, among the processes of MPI_COMM_WORLD ----

// The announced version: processes of another one could not read messages, and count as absent.
inline constexpr std::uint32_t kPresence = kRecordVersion;
inline constexpr std::uint32_t kAnyVersion = 0;  // of a look-up

// A layer as of ompi_hitopo_base_announce_layer, or HiTopo itself where the name is NULL. Messages are
// topics of the file `help`, base's where that is NULL: [mixed-job] gets "rank 3 does not run it", the
// lowest rank that is here, and the remedy.
struct Layer {
    const char* name = nullptr;
    const char* help = nullptr;
};

// Announces that this process has hitopo_base_eager=false, for the message of others. Before MPI_Init's
// fence. Local.
void announce_off();

// Announces HiTopo, and the local group that this process takes itself to be in, before MPI_Init's
// fence. Local; may throw.
void announce_presence();

// The local groups of MPI_COMM_WORLD as a check of HiTopo's presence finds them: processes of one PMIx
// server. After the fence. Local.
GroupFinder find_groups();

// After the fence, among all processes: check_presence. Where not all are here, one process prints a
// message. Takes 16 KiB of stack. Throws MessageFailed. Collective among those that are here.
Presence check_presence(const Layer& layer, GroupFinder* groups);

// The message of check_presence where the exchange found out that a layer is not everywhere. Local.
void print_missing_layer(const Layer& layer, const SettingRanks& found);

// Whether comm has members outside MPI_COMM_WORLD, and all its members run HiTopo; those of this job do
// if `knows_own_job`. Looks no process up for a communicator within MPI_COMM_WORLD. The same answer at
// all members. Local.
bool reaches_beyond_world(ompi_communicator_t* comm, bool knows_own_job);

}  // namespace hitopo

#endif
