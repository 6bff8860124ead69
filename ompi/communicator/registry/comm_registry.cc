// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which communicators are registered. Every registration belongs to one communicator, whose attribute
// (comm_registry_glue.c) tells when it goes. comm_registry.h has the contracts.
//
// Open MPI calls delete functions, and they the registry, while it holds its attribute lock. So nothing
// here calls MPI, or an observer, while it holds mutex_.
#include "ompi/communicator/registry/comm_registry.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ompi/communicator/registry/comm_registry_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/text/guard.h"

std::uint32_t ompi_hitopo_registry_generation = 0;

namespace hitopo {
namespace {

struct Registration : ompi_hitopo_registration_t {
    std::string name;
    bool is_watched = false;  // its communicator has it as an attribute
};

class Registry {
public:
    static Registry& instance();

    int add(ompi_communicator_t* comm, const char* name);
    int end(ompi_communicator_t* comm);
    bool has(ompi_communicator_t* comm);
    // NULL for an invalid comm.
    Registration* find_or_make(ompi_communicator_t* comm);

    void copy_name(const Registration& registration, char* name, std::size_t capacity) const;
    void observe(void (*freed)(ompi_hitopo_registration_t*)) { freed_ = freed; }
    void forget(ompi_communicator_t* comm, const void* registration);
    void stop();

private:
    bool is_up() const;
    int check(ompi_communicator_t* comm);
    Registration* find(ompi_communicator_t* comm);
    Registration* make(ompi_communicator_t* comm);
    Registration* find_default(ompi_communicator_t* comm);
    void discard(ompi_communicator_t* comm);

    mutable std::mutex mutex_;  // of all registrations and their names
    std::unordered_map<ompi_communicator_t*, std::unique_ptr<Registration>> by_comm_;
    std::vector<std::unique_ptr<Registration>> discarded_;  // another thread may still hold one
    std::atomic<void (*)(ompi_hitopo_registration_t*)> freed_ = nullptr;
    std::atomic<bool> is_world_over_ = false;
};

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
    auto fresh = std::make_unique<Registration>();
    fresh->is_registered = is_default ? 1 : 0;
    fresh->name = is_default ? "MPI_COMM_WORLD" : "";
    Registration* made = nullptr;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        discarded_.reserve(discarded_.size() + 1);  // discard() must not fail
        const auto [held, is_first] = by_comm_.try_emplace(comm, std::move(fresh));
        made = held->second.get();
        if (!is_first) {
            return made;  // another thread was first
        }
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

// guarded's codes as MPI's classes.
template <class Body>
int answer(Body&& body) noexcept {
    const int error = guarded(std::forward<Body>(body));
    return error >= MPI_SUCCESS ? error : error == kErrorOutOfResource ? MPI_ERR_NO_MEM : MPI_ERR_OTHER;
}

}  // namespace
}  // namespace hitopo

using hitopo::Registration;
using hitopo::Registry;

int ompi_hitopo_comm_register(ompi_communicator_t* comm, const char* name) {
    return hitopo::answer([&] { return Registry::instance().add(comm, name); });
}

int ompi_hitopo_comm_unregister(ompi_communicator_t* comm) {
    return hitopo::answer([&] { return Registry::instance().end(comm); });
}

int ompi_hitopo_comm_is_registered(ompi_communicator_t* comm) {
    bool is_registered = false;
    (void)hitopo::guarded([&] { is_registered = Registry::instance().has(comm); });
    return is_registered ? 1 : 0;
}

ompi_hitopo_registration_t* ompi_hitopo_registration(ompi_communicator_t* comm) {
    ompi_hitopo_registration_t* registration = nullptr;
    (void)hitopo::guarded([&] { registration = Registry::instance().find_or_make(comm); });
    return registration;
}

void ompi_hitopo_registration_name(ompi_hitopo_registration_t* registration, char* name,
                                   std::size_t capacity) {
    (void)hitopo::guarded([&] {
        Registry::instance().copy_name(*static_cast<Registration*>(registration), name, capacity);
    });
}

void ompi_hitopo_registry_observe(void (*freed)(ompi_hitopo_registration_t*)) {
    (void)hitopo::guarded([&] { Registry::instance().observe(freed); });
}

void hitopo_registry_forget(ompi_communicator_t* comm, const void* registration) noexcept {
    (void)hitopo::guarded([&] { Registry::instance().forget(comm, registration); });
}

void hitopo_registry_stop() noexcept {
    (void)hitopo::guarded([] { Registry::instance().stop(); });
}
