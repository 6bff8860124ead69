// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/communicator/registry/comm_registry_list.h"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "ompi/communicator/registry/comm_registry_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"

std::uint32_t ompi_hitopo_registry_generation = 0;

namespace hitopo {
namespace {

bool is_registered(const Registration& registration) {
    return __atomic_load_n(&registration.is_registered, __ATOMIC_ACQUIRE) != 0;
}

bool is_world(ompi_communicator_t* comm) {
    return comm == hitopo_glue_world() && hitopo_glue_has_world();
}

void grow_generation() { __atomic_fetch_add(&ompi_hitopo_registry_generation, 1u, __ATOMIC_RELEASE); }

std::string own_name(ompi_communicator_t* comm) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    hitopo_glue_copy_comm_name(comm, name, sizeof name);
    return name;
}

}  // namespace

// Never destroyed: Open MPI may call delete functions after static destructors ran.
Registry& Registry::instance() {
    static Registry& registry = *new Registry;
    return registry;
}

// MPI_COMM_WORLD is there a little longer than its registration may be.
bool Registry::is_up() const {
    return hitopo_glue_is_up() && !(is_world_over_ && hitopo_glue_has_world());
}

// A communicator may have been registered while it was being freed, by a delete function of the program
// that came after ours: then nobody told of its end, and its handle may be another's by now.
Registration* Registry::find(ompi_communicator_t* comm) {
    Registration* registration = nullptr;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto held = by_comm_.find(comm);
        if (held == by_comm_.end() || !held->second->is_watched) {
            return held == by_comm_.end() ? nullptr : held->second.get();
        }
        registration = held->second.get();
    }
    if (hitopo_glue_is_live(comm) && hitopo_glue_watched_registration(comm) == registration) {
        return registration;
    }
    forget(comm, registration);
    return nullptr;
}

int Registry::check(ompi_communicator_t* comm) {
    if (!is_up()) {
        return MPI_ERR_OTHER;
    }
    return hitopo_glue_is_live(comm) ? MPI_SUCCESS : MPI_ERR_COMM;
}

Registration* Registry::find_or_make(ompi_communicator_t* comm) {
    if (Registration* registration = find(comm)) {
        return registration;
    }
    return check(comm) == MPI_SUCCESS ? make(comm) : nullptr;
}

Registration* Registry::make(ompi_communicator_t* comm) {
    const bool is_default = is_world(comm) && hitopo_glue_registers_world();
    Registration* made = nullptr;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::unique_ptr<Registration>& held = by_comm_[comm];
        if (held != nullptr) {
            return held.get();  // another thread was first
        }
        held = std::make_unique<Registration>();
        held->is_registered = is_default ? 1 : 0;
        held->name = is_default ? "MPI_COMM_WORLD" : "";
        made = held.get();
    }
    if (hitopo_glue_watch_registered(comm, made) != kSuccess) {
        discard(comm);
        return nullptr;
    }
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        made->is_watched = true;
    }
    if (is_default) {
        grow_generation();
    }
    return made;
}

void Registry::discard(ompi_communicator_t* comm) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto held = by_comm_.find(comm);
    discarded_.push_back(std::move(held->second));
    by_comm_.erase(held);
}

// NULL where it is not registered; only MPI_COMM_WORLD is without being asked for.
Registration* Registry::find_default(ompi_communicator_t* comm) {
    Registration* registration = is_world(comm) ? find_or_make(comm) : find(comm);
    return registration != nullptr && is_registered(*registration) ? registration : nullptr;
}

int Registry::add(ompi_communicator_t* comm, const char* name) {
    const int error = check(comm);
    if (error != MPI_SUCCESS) {
        return error;
    }
    std::string given = name == nullptr || *name == '\0' ? own_name(comm) : name;
    Registration* registration = find_or_make(comm);
    if (registration == nullptr) {
        return MPI_ERR_NO_MEM;
    }
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        registration->name = std::move(given);
    }
    __atomic_store_n(&registration->is_registered, 1, __ATOMIC_RELEASE);
    grow_generation();
    return MPI_SUCCESS;
}

int Registry::end(ompi_communicator_t* comm) {
    const int error = check(comm);
    if (error != MPI_SUCCESS) {
        return error;
    }
    Registration* registration = find_default(comm);
    if (registration == nullptr ||
        __atomic_exchange_n(&registration->is_registered, 0, __ATOMIC_ACQ_REL) == 0) {
        return MPI_ERR_ARG;
    }
    grow_generation();
    return MPI_SUCCESS;
}

bool Registry::has(ompi_communicator_t* comm) { return is_up() && find_default(comm) != nullptr; }

void Registry::copy_name(const Registration& registration, char* name, std::size_t capacity) const {
    if (capacity == 0) {
        return;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    const std::size_t length = std::min(registration.name.size(), capacity - 1);
    std::memcpy(name, registration.name.data(), length);
    name[length] = '\0';
}

void Registry::forget(ompi_communicator_t* comm, const void* registration) {
    std::unique_ptr<Registration> last;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto held = by_comm_.find(comm);
        if (held == by_comm_.end() || held->second.get() != registration) {
            return;
        }
        last = std::move(held->second);
        by_comm_.erase(held);
    }
    grow_generation();
    if (const auto freed = freed_.load()) {
        freed(last.get());
    }
}

void Registry::stop() {
    is_world_over_ = is_world_over_ || hitopo_glue_has_world();
    std::vector<std::pair<ompi_communicator_t*, const Registration*>> all;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        for (const auto& [comm, registration] : by_comm_) {
            all.emplace_back(comm, registration.get());
        }
    }
    for (const auto& [comm, registration] : all) {
        if (hitopo_glue_is_live(comm)) {
            hitopo_glue_unwatch_registered(comm);  // calls forget
        }
        forget(comm, registration);  // where its attribute was gone already
    }
    hitopo_glue_stop_watching_registered();
    const std::lock_guard<std::mutex> lock(mutex_);
    discarded_.clear();
}

}  // namespace hitopo
