// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which calls are served: coll_hitopo_serve.
#include <gtest/gtest.h>

#include <random>

#include "ompi/mca/coll/hitopo/core/settings.h"
#include "test/core/record/for_seeds.h"
#include "test/support/random_cases.h"

namespace hitopo::coll {
namespace {

bool serves(std::string_view text, std::string_view kind, std::size_t bytes) {
    const Result<Served> served = parse_serve(text, {});
    EXPECT_TRUE(served.is_ok()) << text;
    for (std::size_t i = 0; served && i < kServedKinds.size(); ++i) {
        if (kServedKinds[i] == kind) {
            return has((*served)[i], bytes);
        }
    }
    return false;
}

TEST(Serve, ranges_include_both_ends) {
    const std::string_view text = " Allreduce:0- , bcast:0-2048/8192-,barrier, alltoall:5-5";
    EXPECT_TRUE(serves(text, "allreduce", 0));
    EXPECT_TRUE(serves(text, "allreduce", SIZE_MAX));
    EXPECT_TRUE(serves(text, "bcast", 2048));
    EXPECT_FALSE(serves(text, "bcast", 2049));
    EXPECT_FALSE(serves(text, "bcast", 8191));
    EXPECT_TRUE(serves(text, "bcast", 8192));
    EXPECT_TRUE(serves(text, "barrier", 1));
    EXPECT_TRUE(serves(text, "alltoall", 5));
    EXPECT_FALSE(serves(text, "alltoall", 4));
    EXPECT_FALSE(serves(text, "alltoall", 6));
    EXPECT_FALSE(serves(text, "reduce", 8));
}

TEST(Serve, all_none_and_the_default) {
    for (const std::string_view kind : kServedKinds) {
        EXPECT_TRUE(serves("all", kind, 1));
        EXPECT_TRUE(serves("ALL", kind, SIZE_MAX));
        EXPECT_FALSE(serves("none", kind, 1));
        EXPECT_EQ(serves("", kind, 100), serves(default_serve({}), kind, 100));
    }
}

// A communicator has 8 processes, so many on each node.
Shape shape_of(int num_in_node, bool is_by_slot) {
    Shape shape;
    shape.num_processes = 8;
    shape.is_by_slot = is_by_slot;
    shape.max_children[kNode] = num_in_node < 8 ? 8 / num_in_node : 0;
    shape.max_children[kProcess] = num_in_node > 1 ? num_in_node : 0;
    return shape;
}

// Before its shape is known, no call is left out that may be served: the communicator's rank that knows
// it already, since Open MPI's progress made a call, would serve it.
TEST(Serve, of_no_shape_is_all_that_is_served_of_any) {
    const Result<Served> any = parse_serve("", {});
    ASSERT_TRUE(any);
    for (const int num_in_node : {1, 2, 8}) {
        for (const bool is_by_slot : {false, true}) {
            const Result<Served> served = parse_serve("", shape_of(num_in_node, is_by_slot));
            ASSERT_TRUE(served);
            for (std::size_t kind = 0; kind < kServedKinds.size(); ++kind) {
                for (std::size_t bytes = 1; bytes < std::size_t{1} << 40; bytes *= 2) {
                    EXPECT_LE(has((*served)[kind], bytes), has((*any)[kind], bytes))
                        << kServedKinds[kind] << ", " << bytes;
                }
            }
        }
    }
}

// Two nodes of two processes have nothing short served, and few processes no alltoall (kind 5).
TEST(Serve, few_processes_leave_short_calls) {
    Shape shape = shape_of(2, true);
    EXPECT_TRUE(has((*parse_serve("", shape))[2], 8));
    EXPECT_FALSE(has((*parse_serve("", shape))[5], 8));
    shape.num_processes = 16;
    EXPECT_TRUE(has((*parse_serve("", shape))[5], 8));
    shape.num_processes = 4;
    const Result<Served> served = parse_serve("", shape);
    EXPECT_TRUE(std::none_of(served->begin(), served->end(),
                             [](const ByteRanges& ranges) { return has(ranges, 2048); }));
}

// Kind 2 is allreduce.
TEST(Serve, a_process_a_node_leaves_short_calls_but_what_nodes_exchange) {
    Shape shape = shape_of(1, true);
    for (const int num_nodes : {2, 8}) {
        shape.num_processes = num_nodes;
        const Result<Served> served = parse_serve("", shape);
        ASSERT_TRUE(served);
        for (std::size_t kind = 0; kind < kServedKinds.size(); ++kind) {
            const bool is_exchanged = num_nodes > 2 && (kind == 2 || kind == kBarrier);
            EXPECT_EQ(has((*served)[kind], 1), is_exchanged) << kServedKinds[kind];
            EXPECT_EQ(has((*served)[kind], 65536), is_exchanged && kind == kBarrier);
        }
        EXPECT_TRUE(has((*served)[2], 2048) == (num_nodes > 2) && !has((*served)[2], 4 << 20));
    }
    shape.may_exchange = false;
    EXPECT_FALSE(has((*parse_serve("", shape))[2], 8));
}

TEST(Serve, text_means_what_it_was_made_of) {
    for_seeds(random_cases(200), [](std::mt19937_64& random) {
        Served served;
        for (ByteRanges& ranges : served) {
            for (std::size_t i = random() % (kMaxRanges + 1); i > 0; --i) {
                const std::size_t first = random() >> (random() % 64);
                ranges.push_back({first, first + ((SIZE_MAX - first) >> random() % 64)});
            }
        }
        const Result<Served> again = parse_serve(format_serve(served), {});
        ASSERT_TRUE(again.is_ok()) << format_serve(served);
        for (std::size_t kind = 0; kind < served.size(); ++kind) {
            ASSERT_EQ((*again)[kind].size(), served[kind].size());
            for (std::size_t i = 0; i < served[kind].size(); ++i) {
                ASSERT_EQ((*again)[kind][i].first, served[kind][i].first);
                ASSERT_EQ((*again)[kind][i].last, served[kind][i].last);
            }
        }
    });
}

TEST(Serve, an_error_names_what_is_wrong) {
    const auto expect_error = [](std::string_view text, std::string_view value, int column) {
        const Result<Served> served = parse_serve(text, {});
        ASSERT_FALSE(served.is_ok()) << text;
        EXPECT_EQ(served.error().value, value);
        EXPECT_EQ(served.error().column, column);
        EXPECT_EQ(served.error().where, "coll_hitopo_serve");
    };
    expect_error("bcast,scan", "scan", 7);
    expect_error("bcast,", "", 7);
    expect_error("all,bcast", "all", 1);
    EXPECT_EQ(parse_serve("all,none", {}).error().message,
              "all and none stand alone; remove this word or all others");
    for (const char* range : {"", "8", "-8", "8-7", "a-", "1-b", "1--2", "18446744073709551616-"}) {
        expect_error(std::string("reduce:0-1/") + range, range, 12);
    }
    expect_error("bcast:1-1/2-2/3-3/4-4/5-5", "5-5", 23);
    expect_error("bcast,reduce,bcast", "bcast", 14);
    expect_error("bcast:0-1,Bcast:2-3", "Bcast", 11);
}

}  // namespace
}  // namespace hitopo::coll
