// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// This process's trees, and the exchanges that make them.
#ifndef OMPI_MCA_HITOPO_BASE_TREES_H
#define OMPI_MCA_HITOPO_BASE_TREES_H

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "ompi/mca/hitopo/base/answers.h"
#include "ompi/mca/hitopo/base/comm_wire.h"
#include "ompi/mca/hitopo/base/presence.h"
#include "ompi/mca/hitopo/base/this_process.h"
#include "ompi/mca/hitopo/base/tree_cache.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"

namespace hitopo {

// What presence is announced as: processes that would not understand each other are absent.
inline constexpr std::uint32_t kPresence = kRecordVersion;

// An exchange among a communicator's processes, with all memory that this one needs before the first
// word to others.
struct Attempt {
    // keep: gets the fresh tree at once. Local; throws where memory is short.
    Attempt(ompi_communicator_t* comm, Known known,
            std::function<void(const std::shared_ptr<CommTree>&)> keep);
    Attempt(const Attempt&) = delete;

    CommWire wire;
    Channel channel;
    LocalGroups groups;
    std::optional<GroupFinder> finder;  // of MPI_COMM_WORLD's first exchange
    ThisProcess me;
    std::shared_ptr<CommTree> fresh;
};

class Trees {
public:
    // The process's own.
    static Trees& instance();

    TreeCache& cache() { return cache_; }

    // What this process said at its last exchange; empty before.
    std::optional<Answers> answers() const;

    // This process's tree, from what it finds by itself. Local.
    std::optional<AddressTree> find_alone();

    // Which processes of MPI_COMM_WORLD say a word of that key, as they did in its exchange; empty where
    // there is no tree. Local.
    std::optional<SettingRanks> find_word(const char* key) const;

    // The two halves of MPI_COMM_WORLD's first exchange. What may fail at one process alone is in the
    // first, which is local and throws; the second is collective. is_open: whether this process's
    // framework is, without which all get no tree. Rank 0 tells its user why there is none. Whether
    // there is one.
    std::unique_ptr<Attempt> prepare_world();
    bool exchange_world(Attempt& attempt, bool is_open);

    // Sees to it that comm has a tree which knows today's bindings. can_exchange: whether this process
    // takes part; none does where one cannot. Collective over comm.
    int load(ompi_communicator_t* comm, bool can_exchange);

    // MPI_COMM_WORLD's tree anew, with other machines; all others then come from it. Collective.
    int replace_world();

    // Whether comm's members outside MPI_COMM_WORLD run HiTopo, and there are some: presence.h.
    bool reaches_beyond_world(ompi_communicator_t* comm, bool knows_own_job) {
        return acquaintances_.reaches_beyond_world(comm, knows_own_job);
    }

private:
    // keeps_answers: nothing but bindings may have changed. has_tree: whether comm has one at all its
    // members, which then tells the processes of one node. `prepare` is local and throws, the exchange
    // collective over comm.
    std::unique_ptr<Attempt> prepare(ompi_communicator_t* comm, bool keeps_answers, bool has_tree);
    int exchange_for(ompi_communicator_t* comm, bool keeps_answers, bool has_tree);
    LocalGroups groups_of(ompi_communicator_t* comm, const CommWire& wire, bool has_tree);
    // The machine of this process's node, by comm's tree or else by MPI_COMM_WORLD's.
    std::optional<KnownMachine> machine_of_node(ompi_communicator_t* comm);
    void keep(Answers answers);

    mutable std::mutex mutex_;  // of answers_
    std::optional<Answers> answers_;
    TreeCache cache_;
    Acquaintances acquaintances_{kPresence};
};

}  // namespace hitopo

#endif
