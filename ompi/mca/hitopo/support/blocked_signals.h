// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// For starting threads that the application's signal handlers shall never run in.
#ifndef OMPI_MCA_HITOPO_SUPPORT_BLOCKED_SIGNALS_H
#define OMPI_MCA_HITOPO_SUPPORT_BLOCKED_SIGNALS_H

#include <pthread.h>
#include <signal.h>

namespace hitopo {

// A new thread inherits the signal mask of its maker.
class BlockedSignals {
public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t before_;
};

}  // namespace hitopo

#endif
