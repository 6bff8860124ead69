// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/support/helper_process.h"

#include <gtest/gtest.h>
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
    for (int tries = 0; tries < 10000 && ::kill(process, 0) == 0; ++tries) {
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
        HelperProcess(script("echo heard; echo not heard >&2"), kLongMs, false).read(kLongMs);
    EXPECT_EQ(printed.text, "heard\n");
    EXPECT_EQ(printed.why_not, "");
    expect_unnoticed();
    EXPECT_EQ(HelperProcess(path_, kLongMs, true).read(kLongMs).text, "heard\nnot heard\n");
    expect_unnoticed();
}

TEST_F(Helper, a_program_gets_its_arguments) {
    const std::string program = script("printf '<%s>' \"$@\"");
    EXPECT_EQ(HelperProcess(program, kLongMs, false, {"a b", "", "$HOME"}).read(kLongMs).text,
              "<a b><><$HOME>");
    EXPECT_EQ(HelperProcess(program, kLongMs, false).read(kLongMs).text, "<>");
}

// Its number, told through a FIFO as soon as it runs; then it sleeps.
class Sleeper {
public:
    explicit Sleeper(const std::string& path) : path_(path) { ::mkfifo(path.c_str(), 0600); }
    ~Sleeper() { ::unlink(path_.c_str()); }
    std::string lines() const { return "echo $$ >" + path_ + "; exec sleep 1000"; }
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
    HelperProcess helper(script(sleeper.lines()), kLongMs, false);
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
        const HelperProcess helper(script(sleeper.lines()), kLongMs, false);
        number = sleeper.number();
    }
    ASSERT_GT(number, 1);
    EXPECT_TRUE(is_gone(number));
    expect_unnoticed();
}

TEST_F(Helper, a_program_does_not_outlive_its_time_though_nobody_looks) {
    const Printed printed = HelperProcess(script("exec sleep 1000"), 1, false).read(kLongMs);
    EXPECT_TRUE(printed.is_late);
    expect_unnoticed();
}

// More than a pipe holds by default.
TEST_F(Helper, a_program_can_end_before_it_is_read) {
    const std::string done = path_ + ".done";
    HelperProcess helper(script("head -c 300000 /dev/zero; >" + done), kLongMs, false);
    for (int tries = 0; tries < 10000 && ::access(done.c_str(), F_OK) != 0; ++tries) {
        ::usleep(1000);
    }
    EXPECT_EQ(::unlink(done.c_str()), 0);
    EXPECT_EQ(helper.read(kLongMs).text.size(), 300000U);
    expect_unnoticed();
}

TEST_F(Helper, a_program_that_prints_too_much_is_ended_unnoticed) {
    const Sleeper sleeper(path_ + ".number");
    HelperProcess helper(script("head -c 1001 /dev/zero; " + sleeper.lines()), kLongMs, false);
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
        HelperProcess(script("head -c 1000 /dev/zero"), kLongMs, false).read(kLongMs, 1000);
    EXPECT_FALSE(enough.is_too_long);
    EXPECT_EQ(enough.text.size(), 1000U);
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
    const Printed printed = HelperProcess(print, kLongMs, false).read(kLongMs);
    sigprocmask(SIG_SETMASK, &before, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    EXPECT_EQ(printed.text, "0000000\n0000000\n");
    expect_unnoticed();
}

TEST_F(Helper, a_program_that_cannot_be_started_says_so) {
    EXPECT_EQ(HelperProcess("/nonexistent/helper", kLongMs, false).read(kLongMs).why_not,
              "/nonexistent/helper: No such file or directory");
    std::ofstream(path_) << std::string("\0\0\0\0", 4);
    ::chmod(path_.c_str(), 0700);
    EXPECT_EQ(HelperProcess(path_, kLongMs, false).read(kLongMs).why_not, path_ + ": Exec format error");
    expect_unnoticed();
}

}  // namespace
}  // namespace hitopo
