// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whole gatherings among threads: rank 0 has to take what all processes have that are there, and nobody
// waits for ever.
#include "profiler/gather/gather.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <new>
#include <random>
#include <set>

#include "profiler/test/gather/fake_world.h"

namespace hitopo {
namespace {

struct FakeProcess {
    std::int64_t node = 0;
    int num_reports = 1;  // the end's is the last one
};
using FakeJob = std::vector<FakeProcess>;

std::string bytes_of(int rank, int report) {
    return std::to_string(rank) + " in report " + std::to_string(report) +
           std::string(static_cast<std::size_t>(rank) * 20, 'm');
}

Parts parts_of(const FakeJob& job, int rank) {
    Parts parts;
    for (int left = job[static_cast<std::size_t>(rank)].num_reports; left > 0; --left) {
        const int report = left == 1 ? kEnd : static_cast<int>(parts.size()) + 1;
        parts.push_back({report, rank, bytes_of(rank, report)});
    }
    return parts;
}

GatherPlan plan_in(const FakeJob& job, int rank) {
    return gather_plan(rank, static_cast<int>(job.size()),
                       [&](int other) { return job[static_cast<std::size_t>(other)].node; });
}

// Returns the parts that rank 0 took: ranks of each report. Looks whether it is what these had, once.
// own: what a process has.
std::map<int, std::set<int>> gather(FakeWorld& world, const FakeJob& job,
                                    const std::function<Parts(int)>& own) {
    const auto size = static_cast<int>(job.size());
    std::map<int, std::set<int>> ranks;
    int last_end = 0;
    const auto take = [&](Parts&& parts, int end) {
        for (const ProcessPart& part : parts) {
            EXPECT_GE(part.rank, last_end) << "it was said that none comes";
            EXPECT_TRUE(ranks[part.report].insert(part.rank).second);
            EXPECT_EQ(part.bytes, bytes_of(part.rank, part.report));
        }
        EXPECT_GT(end, last_end);
        last_end = end;
    };
    world.run([&](PeerMessages& messages, int rank) {
        gather(
            messages, rank, size, plan_in(job, rank), [&] { return own(rank); }, take);
    });
    EXPECT_EQ(world.num_stuck(), 0);
    EXPECT_TRUE(last_end == size || world.is_dead(0));
    return ranks;
}

std::map<int, std::set<int>> gather(FakeWorld& world, const FakeJob& job) {
    return gather(world, job, [&](int rank) { return parts_of(job, rank); });
}

std::map<int, std::set<int>> all_of(const FakeJob& job) {
    std::map<int, std::set<int>> ranks;
    for (int rank = 0; rank < static_cast<int>(job.size()); ++rank) {
        for (const ProcessPart& part : parts_of(job, rank)) {
            ranks[part.report].insert(rank);
        }
    }
    return ranks;
}

// ---- jobs ----

int pick(std::mt19937& random, int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
}

// Some processes know no node.
FakeJob random_job(std::mt19937& random, int size) {
    const int num_nodes = 1 + pick(random, size);
    const int mapping = pick(random, 3);
    FakeJob job;
    for (int rank = 0; rank < size; ++rank) {
        job.push_back({mapping == 0   ? rank * num_nodes / size
                       : mapping == 1 ? rank % num_nodes
                                      : pick(random, num_nodes + 1) - 1,
                       1 + pick(random, 3)});
    }
    return job;
}

TEST(Gather, rank_0_takes_what_all_have) {
    std::mt19937 random(14);
    for (int round = 0; round < 200; ++round) {
        const FakeJob job = random_job(random, 1 + pick(random, 12));
        FakeWorld world(static_cast<int>(job.size()));
        ASSERT_EQ(gather(world, job), all_of(job)) << "round " << round;
        ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
}

// Where nothing is lost but by a death: all are there that are alive and whose leader is.
TEST(Gather, loses_those_that_die_and_their_nodes_at_most) {
    std::mt19937 random(15);
    int num_lost = 0;
    for (int round = 0; round < 200; ++round) {
        const FakeJob job = random_job(random, 2 + pick(random, 10));
        const int size = static_cast<int>(job.size());
        FakeWorld world(size);
        for (int victims = 1 + pick(random, 2); victims > 0; --victims) {
            world.kill(1 + pick(random, size - 1), 1 + pick(random, 4));
        }
        std::map<int, std::set<int>> taken = gather(world, job);
        for (const auto& [report, ranks] : all_of(job)) {
            for (const int rank : ranks) {
                const bool is_excused = world.is_dead(rank) || world.is_dead(plan_in(job, rank).leader);
                EXPECT_TRUE(taken[report].count(rank) > 0 || is_excused)
                    << "rank " << rank << " round " << round;
                num_lost += taken[report].count(rank) > 0 ? 0 : 1;
            }
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
    EXPECT_GT(num_lost, 30);
}

TEST(Gather, nobody_waits_where_rank_0_dies) {
    std::mt19937 random(16);
    for (int round = 0; round < 60; ++round) {
        const FakeJob job = random_job(random, 2 + pick(random, 10));
        FakeWorld world(static_cast<int>(job.size()));
        world.kill(0, 1 + pick(random, 6));
        (void)gather(world, job);
        ASSERT_EQ(world.num_stuck(), 0) << "round " << round;
    }
}

TEST(Gather, nobody_waits_where_memory_is_lacking) {
    std::mt19937 random(17);
    for (int round = 0; round < 150; ++round) {
        const FakeJob job = random_job(random, 2 + pick(random, 10));
        const int size = static_cast<int>(job.size());
        FakeWorld world(size);
        world.lose(pick(random, size), 1 + pick(random, 4));
        (void)gather(world, job);
        ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
}

TEST(Gather, does_without_a_process_that_has_no_memory) {
    FakeJob job(6);
    for (int rank = 0; rank < 6; ++rank) {
        job[static_cast<std::size_t>(rank)].node = rank / 3;
    }
    for (const int victim : {1, 3, 5}) {
        FakeWorld world(6);
        std::set<int> good = {0, 1, 2, 3, 4, 5};
        good.erase(victim);
        const auto own = [&](int rank) {
            if (rank == victim) {
                throw std::bad_alloc();
            }
            return parts_of(job, rank);
        };
        EXPECT_EQ(gather(world, job, own)[kEnd], good) << "victim " << victim;
    }
}

// From each other node, and from each other process of its own; in a job of slots or by node alike.
TEST(Gather, rank_0_receives_one_message_a_node) {
    for (const bool is_cyclic : {false, true}) {
        FakeJob job(32);
        for (int rank = 0; rank < 32; ++rank) {
            job[static_cast<std::size_t>(rank)] = {is_cyclic ? rank % 8 : rank / 4, 2};
        }
        FakeWorld world(32);
        EXPECT_EQ(gather(world, job)[kEnd].size(), 32U);
        EXPECT_EQ(world.num_received(0), 7 + 3);
        EXPECT_EQ(world.num_sent(0), 0);
        EXPECT_EQ(world.num_received(31), 0);
        EXPECT_EQ(world.num_sent(31), 1);
    }
}

TEST(Parts, decode_is_the_inverse_of_encode) {
    const Parts parts = parts_of({{0, 2}}, 0);
    const std::optional<Parts> decoded = decode_parts(encode(parts));
    ASSERT_TRUE(decoded);
    ASSERT_EQ(decoded->size(), 2U);
    EXPECT_EQ((*decoded)[0].report, 1);
    EXPECT_EQ((*decoded)[1].report, kEnd);
    EXPECT_EQ((*decoded)[0].bytes, bytes_of(0, 1));
    EXPECT_EQ(decode_parts("")->size(), 0U);
}

// Between two parts it is whole, but for what is missing.
TEST(Parts, decode_refuses_what_is_cut_off_or_absurd) {
    const std::string bytes = encode(parts_of({{0, 1}}, 0));
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        EXPECT_FALSE(decode_parts(bytes.substr(0, size))) << size;
    }
    EXPECT_FALSE(decode_parts(bytes + 'x'));
    EXPECT_FALSE(decode_parts(PeerMessages::kLost));
    EXPECT_FALSE(decode_parts("\xff\xff\xff\xff\x0f" + bytes.substr(1)));  // a negative report
}

TEST(GatherPlan, a_leader_is_its_nodes_lowest_rank) {
    const std::vector<std::int64_t> nodes = {5, 2, -1, 2, 5, -1, 2};
    const auto of = [&](int rank) {
        return gather_plan(rank, 7, [&](int other) { return nodes[static_cast<std::size_t>(other)]; });
    };
    EXPECT_EQ(of(0).members, (std::vector<int>{4}));
    EXPECT_EQ(of(0).leaders, (std::vector<int>{1, 2, 5}));
    EXPECT_EQ(of(1).leader, 1);
    EXPECT_EQ(of(1).members, (std::vector<int>{3, 6}));
    EXPECT_EQ(of(1).leaders, std::vector<int>());
    EXPECT_EQ(of(3).leader, 1);
    EXPECT_EQ(of(3).members, std::vector<int>());
    EXPECT_EQ(of(4).leader, 0);
    EXPECT_EQ(of(5).leader, 5);
    EXPECT_EQ(of(6).hash, of(0).hash);
    const GatherPlan other = gather_plan(
        0, 7, [&](int rank) { return rank == 6 ? 5 : nodes[static_cast<std::size_t>(rank)]; });
    EXPECT_NE(other.hash, of(0).hash);
}

}  // namespace
}  // namespace hitopo
