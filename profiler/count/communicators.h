// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All that the profiler keeps: communicators, and what is bound to them: windows, persistent requests,
// matched messages. Local; thread safe.
#ifndef PROFILER_COUNT_COMMUNICATORS_H
#define PROFILER_COUNT_COMMUNICATORS_H

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "profiler/count/communicator.h"
#include "profiler/traffic/orders.h"

namespace hitopo::profile {

// A persistent request, or a message that was probed.
struct Pending {
    Communicator* communicator;
    std::uint64_t bytes;
    int sent_to;
};

class Communicators {
public:
    // Never destroyed: communicators may be freed after static destructors ran.
    static Communicators& instance();

    // Begins: MPI is up. max_communicators: that get counters; further ones are not counted.
    void open(std::size_t max_communicators);
    // Forgets that communicators can be freed; what is kept stays.
    void close();
    bool is_open() const { return is_open_; }
    // Whether there was a call outside of them.
    bool has_missed() const { return has_missed_; }

    void turn(bool is_on);  // counting, of all

    // comm's entry, made where it has none; key as of Communicator. Null for an invalid communicator,
    // and outside of open and close; one that is still being made (MPI_Comm_idup) gets its key later.
    Communicator* of(MPI_Comm comm, std::uint64_t key = 0);
    // The same, where calls on it are counted now.
    Communicator* counted(MPI_Comm comm);
    Communicator* counted(MPI_Win win);
    Communicator* counted(Communicator* communicator);

    void open_window(MPI_Comm comm, MPI_Win win);
    // What is bound to it goes, and perhaps it itself.
    void unbind(Communicator* communicator);

    // The n-th communicator of these members that nobody saw being made.
    std::uint64_t key_of_members(std::uint64_t hash);

    // What started on a handle; `find` and `take` say false where it is none of ours.
    void add(const void* handle, const Pending& pending);
    bool find(const void* handle, Pending& pending);
    bool take(const void* handle, Pending& pending);  // and forgets it
    // This thread's call is counted: the communicator of the window or message that went in it may go.
    void release_closed();

    // The parts of those that are registered, or were when they were called on or freed, in the order in
    // which they came.
    std::vector<CommunicatorPart> parts();
    // The pairs of all communicators that were called on, also of those that are gone.
    WorldPairs pairs();
    // Notes a grid or graph that was asked for, where calls are counted now.
    void note(OrderKind order);
    Orders orders();
    // Whether there were further ones.
    bool has_left_out();

private:
    Communicator* counted_now(Communicator* communicator);  // holds the lock
    static void forget(ompi_hitopo_registration_t* registration);
    static int close_window(MPI_Win win, int keyval, void* communicator, void* unused);
    void let_go(Communicator* communicator);  // unbinds it, at the latest by release_closed
    void release_unless_needed(Communicator* communicator);  // holds the lock
    bool keep(Communicator* communicator);                   // likewise

    static thread_local Communicator* closed_;
    std::atomic<bool> is_open_{false};
    std::atomic<bool> has_missed_{false};
    std::mutex mutex_;
    bool is_on_ = false;
    std::size_t max_communicators_ = 0;
    bool has_left_out_ = false;
    std::map<std::uint64_t, std::unique_ptr<Communicator>> all_;  // by number
    std::size_t num_kept_ = 0;                                    // of them have counters
    WorldPairs freed_pairs_;                                      // of those that are gone
    Orders orders_;
    std::unordered_map<std::uint64_t, std::uint64_t> num_of_members_;
    std::unordered_map<MPI_Comm, std::uint64_t> early_keys_;
    int window_keyval_ = MPI_KEYVAL_INVALID;

    std::mutex pending_mutex_;
    std::atomic<std::size_t> num_pending_{0};
    std::unordered_map<const void*, Pending> pending_;
};

}  // namespace hitopo::profile

#endif
