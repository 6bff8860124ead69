// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A program that works beside this process, which does not notice: no SIGCHLD comes when it ends, nor
// does wait() find it. So a program of the user's that handles SIGCHLD, or waits for its own children,
// sees nothing of it.
//
// What execs raises SIGCHLD at its parent, whatever it was cloned with. So its parent is a relay: a
// process that never execs, was cloned without a signal, ends the program when its time is over, and
// ends with it. It runs in this process's memory, of which a copy would take milliseconds for each 100
// MB, on the stack of a thread that the kernel lets wait meanwhile, as vfork does.
#ifndef OMPI_MCA_HITOPO_SUPPORT_HELPER_PROCESS_H
#define OMPI_MCA_HITOPO_SUPPORT_HELPER_PROCESS_H

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/support/blocked_signals.h"

namespace hitopo {

class Pipe {
public:
    Pipe() {
        if (::pipe2(ends_, O_CLOEXEC) != 0) {
            ends_[0] = ends_[1] = -1;
        }
    }
    ~Pipe() {
        close_read();
        close_write();
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int to_read() const { return ends_[0]; }
    int to_write() const { return ends_[1]; }
    void close_read() { close_end(0); }
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

// How to start a program, worked out before there is a relay: it may only call the system.
class HelperStart {
public:
    HelperStart(std::vector<std::string> command, int output, bool prints_errors)
        : command_(std::move(command)) {
        for (std::string& word : command_) {
            arguments_.push_back(word.data());
        }
        arguments_.push_back(nullptr);
        posix_spawn_file_actions_init(&actions_);
        posix_spawnattr_init(&attributes_);
        posix_spawn_file_actions_adddup2(&actions_, output, 1);
        if (prints_errors) {
            posix_spawn_file_actions_adddup2(&actions_, output, 2);
        }
        posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
        set_signals();
        set_environment();
    }
    ~HelperStart() {
        posix_spawnattr_destroy(&attributes_);
        posix_spawn_file_actions_destroy(&actions_);
    }
    HelperStart(const HelperStart&) = delete;
    HelperStart& operator=(const HelperStart&) = delete;

    // 0, or the system's error. Allocates nothing and takes no lock.
    int run(pid_t& helper) {
        return ::posix_spawn(&helper, arguments_.front(), &actions_, &attributes_, arguments_.data(),
                             environment_.data());
    }

private:
    // As a program expects them, whatever this one blocks or ignores.
    void set_signals() {
        sigset_t none;
        sigset_t all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&attributes_, &none);
        posix_spawnattr_setsigdefault(&attributes_, &all);
        posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }

    // What is preloaded is meant for this program, HiTopo itself perhaps.
    void set_environment() {
        for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
            if (std::string_view(*variable).substr(0, 11) != "LD_PRELOAD=") {
                environment_.push_back(*variable);
            }
        }
        environment_.push_back(nullptr);
    }

    std::vector<std::string> command_;
    std::vector<char*> arguments_;
    posix_spawn_file_actions_t actions_;
    posix_spawnattr_t attributes_;
    std::vector<char*> environment_;
};

// What the relay says of the program through a pipe.
struct HelperStatus {
    pid_t relay;  // once it runs
    int error;    // the system's where it did not start
    bool is_killed;
};

// The relay's work.
class HelperRelay {
public:
    static constexpr int kEndNow = SIGTERM;  // to the relay: the program's time is over

    HelperRelay(std::vector<std::string> command, int life_ms, bool prints_errors)
        : start_(std::move(command), output.to_write(), prints_errors), life_ms_(life_ms) {}

    Pipe output;
    Pipe status;  // two HelperStatus: when it started, if it did; when it ended

    // Returns when the relay has ended.
    void clone() {
        constexpr std::size_t kStackBytes = 64 << 10;
        alignas(64) char stack[kStackBytes];
        constexpr int kNoSignal = 0;
        const pid_t relay = ::clone([](void* self) { return static_cast<HelperRelay*>(self)->run(); },
                                    stack + kStackBytes, CLONE_VM | CLONE_VFORK | kNoSignal, this);
        if (relay < 0) {
            tell({-1, errno, false});
        }
        while (relay >= 0 && ::waitpid(relay, nullptr, __WALL) < 0 && errno == EINTR) {
        }
    }

private:
    // In a process of its own, but for the memory: descriptors that are closed here stay open there.
    int run() {
        struct sigaction by_default = {};
        by_default.sa_handler = SIG_DFL;
        by_default.sa_flags = SA_NOCLDSTOP;
        ::sigaction(SIGCHLD, &by_default, nullptr);
        pid_t helper = -1;
        const int error = start_.run(helper);
        ::close(output.to_read());
        ::close(output.to_write());
        tell({::getpid(), error, false});
        if (error == 0) {
            tell({-1, 0, !wait_for(helper)});
        }
        ::_exit(0);
    }

    void tell(const HelperStatus& now) const {
        [[maybe_unused]] const ssize_t written = ::write(status.to_write(), &now, sizeof now);
    }

