// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/scope.h"

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "profiler/count/communicators.h"
#include "profiler/count/world.h"

namespace hitopo::profile {

__thread ThreadState thread_state;

namespace {

// MPI 4.1 renamed it.
int ask_size(MPI_Datatype datatype, MPI_Count* size) {
#if MPI_VERSION >= 4
    return PMPI_Type_size_c(datatype, size);
#else
    return PMPI_Type_size_x(datatype, size);
#endif
}

bool is_named(MPI_Datatype datatype) {
    int num_integers = 0, num_addresses = 0, num_datatypes = 0, combiner = MPI_UNDEFINED;
    return PMPI_Type_get_envelope(datatype, &num_integers, &num_addresses, &num_datatypes, &combiner) ==
               MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

}  // namespace

// ---- begin and end ----

Communicator* Scope::remember(ThreadState::Found& found, Communicator* communicator, const void* handle,
                              std::uint32_t generation) noexcept {
    found = {handle, communicator, generation};
    if (communicator == nullptr) {
        thread_state.uncounted = handle;
        thread_state.uncounted_generation = generation;
    }
    return communicator;
}

Communicator* Scope::look_up(MPI_Comm comm) noexcept {
    Communicator* communicator = nullptr;
    quietly([&] { communicator = Communicators::instance().counted(comm); });
    return communicator;
}

Communicator* Scope::look_up(MPI_Win win) noexcept {
    Communicator* communicator = nullptr;
    quietly([&] { communicator = Communicators::instance().counted(win); });
    return communicator;
}

void Scope::close(std::uint64_t passed) noexcept {
    if (is_collective_) {
        thread_state.collective = nullptr;
    }
    quietly([&] {
        communicator_->add({function_, passed, sent_bytes_, fetched_bytes_, sent_to_, fetched_from_,
                            is_collective_ ? &collective_bytes_ : nullptr, is_of_neighbours_,
                            is_served_ ? &served_.crossings : nullptr});
        Communicators::instance().release_closed();
    });
}

// A process that waits in MPI may wait for this one, so that the call goes on, and the process ends only
// after it. What writing takes is no call's time.
void Scope::begin_due() noexcept {
    if (is_outermost_) {
        is_last_ = is_terminated();
        write_own_part();
        first_tick_ = first_tick_ == kNotTimed ? kNotTimed : ticks();
    }
}

void Scope::end_due() noexcept {
    if (is_outermost_) {
        write_own_part();
    }
    if (is_last_) {
        end_by_sigterm_when_written();
    }
}

// ---- messages ----

// A datatype that MPI names is never freed, so its handle keeps its meaning; others' may come back as
// others.
std::uint64_t Scope::ask_size_of(MPI_Datatype datatype) noexcept {
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

void Scope::match(bool is_found, MPI_Message message) noexcept {
    if (is_counted() && is_found && message != MPI_MESSAGE_NULL && message != MPI_MESSAGE_NO_PROC) {
        quietly([&] { Communicators::instance().add(message, {communicator_, 0, kNobody}); });
    }
}

void Scope::take(const MPI_Message* message) noexcept {
    quietly([&] {
        Pending pending;
        if (!is_missing(message) && Communicators::instance().take(*message, pending) &&
            Communicators::instance().counted(pending.communicator) != nullptr) {
            resume(pending);
        }
    });
}

// ---- persistent requests ----

// Whether it is counted shows when it starts.
void Scope::prepare(MPI_Comm comm, MPI_Request request, int count, MPI_Datatype datatype,
                    int dest) noexcept {
    quietly([&] {
        if (Communicator* communicator = Communicators::instance().of(comm)) {
            const std::uint64_t bytes = communicator->is_peer(dest) ? bytes_of(count, datatype) : 0;
            Communicators::instance().add(request, {communicator, bytes, dest});
        }
    });
}

void Scope::forget(const MPI_Request* request) noexcept {
    quietly([&] {
        Pending ignored;
        if (!is_missing(request)) {
            (void)Communicators::instance().take(*request, ignored);
        }
    });
}

// Each of several requests is one call; all the time goes to the last.
void Scope::start_one(MPI_Request request) noexcept {
    quietly([&] {
        Pending pending;
        if (Communicators::instance().find(request, pending) &&
            Communicators::instance().counted(pending.communicator) != nullptr) {
            if (is_counted()) {
                close(0);
            }
            resume(pending);
        }
    });
}

void Scope::resume(const Pending& pending) {
    communicator_ = pending.communicator;
    sent_to_ = pending.sent_to;
    sent_bytes_ = pending.bytes;
    start_clock();
}

// ---- collectives ----

// In an intercommunicator the root says MPI_ROOT, and its group's others MPI_PROC_NULL.
// It has no bytes; but one that is served sends messages.
void Scope::barrier() noexcept {
    send_flat([](FlatSend&) {});
}

void Scope::from_root(int count, MPI_Datatype datatype, int root) noexcept {
    send_flat([&](FlatSend& flat) {
        if (is_root(root)) {
            flat.to_all(bytes_of(count, datatype));
        }
    });
}

void Scope::to_root(int count, MPI_Datatype datatype, int root) noexcept {
    send_flat([&](FlatSend& flat) {
        if (!is_root(root) && communicator_->is_peer(root)) {
            flat.to_one(root, bytes_of(count, datatype));
        }
    });
}

bool Scope::is_root(int root) const noexcept {
    return communicator_->is_inter() ? root == MPI_ROOT : root == communicator_->rank();
}

void Scope::to_all(int count, MPI_Datatype datatype) noexcept {
    send_flat([&](FlatSend& flat) { flat.to_all(bytes_of(count, datatype)); });
}

void Scope::scatterv(const int* counts, MPI_Datatype datatype, int root) noexcept {
    send_flat([&](FlatSend& flat) {
        if (is_root(root)) {
            flat.to_each([&](std::int64_t rank) { return bytes_at(rank, counts, datatype); });
        }
    });
}

void Scope::allgather(const void* buffer, int count, MPI_Datatype datatype, int in_place_count,
                      MPI_Datatype in_place_datatype) noexcept {
    if (buffer == MPI_IN_PLACE) {
        to_all(in_place_count, in_place_datatype);
    } else {
        to_all(count, datatype);
    }
}

void Scope::allgatherv(const void* buffer, int count, MPI_Datatype datatype, const int* in_place_counts,
                       MPI_Datatype in_place_datatype) noexcept {
    const bool has_own =
        buffer == MPI_IN_PLACE && !communicator_->is_inter() && !is_missing(in_place_counts);
    const int own = has_own ? in_place_counts[communicator_->rank()] : 0;
    allgather(buffer, count, datatype, own, in_place_datatype);
}

void Scope::allreduce(int count, MPI_Datatype datatype) noexcept {
    send_flat([&](FlatSend& flat) { flat.all_through_first(bytes_of(count, datatype)); });
}

void Scope::alltoall(const void* buffer, int count, MPI_Datatype datatype, int in_place_count,
                     MPI_Datatype in_place_datatype) noexcept {
    allgather(buffer, count, datatype, in_place_count, in_place_datatype);
}

void Scope::alltoallv(const void* buffer, const int* counts, MPI_Datatype datatype,
                      const int* in_place_counts, MPI_Datatype in_place_datatype) noexcept {
    if (buffer == MPI_IN_PLACE) {
        to_each(in_place_counts, in_place_datatype);
    } else {
        to_each(counts, datatype);
    }
}

void Scope::to_each(const int* counts, MPI_Datatype datatype) noexcept {
    send_flat([&](FlatSend& flat) {
        flat.to_each([&](std::int64_t rank) { return bytes_at(rank, counts, datatype); });
    });
}

// In an intercommunicator the counts are the local group's, and the parts go to the other one.
void Scope::reduce_scatter(const int* counts, MPI_Datatype datatype) noexcept {
    if (!communicator_->is_inter()) {
        to_each(counts, datatype);
        return;
    }
    std::uint64_t bytes = 0;
    for (int rank = 0; rank < communicator_->size(); ++rank) {
        bytes += bytes_at(rank, counts, datatype);
    }
    to_remote_evenly(bytes);
}

void Scope::reduce_scatter_block(int count, MPI_Datatype datatype) noexcept {
    if (communicator_->is_inter()) {
        to_remote_evenly(bytes_of(count, datatype) * static_cast<std::uint64_t>(communicator_->size()));
    } else {
        to_all(count, datatype);
    }
}

// Only the other group knows its counts, whose sum is ours.
void Scope::to_remote_evenly(std::uint64_t bytes) noexcept {
    const auto count = static_cast<std::uint64_t>(communicator_->num_peers());
    send_flat([&](FlatSend& flat) {
        flat.to_each([&](std::int64_t rank) {
            const auto i = static_cast<std::uint64_t>(rank);
            return bytes * (i + 1) / count - bytes * i / count;
        });
    });
}

void Scope::scan(int count, MPI_Datatype datatype) noexcept {
    send_flat(
        [&](FlatSend& flat) { flat.to_one(communicator_->rank() + 1, bytes_of(count, datatype)); });
}

// ---- one-sided ----

void Scope::open_window(MPI_Comm comm, MPI_Win win) noexcept {
    quietly([&] { Communicators::instance().open_window(comm, win); });
}

void Scope::put(int target, int count, MPI_Datatype datatype) noexcept { send(count, datatype, target); }

void Scope::fetch(int target, int count, MPI_Datatype datatype) noexcept {
    is_plain_ = false;
    fetched_from_ = target;
    fetched_bytes_ = communicator_->is_peer(target) ? bytes_of(count, datatype) : 0;
}

void Scope::exchange(int target, MPI_Op op, int count, MPI_Datatype datatype, int fetch_count,
                     MPI_Datatype fetch_datatype) noexcept {
    fetch(target, fetch_count, fetch_datatype);
    if (op != MPI_NO_OP) {
        put(target, count, datatype);
    }
}

// ---- new communicators ----

namespace {

// Each member works the key out by itself, from what all members know: the parent's key, who they are,
// and how many communicators of them the parent gave before.
std::uint64_t hash_of_group_of(MPI_Comm made) {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(made, &group);
    const std::uint64_t hash = hash_of_members(group);
    PMPI_Group_free(&group);
    return hash;
}

}  // namespace

void Scope::create(MPI_Comm parent, MPI_Comm made) noexcept {
    quietly([&] {
        Communicator* const communicator = Communicators::instance().of(parent);
        if (communicator != nullptr && made != MPI_COMM_NULL) {
            const std::uint64_t members = hash_of_group_of(made);
            const std::uint64_t count = communicator->count_creation(members);
            (void)Communicators::instance().of(made,
                                               combine(combine(communicator->key(), members), count));
        }
    });
}

void Scope::create(MPI_Comm parent, MPI_Comm made, MPI_Comm roots) noexcept {
    create(parent, made);
    create(parent, roots);
}

// The two sides of what it was merged of have no key in common. Merges count by themselves: others of
// the same members may be seen sooner here than there.
void Scope::create_of_members(MPI_Comm made) noexcept {
    static constexpr std::uint64_t kMerged = 1;
    quietly([&] {
        if (Communicators::instance().is_open()) {
            const std::uint64_t hash = combine(hash_of_group_of(made), kMerged);
            (void)Communicators::instance().of(made, Communicators::instance().key_of_members(hash));
        }
    });
}

}  // namespace hitopo::profile
