// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which communicators are registered. Every registration belongs to one communicator, whose attribute
// (comm_registry_glue.c) tells when it goes. comm_registry.h has the contracts.
//
// Open MPI calls delete functions, and they the registry, while it holds its attribute lock. So nothing
// here calls MPI, or an observer, while it holds mutex_.
#ifndef OMPI_COMM_REGISTRY_LIST_H
#define OMPI_COMM_REGISTRY_LIST_H

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "ompi/communicator/registry/comm_registry.h"

namespace hitopo {

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

}  // namespace hitopo

#endif
