// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/communicators.h"

#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo::profile {

Communicators& Communicators::instance() {
    static Communicators& communicators = *new Communicators;
    return communicators;
}

void Communicators::open(std::size_t max_communicators) {
    is_open_ = true;
    max_communicators_ = max_communicators;
    PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, close_window, &window_keyval_, nullptr);
    ompi_hitopo_registry_observe(forget);
    // The first of their members at all of them.
    (void)of(MPI_COMM_WORLD);
    (void)of(MPI_COMM_SELF);
    MPI_Comm parent = MPI_COMM_NULL;
    PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        (void)of(parent);
    }
    turn(true);
}

void Communicators::close() {
    is_open_ = false;
    turn(false);
    ompi_hitopo_registry_observe(nullptr);
    PMPI_Win_free_keyval(&window_keyval_);
}

void Communicators::turn(bool is_on) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        is_on_ = is_on;
    }
    raise_generation();
}

// MPI sessions have communicators where there is no MPI_COMM_WORLD, by which all are measured.
Communicator* Communicators::of(MPI_Comm comm, std::uint64_t key) {
    if (!is_open_) {
        has_missed_ = true;
        return nullptr;
    }
    ompi_hitopo_registration_t* registration = ompi_hitopo_registration(comm);
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (registration == nullptr) {
            if (key != 0) {
                early_keys_[comm] = key;
            }
            return nullptr;
        }
        if (registration->profile != nullptr) {
            return static_cast<Communicator*>(registration->profile);
        }
        const auto early = early_keys_.find(comm);
        if (early != early_keys_.end()) {
            key = key != 0 ? key : early->second;
            early_keys_.erase(early);
        }
    }
    auto made = std::make_unique<Communicator>(comm, registration, key);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (registration->profile == nullptr) {
        registration->profile = made.get();
        made->number = all_.empty() ? 0 : all_.rbegin()->first + 1;
        all_.emplace(made->number, std::move(made));
    }
    return static_cast<Communicator*>(registration->profile);
}

Communicator* Communicators::counted_now(Communicator* communicator) {
    if (communicator == nullptr || !is_on_) {
        return nullptr;
    }
    if (counts_pairs) {
        communicator->start_counting_pairs();
    }
    const bool is_kept = communicator->is_registered() && keep(communicator);
    return is_kept || counts_pairs ? communicator : nullptr;
}

bool Communicators::keep(Communicator* communicator) {
    if (communicator->has_counters()) {
        return true;
    }
    if (num_kept_ >= max_communicators_) {
        has_left_out_ = true;
        return false;
    }
    communicator->start_counting();
    ++num_kept_;
    return true;
}

void Communicators::note(OrderKind order) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (is_on_) {
        orders_.add(std::move(order));
    }
}

Orders Communicators::orders() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return orders_;
}

Communicator* Communicators::counted(Communicator* communicator) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return counted_now(communicator);
}

Communicator* Communicators::counted(MPI_Comm comm) { return counted(of(comm)); }

Communicator* Communicators::counted(MPI_Win win) {
    void* communicator = nullptr;
    int flag = 0;
    if (win == MPI_WIN_NULL || !is_open_ ||
        PMPI_Win_get_attr(win, window_keyval_, &communicator, &flag) != MPI_SUCCESS || flag == 0) {
        return nullptr;
    }
    return counted(static_cast<Communicator*>(communicator));
}

void Communicators::open_window(MPI_Comm comm, MPI_Win win) {
    Communicator* communicator = of(comm);
    if (communicator != nullptr && win != MPI_WIN_NULL) {
        communicator->bind();
        if (PMPI_Win_set_attr(win, window_keyval_, communicator) != MPI_SUCCESS) {
            communicator->unbind();
        }
        raise_generation();
    }
}

int Communicators::close_window(MPI_Win, int, void* value, void*) {
    instance().let_go(static_cast<Communicator*>(value));
    raise_generation();
    return MPI_SUCCESS;
}

void Communicators::let_go(Communicator* communicator) {
    release_closed();
    closed_ = communicator;
    if (!counts_pairs) {  // then those that are counted are kept
        release_closed();
    }
}

void Communicators::release_closed() {
    if (closed_ != nullptr) {
        unbind(std::exchange(closed_, nullptr));
    }
}

thread_local Communicator* Communicators::closed_ = nullptr;

void Communicators::unbind(Communicator* communicator) {
    const std::lock_guard<std::mutex> lock(mutex_);
    communicator->unbind();
    release_unless_needed(communicator);
}

void Communicators::forget(ompi_hitopo_registration_t* registration) {
    auto* communicator = static_cast<Communicator*>(registration->profile);
    if (communicator != nullptr) {
        const std::lock_guard<std::mutex> lock(instance().mutex_);
        communicator->mark_freed();
        instance().release_unless_needed(communicator);
    }
}

void Communicators::release_unless_needed(Communicator* communicator) {
    const bool is_kept =
        communicator->has_counters() || (communicator->is_registered() && keep(communicator));
    if (communicator->is_freed() && !is_kept && !communicator->has_bound()) {
        communicator->add_pairs_to(freed_pairs_);
        all_.erase(communicator->number);
    }
}

std::uint64_t Communicators::key_of_members(std::uint64_t hash) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return combine(hash, num_of_members_[hash]++);
}

void Communicators::add(const void* handle, const Pending& pending) {
    Pending previous;  // whose handle came back
    (void)take(handle, previous);
    const std::lock_guard<std::mutex> lock(pending_mutex_);
    pending_.emplace(handle, pending);
    pending.communicator->bind();
    num_pending_ = pending_.size();
}

bool Communicators::find(const void* handle, Pending& pending) {
    if (num_pending_ == 0) {
        return false;
    }
    const std::lock_guard<std::mutex> lock(pending_mutex_);
    const auto found = pending_.find(handle);
    if (found == pending_.end()) {
        return false;
    }
    pending = found->second;
    return true;
}

bool Communicators::take(const void* handle, Pending& pending) {
    if (!find(handle, pending)) {
        return false;
    }
    {
        const std::lock_guard<std::mutex> lock(pending_mutex_);
        pending_.erase(handle);
        num_pending_ = pending_.size();
    }
    let_go(pending.communicator);
    return true;
}

// Meanwhile none is freed: its name goes with its registration.
std::vector<CommunicatorPart> Communicators::parts() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<CommunicatorPart> parts;
    for (const auto& [number, communicator] : all_) {
        if (communicator->has_counters() ||
            (communicator->is_registered() && keep(communicator.get()))) {
            parts.push_back(communicator->part());
        }
    }
    return parts;
}

WorldPairs Communicators::pairs() {
    const std::lock_guard<std::mutex> lock(mutex_);
    WorldPairs sums = freed_pairs_;
    for (const auto& [number, communicator] : all_) {
        communicator->add_pairs_to(sums);
    }
    return sums;
}

bool Communicators::has_left_out() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return has_left_out_;
}

}  // namespace hitopo::profile
