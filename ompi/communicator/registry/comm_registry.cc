// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The registry's C interface.
#include "ompi/communicator/registry/comm_registry.h"

#include <mpi.h>

#include <utility>

#include "ompi/communicator/registry/comm_registry_glue.h"
#include "ompi/communicator/registry/comm_registry_list.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

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
    (void)hitopo::answer([&] {
        is_registered = Registry::instance().has(comm);
        return MPI_SUCCESS;
    });
    return is_registered ? 1 : 0;
}

ompi_hitopo_registration_t* ompi_hitopo_registration(ompi_communicator_t* comm) {
    ompi_hitopo_registration_t* registration = nullptr;
    (void)hitopo::answer([&] {
        registration = Registry::instance().find_or_make(comm);
        return MPI_SUCCESS;
    });
    return registration;
}

void ompi_hitopo_registration_name(ompi_hitopo_registration_t* registration, char* name,
                                   std::size_t capacity) {
    (void)hitopo::answer([&] {
        Registry::instance().copy_name(*static_cast<Registration*>(registration), name, capacity);
        return MPI_SUCCESS;
    });
}

void ompi_hitopo_registry_observe(void (*freed)(ompi_hitopo_registration_t*)) {
    (void)hitopo::answer([&] {
        Registry::instance().observe(freed);
        return MPI_SUCCESS;
    });
}

void hitopo_registry_forget(ompi_communicator_t* comm, const void* registration) noexcept {
    (void)hitopo::answer([&] {
        Registry::instance().forget(comm, registration);
        return MPI_SUCCESS;
    });
}

void hitopo_registry_stop() noexcept {
    (void)hitopo::answer([] {
        Registry::instance().stop();
        return MPI_SUCCESS;
    });
}
