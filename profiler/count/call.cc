// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/call.h"

#include <unordered_map>
#include <utility>

namespace hitopo::profile {

__thread ThreadState thread_state;

namespace {

#if MPI_VERSION >= 4
constexpr auto ask_size = PMPI_Type_size_c;
#else
constexpr auto ask_size = PMPI_Type_size_x;  // MPI 4.1 renamed it
#endif

bool is_named(MPI_Datatype datatype) {
    int num_integers = 0, num_addresses = 0, num_datatypes = 0, combiner = MPI_UNDEFINED;
    return PMPI_Type_get_envelope(datatype, &num_integers, &num_addresses, &num_datatypes, &combiner) ==
               MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

OwnCounters& own_counters() {
    return thread_state.counters != nullptr ? *thread_state.counters : ThreadCounters::instance().take();
}

// Calls body(communicator), unless this is none.
template <class Body>
void with(MPI_Comm comm, Body&& body) noexcept {
    quietly([&] {
        if (Communicator* const communicator = Communicators::instance().of(comm)) {
            body(*communicator);
        }
    });
}

}  // namespace

void add_crossings(const SentForCollective& later) {
    OwnCounters& counters = own_counters();
    const Lease lease(counters);
    counters.of(later.kind->number).add_served(later.function, 0, later.crossings, {});
}

template <class Handle>
Communicator* Call::look_up(Handle handle) noexcept {
    Communicator* communicator = nullptr;
    quietly([&] { communicator = Communicators::instance().of(handle); });
    return communicator;
}
template Communicator* Call::look_up(MPI_Comm comm) noexcept;
template Communicator* Call::look_up(MPI_Win win) noexcept;

void Call::count(std::uint64_t passed) noexcept {
    quietly([&] {
        OwnCounters& counters = own_counters();
        const Lease lease(counters);
        KindCounters& of_kind = counters.of(kind_->number);
        of_kind.add_call(function_, 1, bytes_, passed);
        for (std::uint8_t i = 0; i < num_own_messages_; ++i) {
            counters.add_message(of_kind, own_messages_[i]);
        }
        if (is_collective_ && bytes_ > 0) {
            of_kind.add_collective(collective_bytes_);
        }
        if (more_ != nullptr) {
            for (const Message& message : more_->messages) {
                counters.add_message(of_kind, message);
            }
            if (more_->sent_for_collective) {
                of_kind.add_served(function_, 1, more_->sent_for_collective->crossings,
                                   collective_bytes_);
            }
        }
    });
}

// A datatype that MPI names is never freed, so its handle keeps its meaning; other handles may come back
// for other datatypes.
std::uint64_t Call::ask_size_of(MPI_Datatype datatype) noexcept {
    MPI_Count size = 0;
    if (datatype == nullptr || datatype == MPI_DATATYPE_NULL ||
        ask_size(datatype, &size) != MPI_SUCCESS || size < 0) {
        return 0;
    }
    if (is_named(datatype)) {
        thread_state.datatype = datatype;
        thread_state.size = static_cast<std::uint64_t>(size);
    }
    return static_cast<std::uint64_t>(size);
}

// ---- requests ----

namespace {

// The messages of each start of a persistent request.
struct Persistent {
    Kind* kind;
    std::uint64_t bytes;            // of all that it sends
    std::vector<Message> messages;  // to single peers
    PerLane collective_bytes;       // of a flat collective
};

// Thread safe.
class PersistentRequests {
public:
    // Never destroyed, as the other objects that MPI's functions call.
    static PersistentRequests& instance() {
        static PersistentRequests& requests = *new PersistentRequests;
        return requests;
    }

