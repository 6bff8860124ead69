// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/support/helper_process.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

namespace hitopo {
namespace {

constexpr int kLongMs = 60000;  // nothing takes that long

volatile sig_atomic_t num_child_signals = 0;

// Programs in the shell, while this process counts the children that it is told of.
class Helper : public testing::Test {
protected:
    Helper() {
        struct sigaction counting = {};
        counting.sa_handler = [](int) { num_child_signals = num_child_signals + 1; };
        num_child_signals = 0;
        sigaction(SIGCHLD, &counting, &before_);
    }
    ~Helper() override {
        sigaction(SIGCHLD, &before_, nullptr);
        ::unlink(path_.c_str());
    }

    const std::string& script(const std::string& lines) {
        std::ofstream(path_) << "#!/bin/sh\n" << lines << "\n";
        ::chmod(path_.c_str(), 0700);
        return path_;
    }

    // The relay may still be on its way out.
    static void expect_unnoticed() {
        EXPECT_EQ(num_child_signals, 0);
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
        EXPECT_EQ(errno, ECHILD);
        int tries = 0;
        while (::waitpid(-1, nullptr, WNOHANG | __WALL) >= 0 && ++tries < 10000) {
            ::usleep(1000);
        }
        EXPECT_LT(tries, 10000) << "a relay is left";
        EXPECT_EQ(num_child_signals, 0);
    }

