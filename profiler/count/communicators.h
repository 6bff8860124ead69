// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The communicators and windows that the program has, each with its kind. All is local and thread safe.
//
// A look-up costs as much as a short message if it takes a lock. So the table is read without one: it is
// found by the handle's address, which is never followed, since a request may name a communicator that
// is gone. The memory of a freed one stays for the next one.
#ifndef PROFILER_COUNT_COMMUNICATORS_H
#define PROFILER_COUNT_COMMUNICATORS_H

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "profiler/traffic/kinds.h"
#include "profiler/traffic/peers.h"

namespace hitopo::profile {

// Whether calls are counted now: between MPI_Init and MPI_Finalize, unless MPI_Pcontrol(0) stopped it.
extern std::atomic<bool> is_counting;

// Made at its first use, by one thread; then read without a lock.
template <class T>
class Lazy {
public:
    template <class Make>
    const T& get(std::mutex& mutex, Make&& make) {
        const T* value = ready();
        if (value == nullptr) {
            const std::lock_guard<std::mutex> lock(mutex);
            if (owner_ == nullptr) {
                owner_ = std::make_shared<const T>(make());
                ready_.store(owner_.get(), std::memory_order_release);
            }
            value = owner_.get();
        }
        return *value;
    }
    // Null: not made yet.
    const T* ready() const { return ready_.load(std::memory_order_acquire); }
    void set(std::shared_ptr<const T> value) {
        owner_ = std::move(value);
        ready_.store(owner_.get(), std::memory_order_release);
    }
    const std::shared_ptr<const T>& owner() const { return owner_; }

private:
    std::atomic<const T*> ready_{nullptr};
    std::shared_ptr<const T> owner_;
};

// One communicator, or a window as the communicator that it was made of.
struct Communicator {
    // This process's rank, and the number of the others.
    struct Shape {
        int rank = 0;
        int size = 0;
        int remote_size = 0;  // of an intercommunicator, else 0
    };

    // Two members that are read of one that may be gone.
    std::atomic<const void*> handle{nullptr};
    std::atomic<Kind*> kind{nullptr};

    MPI_Comm comm() const { return static_cast<MPI_Comm>(const_cast<void*>(handle.load())); }

    Kind* origin = nullptr;  // the kind by which it was made, whatever name it has now
    Shape shape;
    Lazy<Peers> peers;
    Lazy<std::vector<int>> neighbours;  // those that neighbourhood collectives send to

    // Where calls are watched: a number that is equal at all members, and differs from others that live
    // (0: it is not known yet); and the collectives that began, of which MPI has one at a time.
    std::atomic<std::uint64_t> id{0};
    std::atomic<std::uint64_t> num_collectives{0};
};

class Communicators {
public:
    // Never destroyed: communicators may be freed after static destructors ran.
    static Communicators& instance();

    // Begins: MPI is up.
    void open(std::size_t max_kinds);
    void close();
    bool is_open() const { return is_open_; }
    // Whether there was a call outside of them.
    bool has_missed() const { return has_missed_; }

    // The one with this handle, or null. Takes no lock; while others are freed it may miss one that is
    // there.
    static Communicator* known(const void* handle) {
        const Table& table = *table_.load(std::memory_order_acquire);
        for (std::size_t at = table.place_of(handle);; at = table.next(at)) {
            Communicator* const one = table.slots[at].load(std::memory_order_acquire);
            if (one == nullptr || one->handle.load(std::memory_order_relaxed) == handle) {
                return one;
            }
        }
    }
    // The same, and makes it if its making was not seen. Null for a handle that is none, and outside of
    // open and close.
    Communicator* of(MPI_Comm comm);
    Communicator* of(MPI_Win win) { return find(win); }
    // The kind of a request's or message's communicator; null where that is unknown.
    Kind* kind_of(MPI_Comm comm);

    // A communicator was made by that function, of parent (null: unknown).
    void add(MPI_Comm made, std::string_view function, Communicator* parent);
    void add(MPI_Win win, Communicator& communicator);
    // It has this name from now on; "": the one of its making.
    void name(Communicator& communicator, std::string_view name);
    // The handle is being freed.
    void remove(const void* handle);

    const Peers& peers_of(Communicator& communicator);
    const std::vector<int>& neighbours_of(Communicator& communicator);

    Kinds& kinds() { return *kinds_; }
    Kind* files() const { return files_; }
    Kind* requests() const { return requests_; }

    // While it holds, none is made or freed; for_each_live needs it. Waits for nobody.
    std::unique_lock<std::mutex> try_hold() { return std::unique_lock(mutex_, std::try_to_lock); }
    template <class Body>
    void for_each_live(Body&& body) {
        for (Communicator& communicator : all_) {
            if (communicator.handle != nullptr) {
                body(communicator);
            }
        }
    }

    // Notes a grid or graph that was asked for, where calls are counted now.
    void note(OrderCount order);
    Orders orders();

private:
    struct Table {
        explicit Table(int bits_) : bits(bits_), mask((std::size_t{1} << bits_) - 1), slots(mask + 1) {}
        std::size_t place_of(const void* handle) const {
            return reinterpret_cast<std::uintptr_t>(handle) * 0x9e3779b97f4a7c15u >> (64 - bits);
        }
        std::size_t next(std::size_t at) const { return (at + 1) & mask; }

        const int bits;
        const std::size_t mask;
        std::vector<std::atomic<Communicator*>> slots;
    };

    // As known, and misses none.
    Communicator* find(const void* handle);
    // Callers hold the lock.
    Communicator& insert(const void* handle, Kind& kind, const Communicator::Shape& shape);
    static void put(Table& table, Communicator& communicator);
    void erase(const void* handle);
    void grow();

    static std::atomic<Table*> table_;
    std::atomic<bool> is_open_{false};
    std::atomic<bool> has_missed_{false};
    std::unique_ptr<Kinds> kinds_;
    Kind* files_ = nullptr;
    Kind* requests_ = nullptr;
    std::vector<Lane> world_lanes_;  // to each rank of MPI_COMM_WORLD

    std::mutex mutex_;                            // of what follows
    std::vector<std::unique_ptr<Table>> tables_;  // a thread may still read the smaller ones
    std::size_t num_live_ = 0;
    std::deque<Communicator> all_;
    std::vector<Communicator*> free_;
    Orders orders_;

    std::mutex lazy_mutex_;
};

// The number of the node of this rank in MPI_COMM_WORLD; negative if unknown. Local.
std::int64_t node_of(int world_rank);

}  // namespace hitopo::profile

#endif
