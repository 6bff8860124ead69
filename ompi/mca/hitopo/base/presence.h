// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whether all processes of the job are here: run HiTopo, or a layer above it, as PMIx tells.
#ifndef OMPI_MCA_HITOPO_BASE_PRESENCE_H
#define OMPI_MCA_HITOPO_BASE_PRESENCE_H

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

#include "ompi/mca/hitopo/base/exchange/presence_check.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

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

// Before MPI_Init's fence: says that HiTopo is here, and which local group this process takes itself to
// be in. Local; may throw.
void announce_presence(std::uint32_t version);

// The local groups of MPI_COMM_WORLD as a check of HiTopo's presence finds them: processes of one PMIx
// server. Takes all memory that the check needs, or throws. After the fence. Local.
GroupFinder find_groups(std::uint32_t version);

// After the fence, among all processes: check_presence of exchange/presence_check.h. Where not all are
// here, one process tells the user. Collective among those that are here.
Presence check_presence(const Layer& layer, Channel& channel, bool is_ready, GroupFinder* groups);

// As check_presence tells of a layer that is not everywhere, where the exchange found out. Local.
void tell_layer(const Layer& layer, const SettingRanks& found);

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
