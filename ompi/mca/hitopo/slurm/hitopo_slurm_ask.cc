// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slurm/hitopo_slurm_ask.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <string_view>
#include <system_error>
#include <vector>

namespace hitopo {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kMaxBytes = 64 << 20;

class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_, O_CLOEXEC) != 0) {
            ends_[0] = ends_[1] = -1;
        }
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int to_read() const { return ends_[0]; }
    int to_write() const { return ends_[1]; }
    void close_write() { close_end(1); }

private:
    void close_end(int which) {
        if (ends_[which] >= 0) {
            ::close(ends_[which]);
            ends_[which] = -1;
        }
    }

    int ends_[2];
};

// What is preloaded is meant for this program, HiTopo itself perhaps.
std::vector<char*> environment() {
    std::vector<char*> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        if (std::string_view(*variable).substr(0, 11) != "LD_PRELOAD=") {
            variables.push_back(*variable);
        }
    }
    variables.push_back(nullptr);
    return variables;
}

// Signals as a program expects them, whatever this one blocks or ignores. 0, or the system's error.
int spawn(const std::string& program, int output, pid_t& child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, output, 2);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string name = program;
    char* arguments[] = {name.data(), nullptr};
    const int status =
        ::posix_spawn(&child, program.c_str(), &actions, &attributes, arguments, environment().data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return status;
}

// Until the program closes its output; false at the deadline.
bool read_all(int descriptor, Clock::time_point deadline, std::string& text) {
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
        pollfd ready = {descriptor, POLLIN, 0};
        const int num_ready = left < 0 ? 0 : ::poll(&ready, 1, static_cast<int>(left));
        if (num_ready == 0 || text.size() > kMaxBytes) {
            return false;
        }
        char buffer[65536];
        const ssize_t num_bytes = num_ready < 0 ? -1 : ::read(descriptor, buffer, sizeof buffer);
        if (num_bytes == 0) {
            return true;
        }
        if (num_bytes < 0 && errno != EINTR) {
            return false;
        }
        text.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(num_bytes, 0)));
    }
}

// A program that closed its output, or was killed, is gone in a moment, unless the kernel holds it: then
// it is left to the system. The user's own handler may have taken it too.
void bury(pid_t child) {
    for (int tries = 0; tries < 50 && ::waitpid(child, nullptr, WNOHANG) == 0; ++tries) {
        ::usleep(1000);
    }
}

}  // namespace

Printed run_program(const std::string& program, int timeout_ms) {
    const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
    Pipe output;
    pid_t child = -1;
    const int status = output.to_write() < 0 ? EMFILE : spawn(program, output.to_write(), child);
    if (status != 0) {
        return {"", program + ": " + std::generic_category().message(status)};
    }
    output.close_write();
    Printed printed;
    if (!read_all(output.to_read(), deadline, printed.text)) {
        ::kill(child, SIGKILL);
        printed.why_not =
            "no answer within " + std::to_string(timeout_ms) + " ms (hitopo_slurm_timeout_ms)";
    }
    bury(child);
    return printed;
}

}  // namespace hitopo
