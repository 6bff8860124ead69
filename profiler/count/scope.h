// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// One call of MPI, from its wrapper's begin to its end. What the wrappers of calls.table call.
//
// Only the outermost call of a thread counts: what MPI calls inside it (ROMIO, callbacks of users) does
// not. In a program of MPI's standard ABI none does. All functions are local, and none lets an exception
// out: where memory is short, a call is not counted.
#ifndef PROFILER_COUNT_SCOPE_H
#define PROFILER_COUNT_SCOPE_H

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "profiler/count/clock.h"
#include "profiler/count/communicator.h"
#include "profiler/count/due.h"
#include "profiler/count/made_functions.h"
#include "profiler/traffic/flat_send.h"
#include "profiler/traffic/sampling.h"

namespace hitopo::profile {

struct Pending;
class Scope;

// Where a thread is, and what it found out lately: a look-up of a communicator's attribute costs as much
// as a short message.
struct ThreadState {
    struct Found {
        const void* handle;
        Communicator* communicator;
        std::uint32_t generation;
    };
    static constexpr std::size_t kNumFound = 16;

    const void* uncounted;               // the last handle whose calls are not counted,
    std::uint32_t uncounted_generation;  // as of this generation
    int depth;
    bool owns_mpi;      // no other thread calls MPI, ever
    Scope* collective;  // the outermost call, if it is a collective that is counted
    Sampling sampling;
    MPI_Datatype datatype;  // the last one that MPI names,
    std::uint64_t size;     // and its size
    Found found[kNumFound];
};
extern __thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

// Whether a call on this communicator or window can go straight to MPI; false also means: not known yet.
inline bool is_uncounted(const void* handle) {
    return thread_state.uncounted == handle && thread_state.uncounted_generation == generation();
}

// Nothing that goes wrong in counting may reach the program.
template <class Body>
void quietly(Body&& body) noexcept {
    (void)guarded([&] { body(); });
}

// What a served call sends.
struct Served {
    const FlatGroup* flat_group;
    Crossings crossings;

