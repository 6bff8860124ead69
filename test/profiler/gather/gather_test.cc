// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whole gatherings among threads: rank 0 has to take what all processes have that are there, and a
// description of each communicator in it, and nobody waits for ever.
#include "profiler/gather/gather.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <new>
#include <random>
#include <set>

#include "test/profiler/gather/fake_world.h"

namespace hitopo {
namespace {

using Keys = std::vector<std::uint64_t>;

struct FakeProcess {
    std::int64_t node = 0;
    std::vector<Keys> reports;  // the communicators of each; the end's is the last one
};
using FakeJob = std::vector<FakeProcess>;

std::string description(int report, std::uint64_t key) {
    return std::to_string(key) + " in report " + std::to_string(report);
}

std::string traffic(int rank, int report, std::uint64_t key) {
    return "rank " + std::to_string(rank) + " in " + description(report, key);
}

std::string members(int rank) { return std::string(static_cast<std::size_t>(rank) * 20, 'm'); }

Parts parts_of(const FakeJob& job, int rank) {
    const std::vector<Keys>& reports = job[static_cast<std::size_t>(rank)].reports;
    Parts parts;
    for (std::size_t i = 0; i < reports.size(); ++i) {
        const int report = i + 1 == reports.size() ? kEnd : static_cast<int>(i) + 1;
        ProcessPart part = {report, rank, 10 * static_cast<std::uint64_t>(rank) + i, i, members(rank)};
        for (const std::uint64_t key : reports[i]) {
            part.entries.push_back(
                {key, traffic(rank, report, key), [=] { return description(report, key); }});
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

Duties duties_in(const FakeJob& job, int rank) {
    return duties_of(rank, static_cast<int>(job.size()),
                     [&](int other) { return job[static_cast<std::size_t>(other)].node; });
}

// What rank 0 took: ranks of each report. Looks whether it is what these had, once, and whether each
// communicator is described. own: what a process has.
std::map<int, std::set<int>> gather(FakeWorld& world, const FakeJob& job,
                                    const std::function<Parts(int)>& own) {
    const auto size = static_cast<int>(job.size());
    std::map<int, std::set<int>> ranks;
    std::set<std::pair<int, std::uint64_t>> used, described;
    int last_end = 0;
    const auto take = [&](Parts&& parts, int end) {
        for (const ProcessPart& part : parts) {
            EXPECT_GE(part.rank, last_end) << "it was said that none comes";
            EXPECT_TRUE(ranks[part.report].insert(part.rank).second);
            const Parts all = parts_of(job, part.rank);
            const auto mine = std::find_if(all.begin(), all.end(), [&](const ProcessPart& one) {
                return one.report == part.report;
            });
            ASSERT_NE(mine, all.end());
            EXPECT_EQ(part.elapsed_ns, mine->elapsed_ns);
            EXPECT_EQ(part.remarks, mine->remarks);
            EXPECT_EQ(part.members, mine->members);
            ASSERT_EQ(part.entries.size(), mine->entries.size());
            for (std::size_t i = 0; i < part.entries.size(); ++i) {
                const ProcessPart::Entry& entry = part.entries[i];
                EXPECT_EQ(entry.key, mine->entries[i].key);
                EXPECT_EQ(entry.traffic, mine->entries[i].traffic);
                used.insert({part.report, entry.key});
                if (entry.describe) {
                    EXPECT_EQ(entry.describe(), description(part.report, entry.key));
                    EXPECT_TRUE(described.insert({part.report, entry.key}).second) << "twice";
                }
            }
        }
        EXPECT_GT(end, last_end);
        last_end = end;
    };
    world.run([&](Post& post, int rank) {
        gather(
            post, rank, size, duties_in(job, rank), [&] { return own(rank); }, take);
    });
    EXPECT_EQ(used, described);
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

// Some processes know no node. Keys are shared by many, by few, or one's own; now and then one is there
// twice.
FakeJob random_job(std::mt19937& random, int size) {
    const int num_nodes = 1 + pick(random, size);
    const int mapping = pick(random, 3);
    FakeJob job;
    for (int rank = 0; rank < size; ++rank) {
        FakeProcess process;
        process.node = mapping == 0   ? rank * num_nodes / size
                       : mapping == 1 ? rank % num_nodes
                                      : pick(random, num_nodes + 1) - 1;
        for (int i = pick(random, 3); i >= 0; --i) {
            Keys& keys = process.reports.emplace_back();
            for (int left = pick(random, 6); left > 0; --left) {
                const int kind = pick(random, 3);
                keys.push_back(kind == 0   ? static_cast<std::uint64_t>(pick(random, 3))
                               : kind == 1 ? 100 + static_cast<std::uint64_t>(rank / 2 + pick(random, 2))
                                           : 1000 + static_cast<std::uint64_t>(pick(random, 1000)));
            }
        }
        job.push_back(std::move(process));
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
            world.kill(1 + pick(random, size - 1), 1 + pick(random, 8));
        }
        std::map<int, std::set<int>> taken = gather(world, job);
        for (const auto& [report, ranks] : all_of(job)) {
            for (const int rank : ranks) {
                const bool is_excused =
                    world.is_dead(rank) || world.is_dead(duties_in(job, rank).leader);
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
        world.kill(0, 1 + pick(random, 12));
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

// It has none for its parts, or for a description.
TEST(Gather, does_without_a_process_that_has_no_memory) {
    FakeJob job(6);
    for (int rank = 0; rank < 6; ++rank) {
        job[static_cast<std::size_t>(rank)] = {rank / 3, {{static_cast<std::uint64_t>(rank)}}};
    }
    for (const bool has_parts : {false, true}) {
        for (const int victim : {1, 3, 5}) {
            FakeWorld world(6);
            std::set<int> good = {0, 1, 2, 3, 4, 5};
            good.erase(victim);
            if (has_parts && victim == 3) {  // a leader that cannot describe what it has
                good = {0, 1, 2};
            }
            const auto own = [&](int rank) {
                Parts parts = parts_of(job, rank);
                if (rank == victim && !has_parts) {
                    throw std::bad_alloc();
                }
                if (rank == victim) {
                    parts[0].entries[0].describe = []() -> std::string { throw std::bad_alloc(); };
                }
                return parts;
            };
            EXPECT_EQ(gather(world, job, own)[kEnd], good) << "victim " << victim << ' ' << has_parts;
        }
    }
}

// From each other node, and from each other process of its own: one with parts, and one with
// descriptions where there is something new; in a job of slots or by node alike.
TEST(Gather, rank_0_receives_two_messages_a_node) {
    for (const bool is_cyclic : {false, true}) {
        FakeJob job(32);
        for (int rank = 0; rank < 32; ++rank) {
            const int node = is_cyclic ? rank % 8 : rank / 4;
            job[static_cast<std::size_t>(rank)] = {node,
                                                   {{7}, {7, 100 + static_cast<std::uint64_t>(node)}}};
        }
        FakeWorld world(32);
        EXPECT_EQ(gather(world, job)[kEnd].size(), 32U);
        EXPECT_EQ(world.num_received(0), 2 * 7 + 3);
        EXPECT_EQ(world.num_sent(0), 7 + 3);
        EXPECT_EQ(world.num_received(31), 1);
        EXPECT_EQ(world.num_sent(31), 1);
    }
}

TEST(Parts, decode_is_the_inverse_of_encode) {
    const FakeJob job = {{0, {{70, 71}, {70}}}};
    Parts parts = parts_of(job, 0);
    parts[0].entries[1].describe = nullptr;
    const std::string bytes = encode(parts);
    const std::optional<Parts> decoded = decode_parts(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(encode(*decoded), bytes);
    ASSERT_EQ(decoded->size(), 2U);
    ASSERT_EQ((*decoded)[0].entries.size(), 2U);
    EXPECT_EQ((*decoded)[0].report, 1);
    EXPECT_EQ((*decoded)[1].report, kEnd);
    EXPECT_EQ((*decoded)[0].entries[1].key, 71U);
    EXPECT_TRUE((*decoded)[0].entries[0].describe);
    EXPECT_FALSE((*decoded)[0].entries[1].describe);
    EXPECT_EQ(decode_parts("")->size(), 0U);
}

// Between two parts it is whole, but for what is missing.
TEST(Parts, decode_refuses_what_is_cut_off_or_absurd) {
    const std::string bytes = encode(parts_of({{0, {{70, 71}}}}, 0));
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        EXPECT_FALSE(decode_parts(bytes.substr(0, size))) << size;
    }
    EXPECT_FALSE(decode_parts(bytes + 'x'));
    EXPECT_FALSE(decode_parts(Post::kLost));
    EXPECT_FALSE(decode_parts("\xff\xff\xff\xff\x0f" + bytes.substr(1)));  // a negative report
    EXPECT_FALSE(decode_parts(std::string("\0\0\0\0\0\x7f", 6)));          // more entries than bytes
}

TEST(Duties, a_leader_is_its_nodes_lowest_rank) {
    const std::vector<std::int64_t> nodes = {5, 2, -1, 2, 5, -1, 2};
    const auto of = [&](int rank) {
        return duties_of(rank, 7, [&](int other) { return nodes[static_cast<std::size_t>(other)]; });
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
    const Duties other =
        duties_of(0, 7, [&](int rank) { return rank == 6 ? 5 : nodes[static_cast<std::size_t>(rank)]; });
    EXPECT_NE(other.hash, of(0).hash);
}

}  // namespace
}  // namespace hitopo
