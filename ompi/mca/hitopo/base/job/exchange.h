// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The exchange: what every process says, to every other, each thing once.
//
// What can fail at one process, memory above all, ends no process's part in it: it goes on with nothing
// to say, and at the end all agree on how it went. So nobody is left waiting, and all have the result or
// none has.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_EXCHANGE_H
#define OMPI_MCA_HITOPO_BASE_JOB_EXCHANGE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/base/job/gathering.h"
#include "ompi/mca/hitopo/base/job/shared_bytes.h"
#include "ompi/mca/hitopo/base/job/sharing.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/exchange/summary.h"

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
    virtual std::string lead(const std::string& component) = 0;

    // Takes the table (core/table/table.h, from_block), to keep it for as long as it likes; an
    // intercommunicator's groups in the order both sides agree on. All memory that this process needs
    // for it has to be taken here.
    virtual void accept(std::shared_ptr<const SharedBytes> block) = 0;
};

struct Outcome {
    int status = 0;           // OMPI_SUCCESS, or the code of what failed: the same at all
    int failed_rank = -1;     // the lowest process where it did, in the wire's order
    bool is_refused = false;  // there is no result though nothing failed: the same at all
    // At leaders of local groups, so at rank 0 too, who tells the user:
    Error refusal;                        // why it is refused
    std::optional<ComponentError> error;  // the lowest rank's that met one
    std::uint32_t error_rank = 0;
    bool is_unsettled = false;  // some process was: nothing else counts
};

class Exchange {
public:
    // Local; throws where memory is short.
    explicit Exchange(ompi_communicator_t* comm) : wire_(comm) { wire_.reserve(); }

    // groups: of comm's processes by the order of Wire. Collective over comm (over both groups of an
    // intercommunicator), when all have one: a gathering and an agreement; a gathering more where some
    // node's contributor may not be a member, and one where some process may lead. A member of a group
    // sends two messages and gets two, in the common case. is_settled: whether this process takes groups
    // for right and could do its part (base/job/presence.h); where one does not, all hear of it in the
    // first gathering, which is the last. To be called anew after that only.
    Outcome run(LocalGroups groups, Participant& me, bool is_settled = true);

private:
    void say(Participant& me, bool must_speak);
    void gather_summary();
    void plan_for();
    void gather_led(Participant& me);
    void hear(const News& news);
    void pass_orders(std::uint32_t may_follow);
    Order order_for(std::uint32_t process) const;
    Outcome finish();
    template <class Body>
    void attempt(Body body);

    Wire wire_;
    LocalGroups groups_;
    const Gathering gathering_{wire_, groups_};
    News mine_;      // of this process, and what it heard of others' failures
    News all_;       // after the latest gathering
    Message order_;  // to this process, after it
    std::string said_;
    Sharing sharing_;
    // A leader's:
    Summary summary_;
    std::vector<std::string> led_;
    std::optional<Plan> plan_;
    std::optional<Error> refused_;
};

// The part in Exchange::run of a process that is unsettled and could not take the memory for an
// exchange. Takes none. Collective like that.
void decline_exchange(ompi_communicator_t* comm, const LocalGroups& groups);

// Whether all processes got so far, each with its own OMPI_SUCCESS or error code; out gets the lowest
// failure's. Collective over comm.
bool have_all_succeeded(ompi_communicator_t* comm, int status, std::uint32_t my_index, Outcome& out);

// What the exchange would be for this process alone; no status. Local.
Outcome derive_alone(Participant& me);

}  // namespace hitopo

#endif
