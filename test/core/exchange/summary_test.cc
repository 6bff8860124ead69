// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "test/core/exchange/for_seeds.h"

namespace hitopo {
namespace {

using Members = std::vector<std::pair<std::uint32_t, Contribution>>;

Contribution said_by(const FakeProcess& process) {
    return make_contribution(process.facts, process.answers);
}

FakeProcess on_core(int node, int core) {
    char name[16];
    std::snprintf(name, sizeof name, "n%05d", node);
    FakeProcess process = on_host(name, "boot" + std::string(name));
    process.says("slurm", kNode, Name(name))
        .says("slurm", kSwitch, Name("s" + std::to_string(node / 20)));
    return process.runs_on(std::to_string(core));
}

// What each rank says, read back out of the summary.
std::vector<Contribution> spoken(const Summary& summary, std::size_t num_processes) {
    std::vector<Contribution> all(num_processes);
    NodeCards::Reader node_cards(summary.node_cards());
    for (const Summary::Part& part : summary.parts()) {
        (void)node_cards.next();
        const std::uint32_t* card = summary.seating(part.seating).data();
        summary.ranks(part).for_each([&](std::uint32_t rank) {
            all[rank] = {node_cards.card(), summary.process_cards()[*card++], ""};
        });
    }
    return all;
}

TEST(Summary, says_of_each_process_what_it_said) {
    for_seeds(300, [](std::mt19937_64& random) {
        const FakeJob job = random_job(random, {true, true, 0, true});
        const Summary summary = gather(job).summary;
        const std::vector<Contribution> all = spoken(summary, job.size());
        for (std::size_t rank = 0; rank < job.size(); ++rank) {
            const Contribution said = said_by(job[rank]);
            ASSERT_EQ(all[rank].node_card, said.node_card);
            ASSERT_EQ(all[rank].process_card, said.process_card);
            const bool has_machine = std::find(summary.machines().begin(), summary.machines().end(),
                                               said.machine) != summary.machines().end();
            ASSERT_TRUE(said.machine.empty() || has_machine);
        }
    });
}

std::vector<int> random_groups(std::mt19937_64& random, std::size_t num_processes) {
    const std::uint64_t num_groups = 1 + random() % num_processes;
    std::vector<int> group_of(num_processes);
    for (int& group : group_of) {
        group = static_cast<int>(random() % num_groups);
    }
    return group_of;
}

// However processes come together: alone, by host, as one, across hosts.
TEST(Summary, is_the_same_of_all_groupings) {
    for_seeds(300, [](std::mt19937_64& random) {
        const FakeJob job = random_job(random, {true, true, 0, true});
        const Table table = table_of(job);
        std::vector<int> alone(job.size());
        std::iota(alone.begin(), alone.end(), 0);
        for (const std::vector<int>& groups :
             {alone, std::vector<int>(job.size(), 0), random_groups(random, job.size())}) {
            Directory directory = gather(job, all_of(job, groups)).directory;
            const Table other(std::move(directory.dictionary), directory.occupancy);
            for (std::size_t rank = 0; rank < job.size(); ++rank) {
                ASSERT_EQ(address_of(other, rank), address_of(table, rank)) << rank;
                ASSERT_EQ(other.shared_id(rank), table.shared_id(rank));
            }
        }
    });
}

TEST(Summary, has_equal_bytes_in_whatever_order_the_groups_came) {
    std::mt19937_64 random(test_seed());
    const FakeJob job = random_job(random, {true, true, 6, true});
    std::vector<Summary> groups;
    for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
        groups.push_back(Summary::of_group({{rank, said_by(job[rank])}}));
    }
    std::string first;
    for (int i = 0; i < 20; ++i) {
        Summary all;
        for (const Summary& group : groups) {
            all.append(group);
        }
        const std::string bytes = all.in_order().encode(1);
        ASSERT_TRUE(first.empty() || bytes == first);
        first = bytes;
        std::shuffle(groups.begin(), groups.end(), random);
    }
}

TEST(Summary, its_first_groups_are_a_summary_of_them_alone) {
    Summary all, first;
    for (int node = 0; node < 5; ++node) {
        Members members;
        for (int core = 0; core < 4; ++core) {
            members.emplace_back(4 * node + core, said_by(on_core(node, core + node)));
        }
        all.append(Summary::of_group(members));
        if (node < 3) {
            first.append(Summary::of_group(members));
        }
    }
    EXPECT_EQ(all.encode(3), first.encode(3));
    EXPECT_EQ(Summary::decode(all.encode(3), 20)->num_groups(), 3U);
    EXPECT_EQ(Summary::decode(all.encode(5), 20)->num_groups(), 5U);
    EXPECT_EQ(all.encode(9), all.encode(5));
}

// 1000 nodes of 50: the bound is 1 MB at 20 000 nodes.
TEST(Summary, costs_some_25_bytes_a_node_where_ranks_go_by_slot) {
    Summary all;
    for (int node = 0; node < 1000; ++node) {
        Members members;
        for (int core = 0; core < 50; ++core) {
            members.emplace_back(50 * node + core, said_by(on_core(node, core)));
        }
        all.append(Summary::of_group(members));
    }
    EXPECT_LT(all.encode(1000).size(), 1000U * 30 + 4000);
}

TEST(Summary, shuffled_ranks_cost_three_bytes_each_at_most) {
    constexpr std::size_t kNumNodes = 400, kNumCores = 50;
    std::mt19937_64 random(1);
    std::vector<std::uint32_t> ranks(kNumNodes * kNumCores);
    std::iota(ranks.begin(), ranks.end(), 0U);
    std::shuffle(ranks.begin(), ranks.end(), random);
    Summary all;
    for (std::size_t node = 0; node < kNumNodes; ++node) {
        std::vector<std::uint32_t> own(&ranks[node * kNumCores], &ranks[node * kNumCores] + kNumCores);
        std::sort(own.begin(), own.end());
        Members members;
        for (std::size_t core = 0; core < kNumCores; ++core) {
            members.emplace_back(own[core],
                                 said_by(on_core(static_cast<int>(node), static_cast<int>(core))));
        }
        all.append(Summary::of_group(members));
    }
    EXPECT_LT(all.in_order().encode(1).size(), ranks.size() * 3);
}

TEST(Summary, each_beginning_is_refused) {
    std::mt19937_64 random(test_seed());
    const FakeJob job = random_job(random, {true, true, 3, true});
    const std::string bytes = gather(job).bytes;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const Result<Summary> cut = Summary::decode(bytes.substr(0, length), job.size());
        ASSERT_FALSE(cut.is_ok()) << length;
        ASSERT_EQ(cut.error().code, Errc::kDisagree);
    }
    EXPECT_FALSE(Summary::decode(bytes + "x", job.size()).is_ok());
    EXPECT_FALSE(Summary::decode(bytes, job.size() - 1).is_ok()) << "a rank that is none";
    std::string other_version = bytes;
    other_version[0] ^= 1;
    EXPECT_FALSE(Summary::decode(other_version, job.size()).is_ok());
}

}  // namespace
}  // namespace hitopo
