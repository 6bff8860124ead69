// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/channel.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "test/base/exchange/simulated_wire.h"

namespace hitopo {
namespace {

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
        passes.received[own] = channel.pass(1 - own, header, bytes, 1 - own);
    });
    return passes;
}

TEST(Channel, passes_messages_of_any_length) {
    for (const std::size_t first : {0, 1, 8168, 8169, 100000}) {
        for (const std::size_t second : {0, 8168, 8169}) {
            const Passes passes = pass(first, second);
            EXPECT_EQ(passes.received[1].bytes, std::string(first, 'a'));
            EXPECT_EQ(passes.received[0].bytes, std::string(second, 'b'));
            EXPECT_EQ(passes.received[0].header.flags, 2U);
            EXPECT_EQ(passes.received[1].header.flags, 1U);
            EXPECT_EQ(passes.run.num_stranded, 0);
            EXPECT_EQ(passes.run.end, std::nullopt);
            const long num_messages = std::max(first, second) > 8168 ? 2 : 1;
            EXPECT_EQ(passes.run.num_messages, (std::vector<long>{num_messages, num_messages}));
        }
    }
}

TEST(Channel, throws_where_a_message_fails_or_does_not_come_whole) {
    for (const WireFault::Kind kind : {WireFault::kUnsent, WireFault::kLost, WireFault::kCut}) {
        for (const long message : {1, 2}) {
            const Passes passes = pass(100000, 100000, {kind, 1, message, 1});
            EXPECT_EQ(passes.run.end, (SimulatedRun::End{1, kErrorGeneric})) << kind << message;
        }
    }
    const Passes passes = pass(100000, 10, {WireFault::kAllocation, 1, 1, 1});
    EXPECT_EQ(passes.run.end, (SimulatedRun::End{1, kErrorOutOfResource}));
}

}  // namespace
}  // namespace hitopo
