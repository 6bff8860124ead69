// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/profile/ledger.h"

#include "ompi/mca/hitopo/core/flat_map.h"
#include "ompi/profile/generation.h"

namespace hitopo::profile {

Ledger& Ledger::instance() {
    static Ledger& ledger = *new Ledger;
    return ledger;
}

void Ledger::open(std::size_t max_communicators) {
    max_communicators_ = max_communicators;
    PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, close_window, &window_keyval_, nullptr);
    ompi_hitopo_registry_observe(forget);
    (void)of(MPI_COMM_WORLD);  // the first of these members at all of them
    turn(true);
}

void Ledger::close() {
    turn(false);
    ompi_hitopo_registry_observe(nullptr);
    PMPI_Win_free_keyval(&window_keyval_);
}

void Ledger::turn(bool is_on) {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        is_on_ = is_on;
    }
    raise_generation();
}

Communicator* Ledger::of(MPI_Comm comm, std::uint64_t key) {
    ompi_hitopo_registration_t* registration = ompi_hitopo_registration(comm);
    if (registration == nullptr) {
        return nullptr;
    }
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (registration->profile != nullptr) {
            return static_cast<Communicator*>(registration->profile);
        }
    }
    auto made = std::make_unique<Communicator>(comm, registration, key);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (registration->profile == nullptr) {
        registration->profile = made.release();
    }
    return static_cast<Communicator*>(registration->profile);
}

Communicator* Ledger::counted_now(Communicator* communicator) {
    if (communicator == nullptr || !is_on_ || !communicator->is_registered()) {
        return nullptr;
    }
    if (!communicator->has_counters()) {
        if (kept_.size() >= max_communicators_) {
            has_left_out_ = true;
            return nullptr;
        }
        kept_.reserve(kept_.size() + 1);
        communicator->start_counting();
        kept_.emplace_back(communicator);
    }
    return communicator;
}

Communicator* Ledger::counted(MPI_Comm comm) {
    Communicator* communicator = of(comm);
    const std::lock_guard<std::mutex> lock(mutex_);
    return counted_now(communicator);
}

Communicator* Ledger::counted(MPI_Win win) {
    void* communicator = nullptr;
    int flag = 0;
    if (win == MPI_WIN_NULL ||
        PMPI_Win_get_attr(win, window_keyval_, &communicator, &flag) != MPI_SUCCESS || flag == 0) {
        return nullptr;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    return counted_now(static_cast<Communicator*>(communicator));
}

void Ledger::open_window(MPI_Comm comm, MPI_Win win) {
    Communicator* communicator = of(comm);
    if (communicator != nullptr && win != MPI_WIN_NULL) {
        communicator->open_window();
        if (PMPI_Win_set_attr(win, window_keyval_, communicator) != MPI_SUCCESS) {
            communicator->close_window();
        }
        raise_generation();
    }
}

int Ledger::close_window(MPI_Win, int, void* value, void*) {
    auto* communicator = static_cast<Communicator*>(value);
    communicator->close_window();
    raise_generation();
    if (communicator->is_freed()) {
        instance().release_unless_needed(communicator);
    }
    return MPI_SUCCESS;
}

void Ledger::forget(ompi_hitopo_registration_t* registration) {
    auto* communicator = static_cast<Communicator*>(registration->profile);
    if (communicator != nullptr) {
        communicator->mark_freed();
        instance().release_unless_needed(communicator);
    }
}

// Windows may outlive their communicator.
void Ledger::release_unless_needed(Communicator* communicator) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!communicator->has_counters() && !communicator->has_windows()) {
        delete communicator;
    }
}

std::uint64_t Ledger::key_of_members(std::uint64_t hash) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return combine(hash, num_of_members_[hash]++);
}

void Ledger::add(const void* handle, const Pending& pending) {
    const std::lock_guard<std::mutex> lock(pending_mutex_);
    pending_[handle] = pending;
    num_pending_ = pending_.size();
}

bool Ledger::find(const void* handle, Pending& pending) {
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

bool Ledger::take(const void* handle, Pending& pending) {
    if (!find(handle, pending)) {
        return false;
    }
    const std::lock_guard<std::mutex> lock(pending_mutex_);
    pending_.erase(handle);
    num_pending_ = pending_.size();
    return true;
}

std::vector<Communicator*> Ledger::kept() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Communicator*> communicators;
    for (const auto& communicator : kept_) {
        communicators.push_back(communicator.get());
    }
    return communicators;
}

bool Ledger::has_left_out() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return has_left_out_;
}

}  // namespace hitopo::profile
