// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the profiler knows of one communicator: its key, and what this process did in it.
#ifndef PROFILER_COUNT_COMMUNICATOR_H
#define PROFILER_COUNT_COMMUNICATOR_H

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ompi/communicator/registry/comm_registry.h"
#include "profiler/count/made_functions.h"
#include "profiler/job.h"
#include "profiler/traffic/flat_send.h"
#include "profiler/traffic/traffic.h"

namespace hitopo::profile {

// What a thread remembers of a communicator or window is true as long as the generation stays: the
// registry's, which the profiler raises too when windows go, or counting is turned on or off.
inline std::uint32_t generation() {
    return __atomic_load_n(&ompi_hitopo_registry_generation, __ATOMIC_ACQUIRE);
}
inline void raise_generation() {
    __atomic_add_fetch(&ompi_hitopo_registry_generation, 1, __ATOMIC_RELEASE);
}

// One call, as the counters see it.
struct Event {
    Function function;
    std::uint64_t ticks;
    std::uint64_t sent_bytes;
    std::uint64_t fetched_bytes;
    int sent_to;                      // a rank, or negative
    int fetched_from;                 // likewise
    const PerLane* collective_bytes;  // whose sum is sent_bytes; or null
    bool is_of_neighbours;            // likewise: single peers got them, which add_to_neighbour told
    const Crossings* served;          // what was really sent for it; or null
};

class Communicator;

// What was counted for a communicator until one moment: only the functions that were called.
struct CommunicatorPart {
    struct Call {
        Function function;
        CallCount count;
    };

    const Communicator* communicator;  // lives on
    std::string name;
    bool is_registered;
    bool is_freed;
    std::vector<Call> calls;
    std::vector<PeerCount> peers;
    PerLane collective_bytes;
    std::vector<ServedCount> served;
};

// Thread safe where the job has threads.
class Communicator {
public:
    // comm: alive. key: 0 if nobody saw it being made; it then follows from its members.
    Communicator(MPI_Comm comm, ompi_hitopo_registration_t* registration, std::uint64_t key);
    ~Communicator();
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;

    std::uint64_t number = 0;  // of Communicators, in the order in which they came there

    // ---- keys ----

    // By it processes know, without having spoken, that they mean the same communicator.
    std::uint64_t key() const { return key_; }
    // How many communicators of these members (their hash) were made of this one before: all of them
    // count alike.
    std::uint64_t count_creation(std::uint64_t members);

    // ---- counting ----

    // From its first registration on. A lock costs a tenth of a short message: add takes it only where
    // there can be a second thread.
    bool has_counters() const { return traffic_ != nullptr; }
    void start_counting() {
        auto traffic = std::make_unique<Traffic>(kNumFunctions);
        const std::lock_guard<std::mutex> lock(mutex_);
        traffic_ = std::move(traffic);
    }
    // The same for pairs alone, registered or not.
    void start_counting_pairs() {
        if (pairs_ == nullptr) {
            pairs_ = std::make_unique<OwnPairs>();
        }
    }
    void add(const Event& event) {
        if (has_threads) {
            const std::lock_guard<std::mutex> lock(mutex_);
            add_alone(event);
        } else {
            add_alone(event);
        }
    }

    // More of a served call of that function, which was added before.
    void add_crossings(std::size_t function, const Crossings& crossings) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (traffic_ != nullptr) {
            traffic_->add_crossings(function, crossings);
        }
    }

    // The same for a message, or a call that sends nothing (to: negative). False where it did nothing,
    // since that takes more than a few additions.
    bool add_quickly(Function function, std::uint64_t ticks, std::uint64_t bytes, int to) {
        return !adds_slowly && traffic_->add_quickly(function, bytes, ticks, to);
    }

    // What a collective sends to one peer; where pairs are counted.
    void add_to_neighbour(int peer, std::uint64_t bytes) {
        const std::lock_guard<std::mutex> lock(mutex_);
        pairs_->by_rank.add({static_cast<std::uint32_t>(peer), 1, bytes});
    }

    // The ranks [0, num_peers) that messages can go to: those of the remote group of an
    // intercommunicator.
    int num_peers() const { return num_peers_; }
    // MPI_PROC_NULL is none, nor is what MPI refuses.
    bool is_peer(int rank) const { return rank >= 0 && rank < num_peers_; }
    bool is_of(MPI_Comm comm) const { return comm == comm_ && !is_freed_; }
    int size() const { return size_; }  // the local group's
    bool is_inter() const { return is_inter_; }
    // Worked out at their first use, while the communicator is alive.
    const FlatGroup& flat_group();
    const std::vector<int>& neighbours();

    // ---- the report ----

    void mark_freed();  // while the communicator is still there
    bool is_freed() const { return is_freed_; }
    bool is_registered() const;
    std::string name() const;
    int rank() const { return rank_; }
    MPI_Group group() const { return group_; }  // the local one
    MPI_Group peers() const { return is_inter_ ? remote_group_ : group_; }
    // A copy of the counters, at one moment; zeros where it has none.
    Traffic traffic() const;
    // The same for the report; it has counters.
    CommunicatorPart part() const;
    // The pairs so far, by ranks of MPI_COMM_WORLD.
    void add_pairs_to(WorldPairs& sums) const;

    // ---- what is bound to it, and may outlive it: windows, persistent requests, matched messages ----

    void bind() { ++num_bound_; }
    void unbind() { --num_bound_; }
    bool has_bound() const { return num_bound_ > 0; }

private:
    struct OwnPairs {
        Pairs by_rank;
        std::uint64_t collective_bytes = 0;
    };

    void add_alone(const Event& event) {
        if (pairs_ != nullptr) {
            add_pairs(event);
        }
        // Where pairs are counted, others than registered ones come here.
        if (pairs_ == nullptr || (traffic_ != nullptr && is_registered())) {
            add_traffic(event);
        }
    }
    void add_traffic(const Event& event) {
        traffic_->add_call(event.function, event.sent_bytes + event.fetched_bytes, event.ticks);
        if (is_peer(event.sent_to)) {
            traffic_->add_message(static_cast<std::uint32_t>(event.sent_to), event.sent_bytes,
                                  event.ticks);
        }
        if (is_peer(event.fetched_from)) {
            traffic_->add_fetch(static_cast<std::uint32_t>(event.fetched_from), event.fetched_bytes);
        }
        if (event.collective_bytes != nullptr) {
            traffic_->add_collective(*event.collective_bytes);
        }
        if (event.served != nullptr) {
            traffic_->add_served(event.function, *event.served, *event.collective_bytes);
        }
    }

    void add_pairs(const Event& event);

    MPI_Comm comm_;
    ompi_hitopo_registration_t* registration_;
    MPI_Group group_ = MPI_GROUP_NULL;
    MPI_Group remote_group_ = MPI_GROUP_NULL;
    bool is_inter_ = false;
    int rank_ = MPI_UNDEFINED;
    int size_ = 0;
    int num_peers_ = 0;

    std::uint64_t key_;
    std::map<std::uint64_t, std::uint64_t> num_created_;  // by their members
    std::atomic<int> num_bound_{0};

    mutable std::mutex mutex_;  // of what follows and of num_created_
    std::unique_ptr<Traffic> traffic_;
    std::unique_ptr<OwnPairs> pairs_;
    std::optional<FlatGroup> flat_group_;
    std::optional<std::vector<int>> neighbours_;

    std::atomic<bool> is_freed_{false};
    bool was_registered_ = false;
    std::string last_name_;
};

}  // namespace hitopo::profile

#endif
