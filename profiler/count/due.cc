// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/due.h"

#include <pthread.h>
#include <unistd.h>

#include <csignal>

#include "profiler/count/clock.h"
#include "profiler/count/communicator.h"

namespace hitopo::profile {

std::atomic<std::uint64_t> due_tick{kNeverDue};

namespace {

// Launchers send several at once: the batch system to all processes, and mpirun to its own.
constexpr std::uint64_t kRepeatedNs = 1000000000;

std::uint64_t ticks_between = kNeverDue;
pid_t own_process = 0;
std::atomic<std::uint64_t> sigterm_ns{0};  // when the first came

// What is waiting for a call here may wait for ever, so a later SIGTERM is not kept back. Calls that
// would go straight to MPI are to be looked at, too.
void note_sigterm(int number) {
    std::uint64_t first = 0;
    const std::uint64_t now = steady_ns();
    const bool is_first = sigterm_ns.compare_exchange_strong(first, now);
    if (getpid() != own_process || (!is_first && now - first >= kRepeatedNs)) {
        (void)std::signal(number, SIG_DFL);
        (void)raise(number);
        return;
    }
    due_tick = 0;
    raise_generation();
}

bool has_handler(void (*handler)(int)) {
    struct sigaction now = {};
    return sigaction(SIGTERM, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) == 0 &&
           now.sa_handler == handler;
}

}  // namespace

void start_due(std::uint64_t every_ticks) {
    ticks_between = every_ticks;
    own_process = getpid();
    restart_due();
    if (has_handler(SIG_DFL)) {
        struct sigaction ours = {};
        ours.sa_handler = note_sigterm;
        ours.sa_flags = SA_RESTART | SA_ONSTACK;
        sigemptyset(&ours.sa_mask);
        (void)sigaction(SIGTERM, &ours, nullptr);
    }
}

void stop_due() {
    if (has_handler(note_sigterm)) {
        (void)std::signal(SIGTERM, SIG_DFL);
    }
    due_tick = kNeverDue;
}

// SIGTERM may come in between.
void restart_due() {
    due_tick = ticks_between == kNeverDue ? kNeverDue : ticks() + ticks_between;
    if (is_terminated()) {
        due_tick = 0;
    }
}

bool is_terminated() { return sigterm_ns != 0; }

void end_by_sigterm() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    (void)std::signal(SIGTERM, SIG_DFL);
    (void)raise(SIGTERM);
    (void)pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace hitopo::profile
