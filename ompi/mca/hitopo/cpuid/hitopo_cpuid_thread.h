// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A thread that may bind itself anywhere while its caller stays as it is.
#ifndef OMPI_MCA_HITOPO_CPUID_HITOPO_CPUID_THREAD_H
#define OMPI_MCA_HITOPO_CPUID_HITOPO_CPUID_THREAD_H

#include <chrono>
#include <functional>

namespace hitopo {

// Runs `body` on a new thread, all signals blocked, and returns when that has ended; rethrows what
// `body` throws. False if no thread could be started. `body` must end soon after `deadline`; from then
// on the thread is pulled back to the caller's CPUs, in case the one it waits for is never free.
bool run_on_helper_thread(std::chrono::steady_clock::time_point deadline,
                          const std::function<void()>& body);

}  // namespace hitopo

#endif
