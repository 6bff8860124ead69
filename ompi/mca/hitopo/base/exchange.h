// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The exchange: every process's record to every other, then the few names and machines.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_H

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/dictionary.h"
#include "ompi/mca/hitopo/core/plan.h"
#include "ompi/mca/hitopo/core/record.h"

struct ompi_communicator_t;

namespace hitopo {

struct Exchanged {
    int status = 0;                // OMPI_SUCCESS, or the collective's code
    std::optional<Error> refused;  // why there is no census though the collectives went well
    Census census;  // by rank; an intercommunicator's groups in the order both sides agree on
    std::optional<Record> error_record;  // the lowest rank's whose record has an error
    std::uint32_t error_rank = 0;
    std::uint32_t num_errors = 0;
};

// What this process, as the leader of its switch, finds out about that (core/uplinks.h): bytes, "" for
// nothing. Throws nothing.
using Lead = std::function<std::string()>;

// Collective over comm (over both groups of an intercommunicator): one allgather, one allgatherv;
// between them, `lead` in those processes that the plan names.
Exchanged exchange(ompi_communicator_t* comm, const Contribution& mine, const Lead& lead);

// What it would be for this process alone; no status. Local.
Exchanged derive_alone(const Contribution& mine, const Lead& lead);

}  // namespace hitopo

#endif