    // Whether it ended by itself.
    bool wait_for(pid_t helper) const {
        sigset_t told;
        sigemptyset(&told);
        sigaddset(&told, SIGCHLD);
        sigaddset(&told, kEndNow);
        const timespec timeout = {life_ms_ / 1000, life_ms_ % 1000 * 1000000L};
        int signal = -1;
        do {
            signal = ::sigtimedwait(&told, nullptr, &timeout);
        } while (signal < 0 && errno == EINTR);
        if (signal != SIGCHLD) {
            ::kill(helper, SIGKILL);
        }
        ::waitpid(helper, nullptr, 0);
        return signal == SIGCHLD;
    }

    HelperStart start_;
    int life_ms_;
};

struct Printed {
    std::string text;     // all that the program printed
    std::string why_not;  // it did not start, did not end in time or printed too much; empty if it ended
    bool is_late = false;
    bool is_too_long = false;
};

class HelperProcess {
public:
    // Starts `program` with this process's environment but for LD_PRELOAD. It is killed after life_ms.
    // prints_errors: what it says of errors is read too, else it goes where ours go.
    HelperProcess(const std::string& program, int life_ms, bool prints_errors,
                  const std::vector<std::string>& arguments = {})
        : program_(program),
          relay_(std::make_shared<HelperRelay>(command_of(program, arguments), life_ms, prints_errors)) {
        if (relay_->output.to_write() < 0 || relay_->status.to_write() < 0) {
            error_ = EMFILE;
            return;
        }
        ::fcntl(relay_->output.to_write(), F_SETPIPE_SZ, kPipeBytes);
        error_ = start();
    }
    ~HelperProcess() {
        end();
        relay_->output.close_read();
    }
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    static constexpr std::size_t kMaxBytes = 64 << 20;

    // Until it closes its output; after timeout_ms, or more than max_bytes, it is killed. Once.
    Printed read(int timeout_ms, std::size_t max_bytes = kMaxBytes) {
        Printed printed;
        if (error_ != 0) {
            printed.why_not = program_ + ": " + std::generic_category().message(error_);
            return printed;
        }
        const bool is_over = read_all(timeout_ms, max_bytes, printed.text);
        printed.is_too_long = printed.text.size() > max_bytes;
        printed.is_late = !printed.is_too_long && (!is_over || was_killed());
        if (printed.is_late) {
            printed.why_not = "no answer within " + std::to_string(timeout_ms) + " ms";
        } else if (printed.is_too_long) {
            printed.text.resize(max_bytes);
            printed.why_not = "an answer of more than " + std::to_string(max_bytes) + " bytes";
        }
        end();
        return printed;
    }

private:
    static std::vector<std::string> command_of(const std::string& program,
                                               const std::vector<std::string>& arguments) {
        std::vector<std::string> command = {program};
        command.insert(command.end(), arguments.begin(), arguments.end());
        return command;
    }

    using Clock = std::chrono::steady_clock;
    static constexpr int kPipeBytes = 1 << 20;  // that it need not wait for us before it ends
    static constexpr int kStartMs = 10000;
    // Who closed its output is gone in a moment, unless the kernel holds it.
    static constexpr int kEndMs = 200;

    // 0, or why it does not run.
    int start() {
        try {
            const BlockedSignals blocked;
            std::thread([relay = relay_] { relay->clone(); }).detach();
        } catch (const std::system_error& error) {
            return error.code().value();
        }
        const std::optional<HelperStatus> started = next_status(kStartMs);
        if (!started) {
            return ETIMEDOUT;
        }
        relay_->output.close_write();
        process_ = started->error == 0 ? started->relay : -1;
        return started->error;
    }

    std::optional<HelperStatus> next_status(int timeout_ms) const {
        pollfd ready = {relay_->status.to_read(), POLLIN, 0};
        HelperStatus status = {};
        int num_ready = -1;
        do {
            num_ready = ::poll(&ready, 1, timeout_ms);
        } while (num_ready < 0 && errno == EINTR);
        const bool is_there =
            num_ready == 1 && ::read(ready.fd, &status, sizeof status) == sizeof status;
        return is_there ? std::optional(status) : std::nullopt;
    }

    bool was_killed() {
        const std::optional<HelperStatus> ended = next_status(kEndMs);
        process_ = ended ? -1 : process_;
        return ended && ended->is_killed;
    }

    // The relay's process id is its own until it told that it ended.
    void end() {
        if (process_ >= 0 && !next_status(0)) {
            ::kill(process_, HelperRelay::kEndNow);
        }
        process_ = -1;
    }

    // False where it took too long, or printed too much.
    bool read_all(int timeout_ms, std::size_t max_bytes, std::string& text) const {
        const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
        while (text.size() <= max_bytes) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
            pollfd ready = {relay_->output.to_read(), POLLIN, 0};
            const int num_ready = left < 0 ? 0 : ::poll(&ready, 1, static_cast<int>(left));
            char buffer[65536];
            const ssize_t num_bytes =
                num_ready > 0 ? ::read(ready.fd, buffer, sizeof buffer) : num_ready - 1;
            if (num_bytes == 0 || (num_bytes < 0 && (num_ready == 0 || errno != EINTR))) {
                return num_bytes == 0;
            }
            text.append(buffer, static_cast<std::size_t>(std::max<ssize_t>(num_bytes, 0)));
        }
        return false;
    }

    std::string program_;
    std::shared_ptr<HelperRelay> relay_;
    pid_t process_ = -1;  // of the relay, while it runs
    int error_ = 0;       // why it did not start
};

}  // namespace hitopo

#endif
