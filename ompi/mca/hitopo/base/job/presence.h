// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whether all processes of the job are here: run HiTopo, or a layer above it.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_PRESENCE_H
#define OMPI_MCA_HITOPO_BASE_JOB_PRESENCE_H

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "ompi/mca/hitopo/base/job/group_call.h"
#include "ompi/mca/hitopo/core/exchange/dictionary.h"

struct ompi_communicator_t;

namespace hitopo {

enum class Presence {
    kAll,
    kUnready,  // all are here, but one of them could not get ready
    kSome,
    kCannotTell,  // no PMIx server to ask
};

// Who is asked for: a layer as of hitopo_base_announce_layer, or HiTopo itself where the name is
// nullptr. Messages are topics of the file `help`, base's where that is nullptr: [mixed-job] gets a rank
// that is missing and the lowest that is here.
struct Layer {
    const char* name;
    std::uint32_t version;
    const char* help;
};

// After MPI_Init's fence, among all processes. is_ready: whether this process could go on if all are
// here. groups: learns of all local groups meanwhile; may be NULL. Where not all are here, one process
// tells the user. At most 2 log2(size) look-ups a process, and in the one that tells some more. The same
// answer at all that are here. Collective among those.
Presence check_presence(const Layer& layer, bool is_ready, GroupCall* groups);

// How a process begins the exchange where leaders are known beforehand.
struct Opening {
    bool is_expected = false;  // if not, nobody waits for it there, and check_presence follows
    bool is_settled = false;   // if not, its first gathering tells that check_presence follows
    LocalGroups groups;
};

// The same call among leaders only, by what each announced of its local group and of all leaders. Where
// a leader finds it settled, all leaders and their members are here, and in the groups that they take
// themselves to be in; else no leader finds so. A member cannot know yet: the first gathering of the
// exchange tells. is_ready: as above; groups: NULL where it is not. Takes no memory. Collective among
// leaders.
Opening call_leaders(AnnouncedGroup announced, bool is_ready, GroupCall* groups);

// As check_presence tells of a layer that is not everywhere, where the exchange found out. Local.
void tell_layer(const Layer& layer, const LayerPresence& found);

// Who of other jobs (or, with MPI sessions only, of the own one) runs HiTopo: each process is looked up
// once. Thread safe.
class Acquaintances {
public:
    explicit Acquaintances(std::uint32_t version) : version_(version) {}

    // Whether comm has members outside MPI_COMM_WORLD, and all its members run HiTopo; those of this job
    // do if `knows_own_job`. Looks nobody up for a communicator within MPI_COMM_WORLD. The same answer
    // at all members. Local.
    bool reaches_beyond_world(ompi_communicator_t* comm, bool knows_own_job);

private:
    using Process = std::pair<std::uint32_t, std::uint32_t>;  // job, rank

    bool are_all_present(ompi_communicator_t* comm, bool is_remote, bool knows_own_job);
    bool is_present(const Process& process, bool is_on_own_node);

    const std::uint32_t version_;
    std::mutex mutex_;
    std::map<Process, bool> known_;
};

}  // namespace hitopo

#endif
