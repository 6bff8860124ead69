// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whether all processes of the job are here: run HiTopo, or a layer above it, as PMIx knows.
#ifndef OMPI_MCA_HITOPO_BASE_PRESENCE_H
#define OMPI_MCA_HITOPO_BASE_PRESENCE_H

#include <cstdint>

#include "ompi/mca/hitopo/base/exchange/presence_check.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

struct ompi_communicator_t;

namespace hitopo {

// What presence is announced as: processes that would not understand each other are absent.
inline constexpr std::uint32_t kPresence = kRecordVersion;

// A layer as of hitopo_base_announce_layer, or HiTopo itself where the name is NULL. Messages are topics
// of the file `help`, base's where that is NULL: [mixed-job] gets a rank that is missing and the lowest
// that is here.
struct Layer {
    const char* name = nullptr;
    const char* help = nullptr;
};

// Before MPI_Init's fence: announces HiTopo, and which local group this process takes itself to be in.
// Local; may throw.
void announce_presence();

// The local groups of MPI_COMM_WORLD as a check of HiTopo's presence finds them: processes of one PMIx
// server. Takes all memory that the check needs, or throws. After the fence. Local.
GroupFinder find_groups();

// After the fence, among all processes: check_presence of exchange/presence_check.h. Where not all are
// here, one process prints a message. Takes no memory but 16 KiB of stack. Collective among those that
// are here.
Presence check_presence(const Layer& layer, bool is_ready, GroupFinder* groups);

// The message of check_presence where the exchange found out that a layer is not everywhere. Local.
void print_missing_layer(const Layer& layer, const SettingRanks& found);

// Whether comm has members outside MPI_COMM_WORLD, and all its members run HiTopo; those of this job do
// if `knows_own_job`. Looks no process up for a communicator within MPI_COMM_WORLD. The same answer at
// all members. Local.
bool reaches_beyond_world(ompi_communicator_t* comm, bool knows_own_job);

}  // namespace hitopo

#endif
