// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The exchange: every process's record to every other, then the few names and machines.
//
// What can fail at one process, memory above all, is done between the collectives, and all agree on how
// it went before the next one: nobody is left waiting, and all have the result or none has.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_EXCHANGE_H
#define OMPI_MCA_HITOPO_BASE_JOB_EXCHANGE_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/exchange/record.h"

struct ompi_communicator_t;

namespace hitopo {

// One process's side. Its functions are local and may throw: the exchange then fails at all processes.
class Participant {
public:
    virtual ~Participant() = default;

    // What it says of itself, and of its whole node where it is the one to do so. Called again with
    // must_speak in the lowest member of a node of which nobody spoke.
    virtual Contribution contribute(bool must_speak) = 0;

    // What it finds out, as the leader of its switch, with that component (core/network/uplinks.h):
    // bytes, "" for nothing.
    virtual std::string lead(std::uint32_t component) = 0;

    // Takes the result, by rank; an intercommunicator's groups in the order both sides agree on.
    virtual void accept(Directory directory) = 0;
};

struct Outcome {
    int status = 0;                      // OMPI_SUCCESS, or the code of what failed: the same at all
    int failed_rank = -1;                // the lowest process where it did, in the directory's order
    std::optional<Error> refused;        // why there is no directory though nothing failed
    std::optional<Record> error_record;  // the lowest rank's whose record has an error
    std::uint32_t error_rank = 0;
};

class Exchange {
public:
    // Takes the memory for all records, or throws. Local.
    explicit Exchange(ompi_communicator_t* comm);

    // Collective over comm (over both groups of an intercommunicator), when all have one: an allgather
    // and an allgatherv, and after each an allreduce; one allgather and allreduce more where some node's
    // contributor is not a member. To be called once.
    Outcome run(Participant& me);

private:
    // The processes of both groups in one order, and where each group stands in it.
    struct Group {
        bool is_remote;
        std::size_t first;
        std::size_t size;
    };
    static std::vector<Group> groups_of(ompi_communicator_t* comm);

    void say(Participant& me, bool must_speak);
    void gather_records();
    bool prepare(Participant& me, bool is_again);
    void gather_pieces();
    void settle(Participant& me);
    void note(int status);
    bool is_well();

    ompi_communicator_t* comm_;
    std::vector<Group> groups_;  // the local one first
    std::uint32_t my_index_;
    std::vector<Record> records_;
    Contribution mine_;
    Plan plan_;
    std::string my_pieces_, pieces_;
    std::vector<int> counts_, displacements_;  // of 32-bit integers, by process
    Outcome out_;
};

// Whether all processes got so far, each with its own OMPI_SUCCESS or error code; out gets the lowest
// failure's. Collective over comm.
bool have_all_succeeded(ompi_communicator_t* comm, int status, std::uint32_t my_index, Outcome& out);

// What the exchange would be for this process alone; no status. Local.
Outcome derive_alone(Participant& me);

}  // namespace hitopo

#endif
