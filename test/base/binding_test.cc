// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/binding.h"

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

namespace hitopo {
namespace {

// Reads its binding once, and once more between two stops.
[[noreturn]] void read_twice(int num_threads) {
    std::atomic<int> num_running{1};
    while (num_running < num_threads) {
        const int before = num_running;
        std::thread([&] {
            ++num_running;
            pause();
        }).detach();
        while (num_running == before) {
            usleep(100);
        }
    }
    const pid_t self = getpid();
    (void)read_binding();
    (void)ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    (void)kill(self, SIGSTOP);
    (void)read_binding();
    (void)kill(self, SIGSTOP);
    _exit(0);
}

// The system calls of the second time, of a process with so many threads; -1 where nobody may count
// them.
int num_system_calls(int num_threads) {
    const pid_t child = fork();
    if (child == 0) {
        read_twice(num_threads);
    }
    int status = 0;
    int num_stops = 0;  // where each call begins and ends, the last of them kill
    (void)waitpid(child, &status, 0);
    const bool is_traced = WIFSTOPPED(status);
    (void)ptrace(PTRACE_SETOPTIONS, child, nullptr, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    while (is_traced && ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) == 0 &&
           waitpid(child, &status, 0) == child && WIFSTOPPED(status) && WSTOPSIG(status) != SIGSTOP) {
        num_stops += WSTOPSIG(status) == (SIGTRAP | 0x80) ? 1 : 0;
    }
    kill(child, SIGKILL);
    (void)waitpid(child, nullptr, 0);
    return is_traced ? num_stops / 2 - 1 : -1;
}

// Each split asks for the binding: one call for the number of threads, one for the first thread, two for
// each other one.
TEST(Binding, IsReadByTwoSystemCallsAThread) {
    if (num_system_calls(1) < 0) {
        GTEST_SKIP() << "no process may count another's system calls here";
    }
    EXPECT_EQ(num_system_calls(1), 2);
    EXPECT_EQ(num_system_calls(2), 4);
    EXPECT_EQ(num_system_calls(3), 6);
}

}  // namespace
}  // namespace hitopo
