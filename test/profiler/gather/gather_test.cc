// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whole gatherings among threads. What rank 0 takes has to be what it took when it asked one process
// after the other, of those that are there.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "profiler/gather/duties.h"
#include "profiler/gather/root.h"
#include "test/profiler/gather/fake_world.h"

namespace hitopo {
namespace {

using Keys = std::vector<std::uint64_t>;

struct FakeProcess {
    std::int64_t node = 0;
    Keys keys;
    std::vector<PartHead> parts;
};
using FakeJob = std::vector<FakeProcess>;

// ---- one after the other ----

struct Text {
    std::uint64_t elapsed_ns;
    std::string descriptions, traffic;
    friend bool operator==(const Text& a, const Text& b) {
        return std::tie(a.elapsed_ns, a.descriptions, a.traffic) ==
               std::tie(b.elapsed_ns, b.descriptions, b.traffic);
    }
    friend std::ostream& operator<<(std::ostream& out, const Text& text) {
        return out << text.elapsed_ns << ' ' << text.descriptions << ' ' << text.traffic;
    }
};

std::string description(int rank, std::uint64_t key) {
    return std::to_string(key) + " by " + std::to_string(rank) + ';';
}

std::string traffic(int rank, int number, const std::vector<std::int32_t>& ids) {
    std::string text = "rank " + std::to_string(rank) + " part " + std::to_string(number);
    for (const std::int32_t id : ids) {
        text += ' ' + std::to_string(id);
    }
    return text;
}

const PartHead* part_of(const FakeProcess& process, int number) {
    const auto count = static_cast<int>(process.parts.size());
    return number == kEnd        ? &process.parts.back()
           : number <= count - 1 ? &process.parts[static_cast<std::size_t>(number) - 1]
                                 : nullptr;
}

// ranks: the only ones whose texts are expected.
std::map<int, Text> expected(const FakeJob& job, int number, const std::set<int>& ranks) {
    std::map<std::uint64_t, std::int32_t> ids;
    std::map<int, Text> texts;
    for (const int rank : ranks) {
        const FakeProcess& process = job[static_cast<std::size_t>(rank)];
        const PartHead* part = part_of(process, number);
        if (part == nullptr) {
            continue;
        }
        std::vector<std::int32_t> own_ids;
        std::string descriptions;
        for (std::uint32_t i = 0; i < part->num_keys; ++i) {
            const auto next = static_cast<std::int32_t>(ids.size());
            const auto [entry, is_new] = ids.emplace(process.keys[i], next);
            own_ids.push_back(entry->second);
            descriptions += is_new ? description(rank, process.keys[i]) : "";
        }
        texts[rank] = {part->elapsed_ns, descriptions, traffic(rank, number, own_ids)};
    }
    return texts;
}

// ---- the gathering ----

class FakeSource : public PartSource {
public:
    FakeSource(const FakeJob& job, int rank)
        : process_(job[static_cast<std::size_t>(rank)]), rank_(rank) {}
    void tell(Heads& heads) const override { heads.add(rank_, process_.keys, process_.parts); }
    std::string answer(const Order& order) const override {
        if (part_of(process_, order.number) == nullptr) {
            return "";
        }
        std::string descriptions;
        for (std::size_t i = 0; i < order.is_new.size(); ++i) {
            descriptions += order.is_new[i] != 0 ? description(rank_, process_.keys[i]) : "";
        }
        const std::string own = traffic(rank_, order.number, order.ids);
        return encode(Answer{rank_, descriptions, own});
    }

private:
    const FakeProcess& process_;
    int rank_;
};

struct Taken {
    std::vector<std::pair<int, Text>> texts;  // in their order, by rank
};

int rank_of(std::string_view text) { return std::stoi(std::string(text.substr(5))); }

// What rank 0 takes: entry n of part n; of the end first.
std::vector<Taken> gather(FakeWorld& world, const FakeJob& job, std::uint64_t window_bytes) {
    const auto size = static_cast<int>(job.size());
    std::vector<Taken> reports;
    world.run([&](Post& post, int rank) {
        const FakeSource own(job, rank);
        const Duties duties =
            duties_of(rank, size, [&](int other) { return job[static_cast<std::size_t>(other)].node; });
        if (rank == 0) {
            NodeLeader leader(post, 0, duties.members, own);
            Root root(post, size, leader, duties.leaders, window_bytes);
            reports.resize(static_cast<std::size_t>(root.num_snapshots()) + 1);
            for (int number = 0; number <= root.num_snapshots(); ++number) {
                root.collect(number, true, [&](const Root::Taken& part) {
                    reports[static_cast<std::size_t>(number)].texts.push_back(
                        {rank_of(part.traffic),
                         {part.head.elapsed_ns, std::string(part.descriptions),
                          std::string(part.traffic)}});
                });
            }
        } else if (duties.leader == rank) {
            lead_node(post, rank, duties.members, own);
        } else {
            follow(post, duties.leader, own);
        }
    });
    return reports;
}

// ---- jobs ----

int pick(std::mt19937& random, int count) {
    return static_cast<int>(random() % static_cast<unsigned>(count));
}

// Some processes know no node. Keys are shared by many, by few, or one's own.
FakeJob random_job(std::mt19937& random, int size) {
    const int num_nodes = 1 + pick(random, size);
    const int mapping = pick(random, 3);
    FakeJob job;
    for (int rank = 0; rank < size; ++rank) {
        FakeProcess process;
        process.node = mapping == 0   ? rank * num_nodes / size
                       : mapping == 1 ? rank % num_nodes
                                      : pick(random, num_nodes + 1) - 1;
        std::set<std::uint64_t> keys;
        for (int i = pick(random, 6); i > 0; --i) {
            const int kind = pick(random, 3);
            keys.insert(kind == 0   ? static_cast<std::uint64_t>(pick(random, 3))
                        : kind == 1 ? 100 + static_cast<std::uint64_t>(rank / 2 + pick(random, 2))
                                    : 1000 + static_cast<std::uint64_t>(pick(random, 1000)));
        }
        process.keys.assign(keys.begin(), keys.end());
        std::shuffle(process.keys.begin(), process.keys.end(), random);
        std::uint32_t num_keys = 0;
        for (int i = pick(random, 3); i >= 0; --i) {
            const auto all = static_cast<std::uint32_t>(process.keys.size());
            num_keys = i == 0 ? all
                              : num_keys + static_cast<std::uint32_t>(
                                               pick(random, static_cast<int>(all - num_keys) + 1));
            process.parts.push_back(
                {random(), 0, static_cast<std::uint64_t>(pick(random, 100)), num_keys});
        }
        job.push_back(std::move(process));
    }
    return job;
}

std::set<int> all_of(const FakeJob& job) {
    std::set<int> ranks;
    for (int rank = 0; rank < static_cast<int>(job.size()); ++rank) {
        ranks.insert(rank);
    }
    return ranks;
}

int leader_of(const FakeJob& job, int rank) {
    return duties_of(rank, static_cast<int>(job.size()),
                     [&](int other) { return job[static_cast<std::size_t>(other)].node; })
        .leader;
}

// Whatever was taken is in order, and what it is without those that were not.
void expect_good(const FakeJob& job, int number, const Taken& taken) {
    std::set<int> ranks;
    for (const auto& [rank, text] : taken.texts) {
        EXPECT_TRUE(ranks.empty() || rank > *ranks.rbegin()) << "rank " << rank;
        ranks.insert(rank);
    }
    const std::map<int, Text> good = expected(job, number, ranks);
    for (const auto& [rank, text] : taken.texts) {
        EXPECT_EQ(text, good.at(rank));
    }
}

TEST(Gather, gives_what_one_after_the_other_gave) {
    std::mt19937 random(14);
    for (int round = 0; round < 100; ++round) {
        const FakeJob job = random_job(random, 1 + pick(random, 12));
        FakeWorld world(static_cast<int>(job.size()));
        const std::uint64_t window_bytes =
            std::array<std::uint64_t, 3>{0, 150, Root::kWindowBytes}[round % 3];
        const std::vector<Taken> reports = gather(world, job, window_bytes);
        ASSERT_EQ(world.num_stuck(), 0) << "round " << round;
        for (int number = 0; number < static_cast<int>(reports.size()); ++number) {
            const std::map<int, Text> good = expected(job, number, all_of(job));
            const Taken& taken = reports[static_cast<std::size_t>(number)];
            ASSERT_EQ(taken.texts, (std::vector<std::pair<int, Text>>(good.begin(), good.end())))
                << "round " << round << " part " << number;
        }
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
        const std::vector<Taken> reports = gather(world, job, round % 2 == 0 ? 150 : Root::kWindowBytes);
        ASSERT_EQ(world.num_stuck(), 0) << "round " << round;
        for (int number = 0; number < static_cast<int>(reports.size()); ++number) {
            const Taken& taken = reports[static_cast<std::size_t>(number)];
            expect_good(job, number, taken);
            std::set<int> ranks;
            for (const auto& [rank, text] : taken.texts) {
                ranks.insert(rank);
            }
            for (const auto& [rank, text] : expected(job, number, all_of(job))) {
                const bool is_excused = world.is_dead(rank) || world.is_dead(leader_of(job, rank));
                EXPECT_TRUE(ranks.count(rank) > 0 || is_excused)
                    << "rank " << rank << " round " << round;
                num_lost += ranks.count(rank) > 0 ? 0 : 1;
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
        (void)gather(world, job, Root::kWindowBytes);
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
        const std::vector<Taken> reports = gather(world, job, Root::kWindowBytes);
        ASSERT_EQ(world.num_stuck(), 0) << "round " << round;
        for (int number = 0; number < static_cast<int>(reports.size()); ++number) {
            expect_good(job, number, reports[static_cast<std::size_t>(number)]);
        }
    }
}

// One process's source has no memory for its heads (0), or its answers (1).
TEST(Gather, does_without_a_process_that_has_no_memory) {
    class Failing : public FakeSource {
    public:
        Failing(const FakeJob& job, int rank, int what) : FakeSource(job, rank), what_(what) {}
        void tell(Heads& heads) const override {
            FakeSource::tell(heads);
            if (what_ == 0) {
                throw std::bad_alloc();
            }
        }
        std::string answer(const Order& order) const override {
            return what_ == 1 ? throw std::bad_alloc() : FakeSource::answer(order);
        }

    private:
        int what_;
    };
    FakeJob job(6);
    for (int rank = 0; rank < 6; ++rank) {
        job[static_cast<std::size_t>(rank)] = {rank / 3, {7}, {{0, 0, 10, 1}}};
    }
    for (const int what : {0, 1}) {
        for (const int victim : {0, 1, 3, 5}) {
            FakeWorld world(6);
            std::set<int> ranks;
            world.run([&](Post& post, int rank) {
                const Failing own(job, rank, rank == victim ? what : 2);
                const Duties duties = duties_of(rank, 6, [](int other) { return other / 3; });
                if (rank == 0) {
                    NodeLeader leader(post, 0, duties.members, own);
                    Root root(post, 6, leader, duties.leaders);
                    root.collect(kEnd, true,
                                 [&](const Root::Taken& part) { ranks.insert(rank_of(part.traffic)); });
                } else if (duties.leader == rank) {
                    lead_node(post, rank, duties.members, own);
                } else {
                    follow(post, duties.leader, own);
                }
            });
            EXPECT_EQ(world.num_stuck(), 0);
            std::set<int> good = {0, 1, 2, 3, 4, 5};
            good.erase(victim);
            if (what == 0 && victim % 3 == 0) {  // a leader without its own heads has none of its node
                good.erase(victim + 1);
                good.erase(victim + 2);
            }
            EXPECT_EQ(ranks, good) << "victim " << victim << " what " << what;
        }
    }
}

// Two from each other node, two from each other process of its own; in a job of slots or by node alike.
TEST(Gather, rank_0_receives_two_messages_a_node) {
    for (const bool is_cyclic : {false, true}) {
        FakeJob job(32);
        for (int rank = 0; rank < 32; ++rank) {
            job[static_cast<std::size_t>(rank)] = {
                is_cyclic ? rank % 8 : rank / 4, {7}, {{0, 0, 1000, 1}}};
        }
        FakeWorld world(32);
        const std::vector<Taken> reports = gather(world, job, Root::kWindowBytes);
        EXPECT_EQ(reports[kEnd].texts.size(), 32U);
        EXPECT_EQ(world.num_received(0), 2 * 7 + 2 * 3);
        EXPECT_EQ(world.num_sent(0), 2 * 7 + 2 * 3);
        EXPECT_EQ(world.num_received(31), 2);
        EXPECT_EQ(world.num_sent(31), 2);
    }
}

// Three processes of 40 bytes in windows of 100: two windows, and so one answer more from the second
// node.
TEST(Gather, no_window_is_larger_than_it_may_be_unless_by_one_process) {
    FakeJob job(4);
    for (int rank = 0; rank < 4; ++rank) {
        job[static_cast<std::size_t>(rank)] = {
            rank == 0 ? 0 : 1, {7}, {{0, 0, rank == 0 ? 0U : 40U, 1}}};
    }
    const auto num_received = [&](std::uint64_t window_bytes) {
        FakeWorld world(4);
        (void)gather(world, job, window_bytes);
        EXPECT_EQ(world.num_sent(3), 2) << "each is asked once";
        return world.num_received(0);
    };
    EXPECT_EQ(num_received(120), 2);
    EXPECT_EQ(num_received(119), 3);
    EXPECT_EQ(num_received(40), 4);
    EXPECT_EQ(num_received(0), 4);
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
