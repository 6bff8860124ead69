// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// One call of MPI, from its wrapper's begin to its end. The wrappers of calls.table call its functions.
//
// Only the outermost call of a thread counts: calls that MPI makes inside it (ROMIO, callbacks of users)
// do not. In a program of MPI's standard ABI none does. All functions are local, and none lets an
// exception out: where memory is short, a call is not counted.
#ifndef PROFILER_COUNT_CALL_H
#define PROFILER_COUNT_CALL_H

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "profiler/count/clock.h"
#include "profiler/count/communicators.h"
#include "profiler/count/made_functions.h"
#include "profiler/count/thread_counters.h"
#include "profiler/job.h"
#include "profiler/profile_glue.h"
#include "profiler/traffic/peers.h"
#include "profiler/watch/place.h"

namespace hitopo::profile {

class Call;

struct ThreadState {
    int depth;
    bool owns_mpi;          // no other thread calls MPI, ever
    Call* collective;       // the outermost call, if it is a collective that is counted
    OwnCounters* counters;  // null: none yet
    Place* place;           // likewise
    Sampling sampling;
    MPI_Datatype datatype;  // the last one that MPI names,
    std::uint64_t size;     // and its size
};
extern __thread ThreadState thread_state __attribute__((tls_model("initial-exec")));

// No error in counting may reach the program.
template <class Body>
void quietly(Body&& body) noexcept {
    (void)guarded([&] { body(); });
}

// The messages of a served call; of one that goes on when its function returns, those since then.
struct SentForCollective {
    std::shared_ptr<const Peers> peers;
    Kind* kind;
    Function function;
    Crossings crossings = {};
};

// Adds the messages of one that went on.
void add_crossings(const SentForCollective& later);

// Switches the reports of served calls and of topo/hitopo's orders on or off. Local.
void listen_to_collectives(bool is_on);

// The object of MPI's functions for files; the mark of those that make persistent requests.
inline constexpr struct Files {
} files;
inline constexpr struct Persisting {
} persisting;

class Call {
public:
    [[gnu::always_inline]] explicit Call(Function function)
        : function_(function), is_outermost_(thread_state.depth++ == 0 && !stays_out_) {
        if (is_watched.load(std::memory_order_relaxed) && is_outermost_) {
            enter_place();
        }
    }
    template <class Handle>
    [[gnu::always_inline]] Call(Function function, Handle handle) : Call(function) {
        if (!is_outermost_) {
            return;
        }
        communicator_ = Communicators::known(handle);
        if (communicator_ == nullptr) {
            communicator_ = look_up(handle);
        }
        if (place_ != nullptr && communicator_ != nullptr) {
            place_communicator();
        }
        if (communicator_ != nullptr && is_counting.load(std::memory_order_relaxed)) {
            count_for(communicator_->kind.load(std::memory_order_relaxed));
        }
    }
    // The call makes a persistent request, which may be started when calls are counted again.
    Call(Function function, MPI_Comm comm, Persisting) : Call(function, comm) {
        is_persisting_ = communicator_ != nullptr;
    }
    [[gnu::always_inline]] Call(Function function, Files) : Call(function) {
        if (is_outermost_ && is_counting.load(std::memory_order_relaxed)) {
            count_for(Communicators::instance().files());
        }
    }
    [[gnu::always_inline]] ~Call() {
        if (is_collective_) {
            thread_state.collective = nullptr;
        }
        if (kind_ != nullptr) {
            std::uint64_t last_tick = kNotTimed, passed = 0;
            if (first_tick_ != kNotTimed) {
                last_tick = ticks();
                const std::uint64_t took = last_tick - first_tick_;
                passed = thread_state.sampling.weigh(took - std::min(took, cost_of_ticks));
            }
            count(passed);
            if (is_due(last_tick)) {
                write_own_part();
            }
        }
        if (place_ != nullptr) {
            place_->leave();
        }
        --thread_state.depth;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    bool is_outermost() const { return is_outermost_; }
    // Whether COUNT is to report its bytes and messages.
    bool is_counted() const { return kind_ != nullptr || is_persisting_; }

    // ---- the job ----

    void enter_init() noexcept;
    void leave_init() noexcept;
    void finalize() noexcept;
    void leave_finalize() noexcept;

    // ---- messages, and puts to and fetches from a window ----

    void send(std::int64_t count, MPI_Datatype datatype, std::int64_t dest) noexcept {
        const Peers* const peers = known_peers();
        if (peers != nullptr && peers->has(dest)) {
            own_messages_[num_own_messages_++] = peers->message_to(dest, bytes_of(count, datatype));
            bytes_ += own_messages_[num_own_messages_ - 1].bytes;
        }
    }
    void take(const MPI_Message* message) noexcept;  // which is received now
    // The call may block until that peer's message comes, or is taken.
    void await(int peer, int tag) noexcept {
        if (place_ != nullptr && communicator_ != nullptr) {
            place_->set_message(world_peer(known_peers(), peer), tag);
        }
    }

    // ---- requests ----

    // Waits for them, or tests them. The call counts for the communicator of the first one that has it.
    template <class Requests>
    void wait(std::int64_t count, const Requests& requests) noexcept {
        if (place_ != nullptr) {
            place_->set_requests(address_of(requests), count, !std::is_pointer_v<Requests>);
        }
        if (is_counting.load(std::memory_order_relaxed)) {
            Kind* kind = nullptr;
            MPI_Comm last = MPI_COMM_NULL;
            bool is_of_world = false;
            for (std::int64_t i = 0; i < count && kind == nullptr && !is_missing(requests); ++i) {
                int is_sure = 0;
                const MPI_Comm comm =
                    hitopo_profile_comm_of_request(requests[static_cast<std::size_t>(i)], &is_sure);
                is_of_world = is_of_world || (comm != nullptr && is_sure == 0);
                if (is_sure != 0 && comm != last) {
                    kind = Communicators::instance().kind_of(comm);
                    last = comm;
                }
            }
            count_request(kind, is_of_world);
        }
    }
    // The request is persistent, and sends at each start the messages of this call.
    void keep(MPI_Request request) noexcept;
    void forget(const MPI_Request* request) noexcept;
    // All the time goes to the first one's communicator.
    template <class Requests>
    void start(std::int64_t count, const Requests& requests) noexcept {
        for (std::int64_t i = 0; i < count && !is_missing(requests); ++i) {
            start_one(requests[static_cast<std::size_t>(i)]);
        }
        if (kind_ == nullptr) {
            wait(count, requests);
        }
    }
    // Called after it, since Open MPI gives a request another handle if its last message is on its way.
    template <class Requests>
    void follow(const Requests& requests) noexcept {
        for (std::size_t i = 0; more_ != nullptr && i < more_->started.size(); ++i) {
            follow_one(more_->started[i], requests[i]);
        }
    }

    // ---- files ----

    void transfer(std::int64_t count, MPI_Datatype datatype) noexcept {
        bytes_ = bytes_of(count, datatype);
    }

    // ---- collectives, by their flat algorithms ----
    //
    // Counts and displacements are of int, or of MPI_Count and MPI_Aint.

    // It has no bytes; but one that is served sends messages.
    void barrier() noexcept {
        if (known_peers() != nullptr) {
            become_collective({});
        }
    }
    void from_root(std::int64_t count, MPI_Datatype datatype, int root) noexcept;
    void to_root(std::int64_t count, MPI_Datatype datatype, int root) noexcept;
    void to_all(std::int64_t count, MPI_Datatype datatype) noexcept;
    template <class Counts>
    void scatterv(const Counts* counts, MPI_Datatype datatype, int root) noexcept {
        if (is_root(root)) {
            to_each(counts, datatype);
        } else {
            barrier();
        }
    }
    // alltoall is like it: each peer gets as much.
    void allgather(const void* buffer, std::int64_t count, MPI_Datatype datatype,
                   std::int64_t in_place_count, MPI_Datatype in_place_datatype) noexcept {
        if (buffer == MPI_IN_PLACE) {
            to_all(in_place_count, in_place_datatype);
        } else {
            to_all(count, datatype);
        }
    }
    template <class Counts>
    void allgatherv(const void* buffer, std::int64_t count, MPI_Datatype datatype,
                    const Counts* in_place_counts, MPI_Datatype in_place_datatype) noexcept {
        const bool has_own = buffer == MPI_IN_PLACE && !is_inter() && !is_missing(in_place_counts);
        allgather(buffer, count, datatype, has_own ? in_place_counts[communicator_->shape.rank] : 0,
                  in_place_datatype);
    }
    void allreduce(std::int64_t count, MPI_Datatype datatype) noexcept;
    // There is one datatype, or one for each peer.
    template <class Counts, class Datatypes>
    void alltoallv(const void* buffer, const Counts* counts, const Datatypes& datatypes,
                   const Counts* in_place_counts, const Datatypes& in_place_datatypes) noexcept {
        if (buffer == MPI_IN_PLACE) {
            to_each(in_place_counts, in_place_datatypes);
        } else {
            to_each(counts, datatypes);
        }
    }
    // Between groups the counts are the local group's, and the parts go to the other one.
    template <class Counts>
    void reduce_scatter(const Counts* counts, MPI_Datatype datatype) noexcept {
        if (!is_inter()) {
            to_each(counts, datatype);
            return;
        }
        std::uint64_t bytes = 0;
        for (int rank = 0; rank < communicator_->shape.size; ++rank) {
            bytes += bytes_at(rank, counts, datatype);
        }
        to_remote_evenly(bytes);
    }
    void reduce_scatter_block(std::int64_t count, MPI_Datatype datatype) noexcept;
    void scan(std::int64_t count, MPI_Datatype datatype) noexcept;
    void to_neighbours(std::int64_t count, MPI_Datatype datatype) noexcept {
        to_each_neighbour([&](std::size_t) { return bytes_of(count, datatype); });
    }
    template <class Counts, class Datatypes>
    void to_neighbours(const Counts* counts, const Datatypes& datatypes) noexcept {
        to_each_neighbour([&](std::size_t i) { return bytes_at(i, counts, datatypes); });
    }

    // ---- reports about this call while it runs (served.cc) ----

    // Called when it is served by the table; null if only a part of it is served.
    SentForCollective* begin_sending(MPI_Comm comm, std::string_view function) noexcept;
    // Called then if it goes on when it returns; null where memory is short.
    SentForCollective* go_on_sending() noexcept;

    // ---- one-sided ----

    void open_window(MPI_Comm comm, MPI_Win win) noexcept;
    // Fetches the latter and, unless op is MPI_NO_OP, puts the former.
    void exchange(int target, MPI_Op op, std::int64_t count, MPI_Datatype datatype,
                  std::int64_t fetch_count, MPI_Datatype fetch_datatype) noexcept {
        send(fetch_count, fetch_datatype, target);
        if (op != MPI_NO_OP) {
            send(count, datatype, target);
        }
    }

    // ---- communicators that are made, named and freed ----

    void create(MPI_Comm parent, MPI_Comm made) noexcept;
    void create(MPI_Comm parent, MPI_Comm made, MPI_Comm roots) noexcept;
    template <class Comms>
    void create_steps(MPI_Comm parent, int max_steps, const Comms& made, const Comms& roots) noexcept {
        for (int step = 0; step < max_steps && parent != MPI_COMM_NULL; ++step) {
            create(parent, made[step], roots[step]);
            parent = made[step];
        }
    }
    // Its members may have no parent in common.
    void create_alone(MPI_Comm made) noexcept;
    void rename(MPI_Comm comm) noexcept;                   // as MPI_Comm_set_name did
    void name(MPI_Comm comm, const char* given) noexcept;  // null or "": as rename
    void unname(MPI_Comm comm) noexcept;
    // A communicator or window is being freed.
    static void gone(const void* handle) noexcept;

private:
    void enter_place() noexcept {
        place_ = thread_state.place != nullptr ? thread_state.place : take_place();
        place_->enter(function_);
    }
    void place_communicator() noexcept {
        place_->communicator.store(communicator_, std::memory_order_relaxed);
        if (communicator_->id == 0) {  // a duplicate
            communicator_->id = hitopo_profile_identity(communicator_->comm());
        }
        if (kCallKinds[function_] == kCollective) {
            place_->set_detail(++communicator_->num_collectives);
        }
    }
    template <class Requests>
    static const void* address_of(const Requests& requests) {
        if constexpr (std::is_pointer_v<Requests>) {
            return requests;
        } else {
            return requests.integers();
        }
    }
    void start_clock() { first_tick_ = thread_state.sampling.is_timed() ? ticks() : kNotTimed; }
    void count_for(Kind* kind) {
        kind_ = kind;
        start_clock();
    }
    template <class Handle>
    static Communicator* look_up(Handle handle) noexcept;
    void count_request(Kind* kind, bool is_of_world) noexcept;
    void start_one(MPI_Request request) noexcept;
    static void follow_one(MPI_Request before, MPI_Request now) noexcept;
    void count(std::uint64_t passed) noexcept;

    bool is_inter() const { return communicator_->shape.remote_size > 0; }
    bool is_root(int root) const {
        return is_inter() ? root == MPI_ROOT : root == communicator_->shape.rank;
    }
    // Null where memory is short.
    const Peers* known_peers() noexcept {
        const Peers* peers = communicator_->peers.ready();
        if (peers == nullptr) {
            quietly([&] { peers = &Communicators::instance().peers_of(*communicator_); });
        }
        return peers;
    }

    // Only arguments that MPI reads are read: others may be anything at this process. Where nothing is
    // sent, no datatype counts.
    static std::uint64_t bytes_of(std::int64_t count, MPI_Datatype datatype) noexcept {
        return count > 0 ? static_cast<std::uint64_t>(count) * size_of(datatype) : 0;
    }
    static MPI_Datatype datatype_at(std::size_t, MPI_Datatype datatype) { return datatype; }
    template <class Datatypes>
    static MPI_Datatype datatype_at(std::size_t i, const Datatypes& datatypes) {
        return is_missing(datatypes) ? MPI_DATATYPE_NULL : datatypes[i];
    }
    // The bytes of the i-th of several.
    template <class Counts, class Datatypes>
    static std::uint64_t bytes_at(std::size_t i, const Counts* counts,
                                  const Datatypes& datatypes) noexcept {
        return is_missing(counts) || counts[i] <= 0 ? 0 : bytes_of(counts[i], datatype_at(i, datatypes));
    }
    // Whether an array is missing, which MPI refuses.
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
        const Peers* const peers = known_peers();
        if (peers != nullptr) {
            FlatSend flat(*peers);
            body(flat);
            bytes_ = sum_of(flat.bytes());
            become_collective(flat.bytes());
        }
    }
    void become_collective(const PerLane& bytes) noexcept {
        collective_bytes_ = bytes;
        is_collective_ = true;
        thread_state.collective = this;  // until it ends
    }
    template <class Counts, class Datatypes>
    void to_each(const Counts* counts, const Datatypes& datatypes) noexcept {
        send_flat([&](FlatSend& flat) {
            flat.to_each([&](std::int64_t rank) {
                return bytes_at(static_cast<std::size_t>(rank), counts, datatypes);
            });
        });
    }
    void to_remote_evenly(std::uint64_t bytes) noexcept;
    template <class BytesOf>
    void to_each_neighbour(BytesOf&& bytes_of) noexcept {
        quietly([&] {
            const Peers& peers = Communicators::instance().peers_of(*communicator_);
            const std::vector<int>& ranks = Communicators::instance().neighbours_of(*communicator_);
            for (std::size_t i = 0; i < ranks.size(); ++i) {
                if (peers.has(ranks[i])) {
                    more().messages.push_back(peers.message_to(ranks[i], bytes_of(i)));
                    bytes_ += more_->messages.back().bytes;
                }
            }
        });
    }

    // Few calls have these.
    struct More {
        std::vector<Message> messages;  // of a collective of neighbours
        std::optional<SentForCollective> sent_for_collective = {};
        std::vector<MPI_Request> started;
    };
    More& more() {
        more_ = more_ != nullptr ? std::move(more_) : std::make_unique<More>();
        return *more_;
    }

    // In a program of MPI's standard ABI, from MPI_Init on.
    inline static bool stays_out_ = false;

    static constexpr std::uint64_t kNotTimed = 0;

    Place* place_ = nullptr;  // null: it is not watched
    Communicator* communicator_ = nullptr;
    Kind* kind_ = nullptr;  // null: it is not counted
    std::uint64_t first_tick_ = kNotTimed;
    std::uint64_t bytes_ = 0;  // that it sends and fetches
    const Function function_;
    const bool is_outermost_;
    std::uint8_t num_own_messages_ = 0;
    bool is_collective_ = false;
    bool is_persisting_ = false;  // it makes a persistent request
    Message own_messages_[2];     // a put may come beside a fetch
    PerLane collective_bytes_;    // set in collectives
    std::unique_ptr<More> more_;
};

}  // namespace hitopo::profile

#endif