    void cross(int peer, std::uint64_t bytes) noexcept {
        crossings.add(flat_group->lane_to(peer), bytes);
    }
};

// The same for one that goes on when its function returns: since then. The communicator is bound.
struct ServedLater : Served {
    Communicator* communicator;
    std::size_t function;
};

// Whether anybody learns of the calls that coll/hitopo serves, and of topo/hitopo's orders. Local.
void listen_to_served(bool is_on);

class Scope {
public:
    [[gnu::always_inline]] explicit Scope(Function function) : Scope(function, nullptr, nullptr) {}
    [[gnu::always_inline]] Scope(Function function, MPI_Comm comm)
        : Scope(function, comm, [](const void* handle) noexcept {
              return look_up(static_cast<MPI_Comm>(const_cast<void*>(handle)));
          }) {}
    [[gnu::always_inline]] Scope(Function function, MPI_Win win)
        : Scope(function, win, [](const void* handle) noexcept {
              return look_up(static_cast<MPI_Win>(const_cast<void*>(handle)));
          }) {}
    [[gnu::always_inline]] ~Scope() {
        std::uint64_t last_tick = kNotTimed;
        if (communicator_ != nullptr) {
            std::uint64_t passed = 0;
            if (first_tick_ != kNotTimed) {
                last_tick = ticks();
                const std::uint64_t took = last_tick - first_tick_;
                passed = thread_state.sampling.weigh(took - std::min(took, cost_of_ticks));
            }
            if (!is_plain_ || !communicator_->add_quickly(function_, passed, sent_bytes_, sent_to_)) {
                close(passed);
            }
        }
        if (is_due(last_tick)) {
            end_due();
        }
        --thread_state.depth;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

    bool is_outermost() const { return is_outermost_; }
    bool is_counted() const { return communicator_ != nullptr; }

    // ---- the job ----

    void enter_init() noexcept;
    void leave_init() noexcept;
    void finalize() noexcept;

    // ---- messages ----

    void send(int count, MPI_Datatype datatype, int dest) noexcept {
        sent_to_ = dest;
        sent_bytes_ = communicator_->is_peer(dest) ? bytes_of(count, datatype) : 0;
    }
    void match(bool is_found, MPI_Message message) noexcept;  // what a probe gave
    void take(const MPI_Message* message) noexcept;           // is received now

    // ---- persistent requests ----

    void prepare(MPI_Comm comm, MPI_Request request, int count, MPI_Datatype datatype,
                 int dest) noexcept;
    void forget(const MPI_Request* request) noexcept;
    template <class Requests>
    void start(int count, const Requests& requests) noexcept {
        for (int i = 0; i < count && !is_missing(requests); ++i) {
            start_one(requests[i]);
        }
    }

    // ---- collectives, by their flat algorithms ----

    void barrier() noexcept;
    void from_root(int count, MPI_Datatype datatype, int root) noexcept;
    void to_root(int count, MPI_Datatype datatype, int root) noexcept;
    void to_all(int count, MPI_Datatype datatype) noexcept;
    void scatterv(const int* counts, MPI_Datatype datatype, int root) noexcept;
    void allgather(const void* buffer, int count, MPI_Datatype datatype, int in_place_count,
                   MPI_Datatype in_place_datatype) noexcept;
    void allgatherv(const void* buffer, int count, MPI_Datatype datatype, const int* in_place_counts,
                    MPI_Datatype in_place_datatype) noexcept;
    void allreduce(int count, MPI_Datatype datatype) noexcept;
    void alltoall(const void* buffer, int count, MPI_Datatype datatype, int in_place_count,
                  MPI_Datatype in_place_datatype) noexcept;
    void alltoallv(const void* buffer, const int* counts, MPI_Datatype datatype,
                   const int* in_place_counts, MPI_Datatype in_place_datatype) noexcept;
    template <class Datatypes>
    void alltoallw(const void* buffer, const int* counts, const Datatypes& datatypes,
                   const int* in_place_counts, const Datatypes& in_place_datatypes) noexcept {
        const bool is_in_place = buffer == MPI_IN_PLACE;
        send_flat([&](FlatSend& flat) {
            flat.to_each([&](std::int64_t rank) {
                return is_in_place ? bytes_at(rank, in_place_counts, in_place_datatypes)
                                   : bytes_at(rank, counts, datatypes);
            });
        });
    }
    void reduce_scatter(const int* counts, MPI_Datatype datatype) noexcept;
    void reduce_scatter_block(int count, MPI_Datatype datatype) noexcept;
    void scan(int count, MPI_Datatype datatype) noexcept;
    void to_neighbours(int count, MPI_Datatype datatype) noexcept {
        to_each_neighbour([&](std::int64_t) { return bytes_of(count, datatype); });
    }
    template <class Datatypes>
    void to_neighbours(const int* counts, const Datatypes& datatypes) noexcept {
        to_each_neighbour([&](std::int64_t i) { return bytes_at(i, counts, datatypes); });
    }

    // ---- what is told of this call while it runs (served.cc) ----

    // It is served by the table; null where what is served is not the whole of it.
    Served* begin_served(MPI_Comm comm, std::string_view function) noexcept;
    // Then that it goes on when it returns; null where memory is short.
    ServedLater* go_on_served() noexcept;

    // ---- one-sided ----

    void open_window(MPI_Comm comm, MPI_Win win) noexcept;
    void put(int target, int count, MPI_Datatype datatype) noexcept;
    void fetch(int target, int count, MPI_Datatype datatype) noexcept;
    // Fetches the latter and, unless op is MPI_NO_OP, puts the former.
    void exchange(int target, MPI_Op op, int count, MPI_Datatype datatype, int fetch_count,
                  MPI_Datatype fetch_datatype) noexcept;

    // ---- new communicators: their keys ----

    void create(MPI_Comm parent, MPI_Comm made) noexcept;
    void create(MPI_Comm parent, MPI_Comm made, MPI_Comm roots) noexcept;
    void create_of_members(MPI_Comm made) noexcept;
    template <class Comms>
    void create_steps(MPI_Comm parent, int max_steps, const Comms& made, const Comms& roots) noexcept {
        for (int step = 0; step < max_steps && parent != MPI_COMM_NULL; ++step) {
            create(parent, made[step], roots[step]);
            parent = made[step];
        }
    }

private:
    using LookUp = Communicator* (*)(const void* handle) noexcept;

    [[gnu::always_inline]] Scope(Function function, const void* handle, LookUp look_up)
        : function_(function), is_outermost_(thread_state.depth++ == 0 && !stays_out_) {
        if (is_outermost_ && handle != nullptr) {
            communicator_ = find(handle, look_up);
            if (communicator_ != nullptr) {
                start_clock();
            }
        }
        if (is_due(first_tick_)) {
            begin_due();
        }
    }

    static Communicator* find(const void* handle, LookUp look_up) {
        const auto bits = reinterpret_cast<std::uintptr_t>(handle);
        ThreadState::Found& found = thread_state.found[(bits >> 5 ^ bits >> 9) % ThreadState::kNumFound];
        const std::uint32_t now = generation();
        return found.handle == handle && found.generation == now
                   ? found.communicator
                   : remember(found, look_up(handle), handle, now);
    }
    static Communicator* remember(ThreadState::Found& found, Communicator* communicator,
                                  const void* handle, std::uint32_t generation) noexcept;
    static Communicator* look_up(MPI_Comm comm) noexcept;
    static Communicator* look_up(MPI_Win win) noexcept;

    void start_one(MPI_Request request) noexcept;
    void close(std::uint64_t passed) noexcept;
    void begin_due() noexcept;
    void end_due() noexcept;

    void resume(const Pending& pending);
    void to_each(const int* counts, MPI_Datatype datatype) noexcept;
    void to_remote_evenly(std::uint64_t bytes) noexcept;
    bool is_root(int root) const noexcept;

    // An argument is looked at only where MPI does: what does not count at this process may be anything.
    // Where nothing is sent, no datatype counts.
    static std::uint64_t bytes_of(int count, MPI_Datatype datatype) noexcept {
        return count > 0 ? static_cast<std::uint64_t>(count) * size_of(datatype) : 0;
    }
    // The bytes of the i-th of several.
    static std::uint64_t bytes_at(std::int64_t i, const int* counts, MPI_Datatype datatype) noexcept {
        return is_missing(counts) ? 0 : bytes_of(counts[i], datatype);
    }
    template <class Datatypes>
    static std::uint64_t bytes_at(std::int64_t i, const int* counts,
                                  const Datatypes& datatypes) noexcept {
        return is_missing(counts) || is_missing(datatypes) || counts[i] <= 0
                   ? 0
                   : bytes_of(counts[i], datatypes[static_cast<std::size_t>(i)]);
    }
    // An array that is not there, which MPI refuses.
    template <class Array>
    static bool is_missing([[maybe_unused]] const Array& array) noexcept {
        if constexpr (std::is_pointer_v<Array>) {
            return array == nullptr;
        } else {
            return false;
        }
    }
    static std::uint64_t size_of(MPI_Datatype datatype) noexcept {
        return datatype == thread_state.datatype ? thread_state.size : ask_size_of(datatype);
    }
    // 0 where MPI would not take it.
    static std::uint64_t ask_size_of(MPI_Datatype datatype) noexcept;
    // body fills the FlatSend of this communicator.
    template <class Body>
    void send_flat(Body&& body) noexcept {
        quietly([&] {
            FlatSend flat(communicator_->flat_group());
            body(flat);
            collective_bytes_ = flat.bytes();
            sent_bytes_ = flat.sum();
            is_plain_ = false;
            is_collective_ = true;
            thread_state.collective = this;  // until close
        });
    }
    template <class BytesOf>
    void to_each_neighbour(BytesOf&& bytes_of) noexcept {
        is_of_neighbours_ = true;
        send_flat([&](FlatSend& flat) {
            std::int64_t i = 0;
            for (const int rank : communicator_->neighbours()) {
                if (communicator_->is_peer(rank)) {
                    to_neighbour(flat, rank, bytes_of(i));
                }
                ++i;
            }
        });
    }

    void to_neighbour(FlatSend& flat, int rank, std::uint64_t bytes) {
        flat.to_one(rank, bytes);
        if (counts_pairs) {
            communicator_->add_to_neighbour(rank, bytes);
        }
    }

    void start_clock() { first_tick_ = thread_state.sampling.is_timed() ? ticks() : kNotTimed; }

    // In a program of MPI's standard ABI, from MPI_Init on.
    inline static bool stays_out_ = false;

    static constexpr int kNobody = -1;
    static constexpr std::uint64_t kNotTimed = 0;

    Communicator* communicator_ = nullptr;
    std::uint64_t first_tick_ = kNotTimed;
    std::uint64_t sent_bytes_ = 0;
    std::uint64_t fetched_bytes_ = 0;
    int sent_to_ = kNobody;
    int fetched_from_ = kNobody;
    const Function function_;
    const bool is_outermost_;
    bool is_plain_ = true;  // no collective, and nothing is fetched
    bool is_collective_ = false;
    bool is_of_neighbours_ = false;
    bool is_served_ = false;
    bool is_last_ = false;      // it began after SIGTERM
    PerLane collective_bytes_;  // set in collectives
    Served served_;             // set in served ones
};

}  // namespace hitopo::profile

#endif
