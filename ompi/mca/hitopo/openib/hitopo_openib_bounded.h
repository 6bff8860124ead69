// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// For calls into a driver that may never come back: of firmware that hangs, for example.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_BOUNDED_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_BOUNDED_H

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/support/helper_thread.h"

namespace hitopo {

// The body's result; empty if it is not there by the deadline, or the body throws. One that comes too
// late runs on, on a thread that nobody waits for any more: it may touch only what it owns itself.
template <class T>
std::optional<T> run_bounded(HelperThread::Deadline deadline, std::function<T()> body) {
    const auto result = std::make_shared<std::optional<T>>();
    std::optional<HelperThread> helper =
        HelperThread::start([result, body = std::move(body)] { *result = body(); });
    if (!helper || !helper->ends_by(deadline)) {
        return std::nullopt;
    }
    return std::move(*result);
}

}  // namespace hitopo

#endif
