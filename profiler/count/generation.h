// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a thread remembers of a communicator or window is true as long as the generation stays: the
// registry's, which the profiler raises too when windows go, or counting is turned on or off.
#ifndef PROFILER_COUNT_GENERATION_H
#define PROFILER_COUNT_GENERATION_H

#include <cstdint>

#include "ompi/communicator/registry/comm_registry.h"

namespace hitopo::profile {

inline std::uint32_t generation() {
    return __atomic_load_n(&ompi_hitopo_registry_generation, __ATOMIC_ACQUIRE);
}
inline void raise_generation() {
    __atomic_add_fetch(&ompi_hitopo_registry_generation, 1, __ATOMIC_RELEASE);
}

}  // namespace hitopo::profile

#endif
