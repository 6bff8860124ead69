// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A program that works beside this process, unnoticed: no SIGCHLD comes when it ends, nor does wait()
// find it. So a program of the user's that handles SIGCHLD, or waits for its own children, sees nothing
// of it. Nothing of it stays, either: programs that it started end with it, and it ends with this
// process.
//
// A process that execs raises SIGCHLD at its parent, even one cloned without. So its parent is a relay:
// a process that never execs, was cloned without a signal, ends the program and its children when its
// time is over, and ends with it. It runs in this process's memory, of which a copy would take
// milliseconds for each 100 MB, while the thread that cloned it waits in the kernel, as after vfork.
#ifndef OMPI_MCA_HITOPO_SUPPORT_HELPER_PROCESS_H
#define OMPI_MCA_HITOPO_SUPPORT_HELPER_PROCESS_H

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/support/helper_thread.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {

// Negative where there are no descriptors left.
struct Pipe {
    Pipe() {
        int ends[2] = {-1, -1};
        (void)::pipe2(ends, O_CLOEXEC);
        to_read = Descriptor(ends[0]);
        to_write = Descriptor(ends[1]);
    }
    Descriptor to_read{-1}, to_write{-1};
};

// The phase of the program, in the memory that the relay and this process have in common.
class HelperPhase {
public:
    enum Phase { kStarting, kRunning, kOver };

    bool is_over() const { return phase_ == kOver; }

    void enter(Phase phase) {
        phase_ = phase;
        ::syscall(SYS_futex, &phase_, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    }

    // Waits until it is no longer `phase`; false where that takes longer than timeout_ms.
    bool wait_past(Phase phase, int timeout_ms) {
        using Clock = std::chrono::steady_clock;
        const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
        while (phase_ == phase) {
            const auto left =
                std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now()).count();
            if (left <= 0) {
                return false;
            }
            const timespec timeout = {left / 1000000000, left % 1000000000};
            ::syscall(SYS_futex, &phase_, FUTEX_WAIT, phase, &timeout, nullptr, 0);
        }
        return true;
    }

private:
    std::atomic<int> phase_ = kStarting;
    static_assert(sizeof(std::atomic<int>) == sizeof(int), "a futex");
};

// The relay and its program. All memory is taken before there is one: it only calls the system.
class HelperRelay {
public:
    static constexpr int kEndNow = SIGTERM;  // to the relay: the program's time is over

    HelperRelay(std::vector<std::string> command, int life_ms, bool prints_errors)
        : command_(std::move(command)),
          life_ms_(life_ms),
          prints_errors_(prints_errors),
          owner_(::getpid()),
          stacks_(std::make_unique<char[]>(2 * kStackBytes)) {
        for (std::string& word : command_) {
            arguments_.push_back(word.data());
        }
        arguments_.push_back(nullptr);
        // Preloaded libraries are meant for this program, HiTopo itself perhaps.
        for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
            if (std::string_view(*variable).substr(0, 11) != "LD_PRELOAD=") {
                environment_.push_back(*variable);
            }
        }
        environment_.push_back(nullptr);
    }

    Pipe output;
    HelperPhase phase;
    // Set before the later phases begin.
    pid_t relay = -1;
    int error = 0;  // the system's where the program did not start
    bool is_killed = false;

    // Returns when the relay has ended.
    void clone() {
        constexpr int kNoSignal = 0;
        const pid_t process = clone_into(
            0, [](void* self) { return static_cast<HelperRelay*>(self)->run(); },
            CLONE_VM | CLONE_VFORK | kNoSignal);
        if (process < 0) {
            error = errno;
            phase.enter(HelperPhase::kOver);
        }
        while (process >= 0 && ::waitpid(process, nullptr, __WALL) < 0 && errno == EINTR) {
        }
        phase.enter(HelperPhase::kOver);  // also where it was killed
    }

private:
    static constexpr std::size_t kStackBytes = 64 << 10;

    pid_t clone_into(int stack, int (*body)(void*), int flags) {
        char* const end = &stacks_[0] + (stack + 1) * kStackBytes;
        return ::clone(body, end, flags, this);
    }

    // In a process of its own, but for the memory.
    int run() {
        ::prctl(PR_SET_PDEATHSIG, kEndNow);
        if (::getppid() != owner_) {
            ::_exit(0);
        }
        keep_output_only();
        struct sigaction by_default = {};
        by_default.sa_handler = SIG_DFL;
        by_default.sa_flags = SA_NOCLDSTOP;
        ::sigaction(SIGCHLD, &by_default, nullptr);
        relay = ::getpid();
        const pid_t helper = clone_into(
            1, [](void* self) { return static_cast<HelperRelay*>(self)->become_program(); },
            CLONE_VM | CLONE_VFORK | SIGCHLD);
        if (helper < 0) {
            error = errno;
        }
        ::close(1);
        ::close(2);
        if (error == 0) {
            phase.enter(HelperPhase::kRunning);
            is_killed = !wait_for_program();
        }
        if (helper >= 0) {
            ::kill(-helper, SIGKILL);  // its number is its group's until it is waited for
            ::waitpid(helper, nullptr, 0);
        }
        phase.enter(HelperPhase::kOver);
        ::_exit(0);
    }

    // Closes all of this process's descriptors, which are copies, but those that the program is to have
    // as 0 to 2.
    void keep_output_only() const {
        ::close(output.to_read.number());  // there may be no other one left
        const int write = ::fcntl(output.to_write.number(), F_DUPFD, 3);
        ::close(0);
        (void)::open("/dev/null", O_RDONLY);
        ::dup2(write, 1);
        if (prints_errors_) {
            ::dup2(write, 2);
        }
#ifdef SYS_close_range
        if (::syscall(SYS_close_range, 3, ~0U, 0) == 0) {
            return;
        }
#endif
        struct rlimit limit = {};
        (void)::getrlimit(RLIMIT_NOFILE, &limit);
        for (int descriptor = 3; descriptor < static_cast<int>(limit.rlim_cur); ++descriptor) {
            ::close(descriptor);
        }
    }

    // It has a group of its own, and signals as a program expects them, even if this one blocks or
    // ignores some.
    int become_program() {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // where the relay could not end it
        ::setpgid(0, 0);
        for (int signal = 1; signal < NSIG; ++signal) {
            (void)::signal(signal, SIG_DFL);
        }
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        ::execve(arguments_.front(), arguments_.data(), environment_.data());
        error = errno;
        ::_exit(127);
    }

    // Whether it ended by itself.
    bool wait_for_program() const {
        sigset_t awaited;
        sigemptyset(&awaited);
        sigaddset(&awaited, SIGCHLD);
        sigaddset(&awaited, kEndNow);
        const timespec timeout = {life_ms_ / 1000, life_ms_ % 1000 * 1000000L};
        int signal = -1;
        do {
            signal = ::sigtimedwait(&awaited, nullptr, &timeout);
        } while (signal < 0 && errno == EINTR);
        return signal == SIGCHLD;
    }

    std::vector<std::string> command_;
    std::vector<char*> arguments_;
    std::vector<char*> environment_;
    const int life_ms_;
    const bool prints_errors_;
    const pid_t owner_;
    const std::unique_ptr<char[]> stacks_;  // the relay's and the program's, until it execs
};

