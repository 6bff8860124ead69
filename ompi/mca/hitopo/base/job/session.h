// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// HiTopo in one process, from before MPI_Init's fence to MPI_Finalize.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_SESSION_H
#define OMPI_MCA_HITOPO_BASE_JOB_SESSION_H

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "ompi/mca/hitopo/base/attach/table_cache.h"
#include "ompi/mca/hitopo/base/job/answers.h"
#include "ompi/mca/hitopo/base/job/exchange.h"
#include "ompi/mca/hitopo/base/job/presence.h"
#include "ompi/mca/hitopo/base/job/this_process.h"

namespace hitopo {

// What presence is announced as: processes that would not understand each other's records are absent.
inline constexpr std::uint32_t kPresence = Record::kVersion << 16 | sizeof(Record);

class Session {
public:
    enum class Status {
        kNotStarted,
        kSecondCopy,   // another copy of the library runs
        kNoFramework,  // the MCA could not open it
        kLazy,         // hitopo_base_eager is false
        kMixed,        // not all processes run this HiTopo
        kCannotTell,   // no PMIx server to ask who does
        kFailed,       // the exchange failed
        kRunning,
        kWorldless,  // there are MPI sessions only
        kStopped,
    };

    // The process's one session.
    static Session& instance();

    void announce();  // local; opens the framework; before MPI_Init's fence
    void start();     // collective over MPI_COMM_WORLD
    void stop();      // local
    // As of hitopo_base_announce_layer.
    void announce_layer(const char* layer);
    static bool is_layer_everywhere(const char* layer, const char* help);

    Status status() const { return status_; }
    // Why there is no table of MPI_COMM_WORLD, a constant; NULL where there is one.
    const char* reason() const;

    TableCache& cache() { return cache_; }

    // This process's row before MPI_Init, from what it finds by itself; empty where that is over. Local.
    std::optional<Table> table_alone();

    // What this process said at its last exchange.
    Answers answers() const;

    // comm's table for a collective of ours: its own, or by an exchange where all its members run
    // HiTopo. NULL at all of them where not. Collective over comm.
    std::shared_ptr<CommTable> table_for_collective(ompi_communicator_t* comm);

    // For tests; see ompi_hitopo_simulate.
    int simulate(const char* topology, const char* binding, const char* map_path);

    // Collective over comm; see ompi_hitopo_load.
    int load(ompi_communicator_t* comm);

private:
    struct Attempt;

    bool claim();  // the process, and opens the framework; whether it did now
    void open();
    void start_eagerly(bool is_announced);
    void start_without_world();
    bool can_exchange() const;
    void exchange_world(Attempt& attempt);
    // keeps_machines: only where processes run may have changed. Collective over comm.
    int exchange_for(ompi_communicator_t* comm, bool keeps_machines);
    // Of this process's node, by comm's table or else by MPI_COMM_WORLD's.
    std::optional<KnownMachine> machine_of_node(ompi_communicator_t* comm);
    void keep(Answers answers);

    std::atomic<Status> status_ = Status::kNotStarted;
    std::recursive_mutex turn_;  // of announce, start and stop: MPI sessions may come in any thread
    bool is_claimed_ = false;
    bool is_second_copy_ = false;
    bool is_framework_open_ = false;
    bool is_open_ = false;      // the framework and the keyval
    mutable std::mutex mutex_;  // of answers_
    Answers answers_;
    TableCache cache_;
    Acquaintances acquaintances_{kPresence};
};

}  // namespace hitopo

#endif
