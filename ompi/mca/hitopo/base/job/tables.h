// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// This process's tables, and the exchanges that make them.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_TABLES_H
#define OMPI_MCA_HITOPO_BASE_JOB_TABLES_H

#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "ompi/mca/hitopo/base/attach/table_cache.h"
#include "ompi/mca/hitopo/base/job/answers.h"
#include "ompi/mca/hitopo/base/job/exchange.h"
#include "ompi/mca/hitopo/base/job/presence.h"
#include "ompi/mca/hitopo/base/job/this_process.h"

namespace hitopo {

// What presence is announced as: processes that would not understand each other are absent.
inline constexpr std::uint32_t kPresence = kExchangeVersion;

// An exchange among a communicator's processes, with all memory that this one needs before the first
// word to others.
struct Attempt {
    // keep: gets the fresh table at once. Local; throws where memory is short.
    Attempt(ompi_communicator_t* comm, Known known,
            std::function<void(const std::shared_ptr<CommTable>&)> keep);
    Attempt(const Attempt&) = delete;

    Exchange exchange;
    LocalGroups groups;
    std::unique_ptr<GroupCall> call;  // of MPI_COMM_WORLD's first exchange: it will find the groups
    ThisProcess me;
    std::shared_ptr<CommTable> fresh;
};

class Tables {
public:
    // The process's own.
    static Tables& instance();

    TableCache& cache() { return cache_; }

    // What this process said at its last exchange; empty before.
    std::optional<Answers> answers() const;

    // This process's row, from what it finds by itself. Local.
    std::optional<Table> find_alone();

    // Which processes of MPI_COMM_WORLD have a layer, as they said in its first exchange; empty where
    // there is no table. Local.
    std::optional<LayerPresence> find_layer(const char* layer) const;

    // The two halves of MPI_COMM_WORLD's first exchange. What may fail at one process alone is in the
    // first, which is local and throws; the second is collective. is_open: whether this process's
    // framework is, without which all get no table. Rank 0 tells its user why there is none.
    std::unique_ptr<Attempt> prepare_world();
    enum class World { kTable, kNone, kUnsettled };
    World exchange_world(Attempt& attempt, Opening opening, bool is_open);

    // Sees to it that comm has a table which knows today's bindings. can_exchange: whether this process
    // takes part; none does where one cannot. Collective over comm.
    int load(ompi_communicator_t* comm, bool can_exchange);

    // MPI_COMM_WORLD's table anew, with other machines; all others then come from it. Collective.
    int replace_world();

    // Whether comm's members outside MPI_COMM_WORLD run HiTopo, and there are some: presence.h.
    bool reaches_beyond_world(ompi_communicator_t* comm, bool knows_own_job) {
        return acquaintances_.reaches_beyond_world(comm, knows_own_job);
    }

private:
    // keeps_answers: nothing but bindings may have changed. has_table: whether comm has one at all its
    // members, which then tells who is on one node. `prepare` is local and throws, the exchange
    // collective over comm.
    std::unique_ptr<Attempt> prepare(ompi_communicator_t* comm, bool keeps_answers, bool has_table);
    int exchange_for(ompi_communicator_t* comm, bool keeps_answers, bool has_table);
    LocalGroups groups_of(ompi_communicator_t* comm, bool has_table);
    // The machine of this process's node, by comm's table or else by MPI_COMM_WORLD's.
    std::optional<KnownMachine> machine_of_node(ompi_communicator_t* comm);
    void keep(Answers answers);

    mutable std::mutex mutex_;  // of answers_
    std::optional<Answers> answers_;
    TableCache cache_;
    Acquaintances acquaintances_{kPresence};
};

}  // namespace hitopo

#endif