// Whether a program or library that a setting names may run with this user's rights: settings come from
// files, too, and a file can name another user's. System accounts are root's: lldpcli belongs to one.
// A file that does not exist may run: starting it gives the error.
inline bool may_run(const std::string& program) {
    constexpr uid_t kFirstUser = 1000;
    struct stat status = {};
    return ::stat(program.c_str(), &status) != 0 || status.st_uid < kFirstUser ||
           status.st_uid == ::geteuid();
}

inline Error not_run(const std::string& program, const char* variable) {
    return {Errc::kMalformed, program,
            "it belongs to another user; name a program that belongs to root or to this user", variable};
}

struct Printed {
    std::string text;     // all that the program printed
    std::string why_not;  // it did not start, did not end in time or printed too much; empty if it ended
    bool is_late = false;
    bool is_too_long = false;
};

class HelperProcess {
public:
    // Starts command[0] with this process's environment but for LD_PRELOAD. It is killed after life_ms.
    // prints_errors: its standard error is read too, else it goes where ours goes.
    HelperProcess(const std::vector<std::string>& command, int life_ms, bool prints_errors)
        : program_(command.front()),
          life_ms_(life_ms),
          relay_(std::make_shared<HelperRelay>(command, life_ms, prints_errors)) {
        if (relay_->output.to_write.number() < 0) {
            error_ = EMFILE;
            return;
        }
        ::fcntl(relay_->output.to_write.number(), F_SETPIPE_SZ, kPipeBytes);
        error_ = start();
    }
    ~HelperProcess() {
        end();
        relay_->output.to_read = Descriptor(-1);
    }
    HelperProcess(const HelperProcess&) = delete;
    HelperProcess& operator=(const HelperProcess&) = delete;

    static constexpr std::size_t kMaxBytes = 64 << 20;

    // Reads until it closes its output; after timeout_ms, or more than max_bytes, it is killed. Once.
    Printed read() { return read(life_ms_); }
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
    using Clock = std::chrono::steady_clock;
    static constexpr int kPipeBytes = 1 << 20;  // that it need not wait for us before it ends
    static constexpr int kStartMs = 10000;
    // A program that closed its output ends in a moment, unless the kernel holds it.
    static constexpr int kEndMs = 200;

    // 0, or the error of the start.
    int start() {
        try {
            const BlockedSignals blocked;
            std::thread([relay = relay_] { relay->clone(); }).detach();
        } catch (const std::system_error& error) {
            return error.code().value();
        }
        if (!relay_->phase.wait_past(HelperPhase::kStarting, kStartMs)) {
            return ETIMEDOUT;
        }
        relay_->output.to_write = Descriptor(-1);
        return relay_->error;
    }

    bool was_killed() {
        return relay_->phase.wait_past(HelperPhase::kRunning, kEndMs) && relay_->is_killed;
    }

    // The relay's process id is its own until it is over.
    void end() {
        if (error_ == 0 && !relay_->phase.is_over()) {
            ::kill(relay_->relay, HelperRelay::kEndNow);
        }
    }

    // False where it took too long, or printed too much.
    bool read_all(int timeout_ms, std::size_t max_bytes, std::string& text) const {
        const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
        while (text.size() <= max_bytes) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
            pollfd ready = {relay_->output.to_read.number(), POLLIN, 0};
            const int num_ready = left < 0 ? 0 : ::poll(&ready, 1, static_cast<int>(left));
            const ssize_t num_bytes = num_ready > 0 ? append_from(ready.fd, text) : num_ready - 1;
            if (num_bytes == 0 || (num_bytes < 0 && (num_ready == 0 || errno != EINTR))) {
                return num_bytes == 0;
            }
        }
        return false;
    }

    std::string program_;
    int life_ms_;
    std::shared_ptr<HelperRelay> relay_;
    int error_ = 0;  // of the start
};

}  // namespace hitopo

#endif
