// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// HiTopo in one process, from before MPI_Init's fence to MPI_Finalize.
#ifndef OMPI_MCA_HITOPO_BASE_LIFECYCLE_H
#define OMPI_MCA_HITOPO_BASE_LIFECYCLE_H

#include <atomic>
#include <memory>
#include <mutex>

#include "ompi/mca/hitopo/base/tree_cache.h"

struct ompi_communicator_t;

namespace hitopo {

class Lifecycle {
public:
    enum class Status {
        kNotStarted,
        kSecondCopy,   // another copy of the library runs
        kNoFramework,  // the MCA could not open it
        kLazy,         // hitopo_base_eager is false
        kMixed,        // not all processes run this HiTopo
        kCannotTell,   // there is no PMIx server to ask which ones do
        kFailed,       // the processes refused in the exchange
        kRunning,
        kWorldless,  // there are MPI sessions only
        kStopped,
    };

    // The process's one.
    static Lifecycle& instance();

    void announce();  // local; opens the framework; before MPI_Init's fence
    // Whether there is a tree of MPI_COMM_WORLD by it. Collective over that.
    bool start();
    void stop();  // local
    // As of hitopo_base_announce_layer.
    void announce_layer(const char* layer);
    static bool is_layer_everywhere(const char* layer, const char* help);
    static bool is_layer_alike(const char* const* keys, int num_keys, const char* help);

    // The reason why there is no tree of MPI_COMM_WORLD, a constant; NULL where there is one.
    const char* reason() const;

    // This process's tree before MPI_Init, from what it finds by itself; NULL where that is over. Local.
    std::shared_ptr<CommTree> tree_alone();

    // The tree that this process proposes for a collective of ours over comm; by an exchange where there
    // is none and all its members run HiTopo. NULL at all of them where not. Collective over comm.
    TreeCache::Proposal tree_for_collective(ompi_communicator_t* comm);

    // For tests; see ompi_hitopo_simulate.
    int simulate(const char* topology, const char* binding, const char* map_path);

    // Collective over comm; see ompi_hitopo_load.
    int load(ompi_communicator_t* comm);

private:
    // The copy of this library, of those in the process, that has claimed it.
    enum class Claim { kNone, kOurs, kAnothers };

    bool claim();  // and opens the framework; whether it did now
    void open();
    void start_without_world();
    bool can_exchange() const;

    std::atomic<Status> status_ = Status::kNotStarted;
    std::recursive_mutex turn_;  // of announce, start and stop: MPI sessions may come in any thread
    Claim claim_ = Claim::kNone;
    bool is_framework_open_ = false;
};

}  // namespace hitopo

#endif