    // The handle may have been another request's, whose end was not seen.
    void add(const void* handle, Persistent persistent) {
        const std::lock_guard<std::mutex> lock(mutex_);
        by_handle_[handle] = std::move(persistent);
        has_some_ = true;
    }
    void remove(const void* handle) {
        if (has_some_) {
            const std::lock_guard<std::mutex> lock(mutex_);
            by_handle_.erase(handle);
            has_some_ = !by_handle_.empty();
        }
    }
    void rename(const void* before, const void* now) {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (auto found = by_handle_.extract(before)) {
            found.key() = now;
            by_handle_.erase(now);
            by_handle_.insert(std::move(found));
        }
    }
    // Calls body(persistent) if the request is one.
    template <class Body>
    void with(const void* handle, Body&& body) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = by_handle_.find(handle);
        if (found != by_handle_.end()) {
            body(std::as_const(found->second));
        }
    }

private:
    std::atomic<bool> has_some_{false};
    std::mutex mutex_;
    std::unordered_map<const void*, Persistent> by_handle_;
};

}  // namespace

void Call::take(const MPI_Message* message) noexcept {
    if (is_counting && !is_missing(message)) {
        const MPI_Comm comm = hitopo_profile_comm_of_message(*message);
        count_request(comm == nullptr ? nullptr : Communicators::instance().kind_of(comm), false);
    }
}

// Complete requests may name MPI_COMM_WORLD in place of their own communicator.
void Call::count_request(Kind* kind, bool is_of_world) noexcept {
    Communicators& communicators = Communicators::instance();
    count_for(kind != nullptr ? kind
              : is_of_world   ? communicators.kind_of(MPI_COMM_WORLD)
                              : communicators.requests());
}

void Call::keep(MPI_Request request) noexcept {
    quietly([&] {
        if (communicator_ != nullptr) {
            Persistent persistent = {communicator_->kind, bytes_, {}, {}};
            if (more_ != nullptr) {
                persistent.messages = std::move(more_->messages);
            }
            persistent.messages.insert(persistent.messages.end(), own_messages_,
                                       own_messages_ + num_own_messages_);
            if (is_collective_) {
                persistent.collective_bytes = collective_bytes_;
            }
            PersistentRequests::instance().add(request, std::move(persistent));
        }
    });
    more_.reset();
    num_own_messages_ = 0;
    bytes_ = 0;
    collective_bytes_ = {};
}

void Call::forget(const MPI_Request* request) noexcept {
    quietly([&] {
        if (!is_missing(request)) {
            PersistentRequests::instance().remove(*request);
        }
    });
}

void Call::start_one(MPI_Request request) noexcept {
    quietly([&] {
        more().started.push_back(request);
        PersistentRequests::instance().with(request, [&](const Persistent& persistent) {
            if (!is_counting) {
                return;
            }
            OwnCounters& counters = own_counters();
            {
                const Lease lease(counters);
                KindCounters& of_kind = counters.of(persistent.kind->number);
                of_kind.add_call(function_, 0, persistent.bytes, 0);
                for (const Message& message : persistent.messages) {
                    counters.add_message(of_kind, message);
                }
                of_kind.add_collective(persistent.collective_bytes);
            }
            if (kind_ == nullptr) {
                count_for(persistent.kind);
            }
        });
    });
}

void Call::follow_one(MPI_Request before, MPI_Request now) noexcept {
    if (before != now) {
        quietly([&] { PersistentRequests::instance().rename(before, now); });
    }
}

// ---- collectives ----

// Between groups the root passes MPI_ROOT, and its group's others MPI_PROC_NULL.
void Call::from_root(std::int64_t count, MPI_Datatype datatype, int root) noexcept {
    send_flat([&](FlatSend& flat) {
        if (is_root(root)) {
            flat.to_all(bytes_of(count, datatype));
        }
    });
}

void Call::to_root(std::int64_t count, MPI_Datatype datatype, int root) noexcept {
    send_flat([&](FlatSend& flat) {
        if (!is_root(root) && root >= 0) {
            flat.to_one(root, bytes_of(count, datatype));
        }
    });
}

void Call::to_all(std::int64_t count, MPI_Datatype datatype) noexcept {
    send_flat([&](FlatSend& flat) { flat.to_all(bytes_of(count, datatype)); });
}

void Call::allreduce(std::int64_t count, MPI_Datatype datatype) noexcept {
    send_flat([&](FlatSend& flat) { flat.all_through_first(bytes_of(count, datatype)); });
}

void Call::reduce_scatter_block(std::int64_t count, MPI_Datatype datatype) noexcept {
    if (is_inter()) {
        to_remote_evenly(bytes_of(count, datatype) *
                         static_cast<std::uint64_t>(communicator_->shape.size));
    } else {
        to_all(count, datatype);
    }
}

// Only the other group knows its counts, whose sum is ours.
void Call::to_remote_evenly(std::uint64_t bytes) noexcept {
    const auto count = static_cast<std::uint64_t>(communicator_->shape.remote_size);
    send_flat([&](FlatSend& flat) {
        flat.to_each([&](std::int64_t rank) {
            const auto i = static_cast<std::uint64_t>(rank);
            return bytes * (i + 1) / count - bytes * i / count;
        });
    });
}

void Call::scan(std::int64_t count, MPI_Datatype datatype) noexcept {
    send_flat(
        [&](FlatSend& flat) { flat.to_one(communicator_->shape.rank + 1, bytes_of(count, datatype)); });
}

// ---- communicators and windows that are made, named and freed ----

void Call::open_window(MPI_Comm comm, MPI_Win win) noexcept {
    with(comm, [&](Communicator& communicator) {
        if (win != MPI_WIN_NULL) {
            Communicators::instance().add(win, communicator);
        }
    });
}

void Call::create(MPI_Comm parent, MPI_Comm made) noexcept {
    with(parent, [&](Communicator& communicator) {
        if (made != MPI_COMM_NULL) {
            Communicators::instance().add(made, kFunctionNames[function_], &communicator);
        }
    });
}

void Call::create(MPI_Comm parent, MPI_Comm made, MPI_Comm roots) noexcept {
    create(parent, made);
    create(parent, roots);
}

void Call::create_alone(MPI_Comm made) noexcept {
    quietly([&] {
        if (Communicators::instance().is_open() && made != MPI_COMM_NULL) {
            Communicators::instance().add(made, kFunctionNames[function_], nullptr);
        }
    });
}

void Call::rename(MPI_Comm comm) noexcept {
    with(comm, [&](Communicator& communicator) {
        char name[MPI_MAX_OBJECT_NAME] = "";
        int length = 0;
        if (PMPI_Comm_get_name(comm, name, &length) == MPI_SUCCESS) {
            Communicators::instance().name(communicator, without_numbers(name));
        }
    });
}

void Call::name(MPI_Comm comm, const char* given) noexcept {
    if (given == nullptr || *given == '\0') {
        rename(comm);
    } else {
        with(comm, [&](Communicator& one) { Communicators::instance().name(one, given); });
    }
}

void Call::unname(MPI_Comm comm) noexcept {
    with(comm, [](Communicator& one) { Communicators::instance().name(one, {}); });
}

void Call::gone(const void* handle) noexcept {
    quietly([&] { Communicators::instance().remove(handle); });
}

}  // namespace hitopo::profile