    const std::string path_ = testing::TempDir() + "hitopo-helper-" + std::to_string(::getpid());
    struct sigaction before_;
};

bool is_gone(pid_t process) {
    for (int tries = 0; tries < 300000 && ::kill(process, 0) == 0; ++tries) {
        ::usleep(1000);
    }
    return ::kill(process, 0) != 0;
}

TEST_F(Helper, the_tests_count_children) {
    if (::fork() == 0) {
        ::_exit(0);
    }
    while (::waitpid(-1, nullptr, 0) < 0 && errno == EINTR) {
    }
    EXPECT_EQ(num_child_signals, 1);
}

TEST_F(Helper, a_program_prints_and_ends_unnoticed) {
    const Printed printed =
        HelperProcess({script("echo heard; echo not heard >&2")}, kLongMs, false).read(kLongMs);
    EXPECT_EQ(printed.text, "heard\n");
    EXPECT_EQ(printed.why_not, "");
    expect_unnoticed();
    EXPECT_EQ(HelperProcess({path_}, kLongMs, true).read(kLongMs).text, "heard\nnot heard\n");
    expect_unnoticed();
}

TEST_F(Helper, a_program_gets_its_arguments) {
    const std::string program = script("printf '<%s>' \"$@\"");
    EXPECT_EQ(HelperProcess({program, "a b", "", "$HOME"}, kLongMs, false).read(kLongMs).text,
              "<a b><><$HOME>");
    EXPECT_EQ(HelperProcess({program}, kLongMs, false).read(kLongMs).text, "<>");
}

// Its number, told through a FIFO as soon as it runs; then it sleeps.
class Sleeper {
public:
    explicit Sleeper(const std::string& path) : path_(path) { ::mkfifo(path.c_str(), 0600); }
    ~Sleeper() { ::unlink(path_.c_str()); }
    std::string lines(const std::string& number = "$$") const {
        return "echo " + number + " >" + path_ + "; exec sleep 1000";
    }
    pid_t number() const {
        pid_t number = 0;
        std::ifstream(path_) >> number;
        return number;
    }

private:
    std::string path_;
};

TEST_F(Helper, a_program_that_is_late_is_killed_unnoticed) {
    const Sleeper sleeper(path_ + ".number");
    HelperProcess helper({script(sleeper.lines())}, kLongMs, false);
    const pid_t number = sleeper.number();
    const Printed printed = helper.read(1);
    EXPECT_TRUE(printed.is_late);
    EXPECT_EQ(printed.why_not, "no answer within 1 ms");
    ASSERT_GT(number, 1);
    EXPECT_TRUE(is_gone(number));
    expect_unnoticed();
}

TEST_F(Helper, a_program_that_nobody_reads_is_ended_unnoticed) {
    const Sleeper sleeper(path_ + ".number");
    pid_t number = 0;
    {
        const HelperProcess helper({script(sleeper.lines())}, kLongMs, false);
        number = sleeper.number();
    }
    ASSERT_GT(number, 1);
    EXPECT_TRUE(is_gone(number));
    expect_unnoticed();
}

TEST_F(Helper, a_program_does_not_outlive_its_time_though_nobody_looks) {
    const Printed printed = HelperProcess({script("exec sleep 1000")}, 1, false).read(kLongMs);
    EXPECT_TRUE(printed.is_late);
    expect_unnoticed();
}

// More than a pipe holds by default.
TEST_F(Helper, a_program_can_end_before_it_is_read) {
    const std::string done = path_ + ".done";
    HelperProcess helper({script("head -c 300000 /dev/zero; >" + done)}, kLongMs, false);
    for (int tries = 0; tries < 10000 && ::access(done.c_str(), F_OK) != 0; ++tries) {
        ::usleep(1000);
    }
    EXPECT_EQ(::unlink(done.c_str()), 0);
    EXPECT_EQ(helper.read(kLongMs).text.size(), 300000U);
    expect_unnoticed();
}

TEST_F(Helper, a_program_that_prints_too_much_is_ended_unnoticed) {
    const Sleeper sleeper(path_ + ".number");
    HelperProcess helper({script("head -c 1001 /dev/zero; " + sleeper.lines())}, kLongMs, false);
    const pid_t number = sleeper.number();
    const Printed printed = helper.read(kLongMs, 1000);
    EXPECT_TRUE(printed.is_too_long);
    EXPECT_FALSE(printed.is_late);
    EXPECT_EQ(printed.text.size(), 1000U);
    EXPECT_EQ(printed.why_not, "an answer of more than 1000 bytes");
    ASSERT_GT(number, 1);
    EXPECT_TRUE(is_gone(number));
    expect_unnoticed();

    const Printed enough =
        HelperProcess({script("head -c 1000 /dev/zero")}, kLongMs, false).read(kLongMs, 1000);
    EXPECT_FALSE(enough.is_too_long);
    EXPECT_EQ(enough.text.size(), 1000U);
}

// Two of them: a script and a child of it.
std::string lines_of_two(const Sleeper& script, const Sleeper& child) {
    return "(" + child.lines("$(exec sh -c 'echo $PPID')") + ") & " + script.lines();
}

TEST_F(Helper, what_a_program_started_ends_with_it) {
    const Sleeper sleeper(path_ + ".number");
    const Sleeper child(path_ + ".child");
    HelperProcess helper({script(lines_of_two(sleeper, child))}, kLongMs, false);
    const pid_t numbers[] = {sleeper.number(), child.number()};
    EXPECT_TRUE(helper.read(1).is_late);
    for (const pid_t number : numbers) {
        ASSERT_GT(number, 1);
        EXPECT_TRUE(is_gone(number));
    }
    expect_unnoticed();
}

TEST_F(Helper, a_program_ends_with_the_process_that_started_it) {
    const Sleeper sleeper(path_ + ".number");
    const Sleeper child(path_ + ".child");
    const std::string& program = script(lines_of_two(sleeper, child));
    const pid_t owner = ::fork();
    if (owner == 0) {
        const HelperProcess helper({program}, kLongMs, false);
        ::pause();
    }
    const pid_t numbers[] = {sleeper.number(), child.number()};
    ::kill(owner, SIGKILL);
    ::waitpid(owner, nullptr, 0);
    for (const pid_t number : numbers) {
        ASSERT_GT(number, 1);
        EXPECT_TRUE(is_gone(number));
    }
}

// Two descriptors of this process stay open over exec; 3 is the folder that ls reads.
TEST_F(Helper, a_program_inherits_no_descriptor) {
    const int kept[] = {::dup(2), ::open("/dev/null", O_RDONLY)};
    HelperProcess helper({"/bin/ls", "/proc/self/fd"}, kLongMs, true);
    EXPECT_EQ(helper.read(kLongMs).text, "0\n1\n2\n3\n");
    for (const int descriptor : kept) {
        ::close(descriptor);
    }
}

// No more than two at a time: few are left to some processes.
TEST_F(Helper, a_program_takes_two_descriptors) {
    struct rlimit before = {};
    ::getrlimit(RLIMIT_NOFILE, &before);
    const int next = ::dup(0);
    ::close(next);
    for (const int num_left : {2, 1}) {
        const struct rlimit few = {static_cast<rlim_t>(next + num_left), before.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &few);
        const Printed printed = HelperProcess({"/bin/echo", "heard"}, kLongMs, false).read(kLongMs);
        ::setrlimit(RLIMIT_NOFILE, &before);
        EXPECT_EQ(printed.text, num_left == 2 ? "heard\n" : "");
        EXPECT_EQ(printed.why_not, num_left == 2 ? "" : "/bin/echo: Too many open files");
    }
    expect_unnoticed();
}

TEST_F(Helper, signals_are_as_a_program_expects_them) {
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGCHLD, SIG_IGN);
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    // The first 28 signals: the C library keeps two for itself.
    const std::string& print =
        script("exec sed -n 's/^Sig\\(Blk\\|Ign\\):.*\\(.......\\)$/\\2/p' /proc/self/status");
    const Printed printed = HelperProcess({print}, kLongMs, false).read(kLongMs);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    EXPECT_EQ(printed.text, "0000000\n0000000\n");
    expect_unnoticed();
}

TEST_F(Helper, a_program_that_cannot_be_started_says_so) {
    EXPECT_EQ(HelperProcess({"/nonexistent/helper"}, kLongMs, false).read(kLongMs).why_not,
              "/nonexistent/helper: No such file or directory");
    std::ofstream(path_) << std::string("\0\0\0\0", 4);
    ::chmod(path_.c_str(), 0700);
    EXPECT_EQ(HelperProcess({path_}, kLongMs, false).read(kLongMs).why_not,
              path_ + ": Exec format error");
    expect_unnoticed();
}

}  // namespace
}  // namespace hitopo
