// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// HiTopo in one process, from before MPI_Init's fence to MPI_Finalize.
#ifndef OMPI_MCA_HITOPO_BASE_SESSION_H
#define OMPI_MCA_HITOPO_BASE_SESSION_H

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "ompi/mca/hitopo/base/exchange.h"
#include "ompi/mca/hitopo/base/survey.h"
#include "ompi/mca/hitopo/base/table_cache.h"

namespace hitopo {

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

    void announce();  // local; opens the framework
    void start();     // collective over MPI_COMM_WORLD
    void stop();      // local
    // The profiler's presence, as of hitopo_base_announce_profiler.
    void announce_profiler();
    bool is_profiler_everywhere() const;
    // The last MPI session of a process without MPI_COMM_WORLD goes. Local.
    void stop_without_world();

    Status status() const { return status_; }
    // Why there is no table of MPI_COMM_WORLD, a constant; NULL where there is one.
    const char* reason() const;

    TableCache& cache() { return cache_; }

    // This process's row before MPI_Init, from what it finds by itself; empty where that is over. Local.
    std::optional<Table> table_alone();

    // What this process said at its last exchange.
    Survey survey() const;
    // Whether its CPUs are no longer those of that exchange.
    bool has_binding_changed() const;
    // The same, but looks at all threads only where the calling or the main one was bound anew, or the
    // last look from this thread is 100 ms old: that takes as long as a whole split of few processes.
    bool may_binding_have_changed() const;

    // comm's table for a collective of ours: its own, or by an exchange where all its members run
    // HiTopo. NULL at all of them where not. Collective over comm.
    std::shared_ptr<CommTable> table_for_collective(ompi_communicator_t* comm);

    // For tests; see ompi_hitopo_simulate.
    int simulate(const char* topology, const char* binding, const char* map_path);

    // Collective over comm; see ompi_hitopo_load.
    int load(ompi_communicator_t* comm);

private:
    int exchange_for(ompi_communicator_t* comm);
    void open();
    void start_without_world();
    bool can_exchange() const;
    bool is_everybody_here();
    void exchange_world(int rank, int size);
    Contribution contribute(const Speaker& speaker);
    std::string lead(const Speaker& speaker, std::uint32_t component);
    void tell(const Exchanged& exchanged, int rank) const;
    void tell_error(const Record& record, std::uint32_t rank) const;

    std::atomic<Status> status_ = Status::kNotStarted;
    std::recursive_mutex turn_;  // of announce, start and stop: MPI sessions may come in any thread
    bool is_claimed_ = false;
    bool is_second_copy_ = false;
    bool is_framework_open_ = false;
    bool is_open_ = false;      // the framework and the keyval
    mutable std::mutex mutex_;  // of survey_
    Survey survey_;
    TableCache cache_;
};

}  // namespace hitopo

#endif
