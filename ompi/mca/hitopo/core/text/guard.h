// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The one catch-all of each extern "C" entry: no exception crosses a shared-object boundary.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_GUARD_H
#define OMPI_MCA_HITOPO_CORE_TEXT_GUARD_H

#include <new>
#include <type_traits>
#include <utility>

namespace hitopo {

// Open MPI's values (ompi/constants.h); the glue asserts that they are equal.
inline constexpr int kSuccess = 0;
inline constexpr int kErrorGeneric = -1;
inline constexpr int kErrorOutOfResource = -2;
inline constexpr int kErrorBadParam = -5;
inline constexpr int kErrorNotSupported = -8;
inline constexpr int kErrorNotAvailable = -16;

// Calls `body`, which returns an OMPI_ERR_* code, or nothing for OMPI_SUCCESS.
template <class Body>
int guarded(Body&& body) noexcept {
    try {
        if constexpr (std::is_void_v<decltype(body())>) {
            std::forward<Body>(body)();
            return kSuccess;
        } else {
            return std::forward<Body>(body)();
        }
    } catch (const std::bad_alloc&) {
        return kErrorOutOfResource;
    } catch (...) {
        return kErrorGeneric;
    }
}

}  // namespace hitopo

#endif
