// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/channel.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "test/base/exchange/simulated_wire.h"

namespace hitopo {
namespace {

StatusHeader failed_at(std::uint32_t process, int code) {
    StatusHeader header;
    header.fail(process, code);
    return header;
}

TEST(StatusHeader, the_lowest_process_that_failed_stands) {
    StatusHeader header = failed_at(4, -2);
    header.merge(failed_at(7, -1));
    EXPECT_EQ(header.failed, 4U);
    EXPECT_EQ(header.status, -2);
    header.merge(failed_at(2, -5));
    EXPECT_EQ(header.failed, 2U);
    EXPECT_EQ(header.status, -5);
    header.fail(1, 0);
    EXPECT_EQ(header.failed, 2U);
    EXPECT_FALSE(StatusHeader().has_failed());
}

TEST(StatusHeader, merges_flags_absence_and_identity) {
    StatusHeader header, other;
    header.flags = 1;
    header.absent = 5;
    other.flags = 4;
    other.absent = 3;
    other.identity = 77;
    header.merge(other);
    EXPECT_EQ(header.flags, 5U);
    EXPECT_EQ(header.absent, 3U);
    EXPECT_EQ(header.identity, 77U);
}

struct Passes {
    Channel::Passed passed[2];
    Received received[2];
    SimulatedRun run;
};

// Two processes that pass each other so many bytes at once.
Passes pass(std::size_t num_first, std::size_t num_second, const WireFault& fault = {}) {
    Passes passes;
    passes.run = run_processes(2, fault, [&](ExchangeWire& wire) {
        Channel channel(wire);
        const std::uint32_t own = wire.own();
        StatusHeader header;
        header.flags = own + 1;
        const std::string bytes(own == 0 ? num_first : num_second, static_cast<char>('a' + own));
        passes.passed[own] = channel.pass(1 - own, header, bytes, 1 - own, passes.received[own]);
    });
    return passes;
}

TEST(Channel, passes_messages_of_any_length) {
    for (const std::size_t first : {0, 1, 8160, 8161, 100000}) {
        for (const std::size_t second : {0, 8160, 8161}) {
            const Passes passes = pass(first, second);
            EXPECT_EQ(passes.received[1].bytes, std::string(first, 'a'));
            EXPECT_EQ(passes.received[0].bytes, std::string(second, 'b'));
            EXPECT_EQ(passes.received[0].header.flags, 2U);
            EXPECT_EQ(passes.received[1].header.flags, 1U);
            EXPECT_EQ(passes.run.num_stranded, 0);
            for (const Channel::Passed& passed : passes.passed) {
                EXPECT_EQ(passed.sent, kSuccess);
                EXPECT_EQ(passed.received, kSuccess);
            }
            const long num_messages = std::max(first, second) > 8160 ? 2 : 1;
            EXPECT_EQ(passes.run.num_messages, (std::vector<long>{num_messages, num_messages}));
        }
    }
}

TEST(Channel, without_memory_the_status_comes_and_the_bytes_are_dropped) {
    const Passes passes = pass(100000, 10, {WireFault::kAllocation, 1, 1, 1});
    EXPECT_EQ(passes.passed[1].received, kErrorOutOfResource);
    EXPECT_EQ(passes.received[1].header.flags, 1U);
    EXPECT_EQ(passes.received[1].bytes, "");
    EXPECT_EQ(passes.passed[0].sent, kSuccess);
    EXPECT_EQ(passes.received[0].bytes, "bbbbbbbbbb");
    EXPECT_EQ(passes.run.num_stranded, 0);
}

TEST(Channel, what_does_not_come_whole_is_nothing) {
    for (const WireFault::Kind kind : {WireFault::kLost, WireFault::kCut}) {
        for (const long message : {1, 2}) {
            const Passes passes = pass(100000, 0, {kind, 1, message, 1});
            EXPECT_NE(passes.passed[1].received, kSuccess);
            EXPECT_EQ(passes.received[1].bytes, "");
            EXPECT_EQ(passes.received[1].header.flags, message == 1 ? 0U : 1U);
        }
    }
}

TEST(Channel, reports_an_error_of_either_half_alone) {
    const Passes passes = pass(10, 10, {WireFault::kUnsent, 0, 1, 1});
    EXPECT_NE(passes.passed[0].sent, kSuccess);
    EXPECT_EQ(passes.passed[0].received, kSuccess);
    EXPECT_EQ(passes.received[1].bytes, "aaaaaaaaaa");
    const Passes dead = pass(10, 10, {WireFault::kDeath, 0, 1, 1});
    EXPECT_NE(dead.passed[1].sent, kSuccess);
    EXPECT_NE(dead.passed[1].received, kSuccess);
}

}  // namespace
}  // namespace hitopo
