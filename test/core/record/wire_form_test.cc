// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/wire_form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "test/core/record/for_seeds.h"
#include "test/core/record/record_job.h"

namespace hitopo {
namespace {

TEST(RecordWire, what_is_read_is_written_alike) {
    for_seeds(40, [](std::mt19937_64& random) {
        const FakeJob job = random_job(random, {true, true, 0, true});
        RecordMessage all = records_of(job, hosts_of(job));
        all.uplinks = {"first", ""};
        const std::string bytes = encode(all);
        const Result<RecordMessage> read = decode(bytes, job.size());
        ASSERT_TRUE(read);
        ASSERT_EQ(encode(*read), bytes);
        ASSERT_EQ(contents_by_rank(*read, job.size()), contents_by_rank(all, job.size()));
    });
}

TEST(RecordWire, the_first_groups_are_all_that_they_are_without_the_others) {
    for_seeds(10, [](std::mt19937_64& random) {
        const FakeJob job = random_job(random, {true, true, 0, true});
        const std::vector<std::vector<std::uint32_t>> hosts = hosts_of(job);
        RecordMessage all = records_of(job, hosts);
        for (std::size_t num = 0; num <= hosts.size(); ++num) {
            const RecordMessage first =
                records_of(job, {hosts.begin(), hosts.begin() + static_cast<long>(num)});
            all.error = first.error;  // that of all
            ASSERT_EQ(encode_groups(all, num), encode(first));
        }
    });
}

// Fails where an index is out of range, if its memory is checked.
void look_at_all(const RecordMessage& message, std::size_t num_processes) {
    (void)contents_by_rank(message, num_processes);
    std::size_t num_ranks = 0;
    for (const NodeRecord& record : message.records) {
        num_ranks += record.ranks.size();
        ASSERT_LT(record.ranks.back(), num_processes);
        ASSERT_EQ(message.layouts.at(record.layout).size(), record.ranks.size());
        if (record.machine.component != 0) {
            (void)message.machines.at(record.machine.machine);
            ASSERT_LT(record.machine.rank, num_processes);
        }
    }
    ASSERT_LE(num_ranks, num_processes);
    MessageMaker maker;
    maker.append(message);
    ASSERT_EQ(contents_by_rank(maker.message(), num_processes),
              contents_by_rank(message, num_processes));
}

TEST(RecordWire, damaged_bytes_are_refused_or_make_a_sound_message) {
    int num_refused = 0, num_read = 0;
    for_seeds(40, [&](std::mt19937_64& random) {
        const FakeJob job = random_job(random, {true, true, 0, true});
        const std::string bytes = encode(records_of(job, hosts_of(job)));
        for (int i = 0; i < 50; ++i) {
            std::string damaged = bytes;
            for (auto left = 1 + random() % 3; left > 0; --left) {
                damaged[random() % damaged.size()] = static_cast<char>(random());
            }
            if (random() % 4 == 0) {
                damaged.resize(random() % damaged.size());
            }
            const Result<RecordMessage> read = decode(damaged, job.size());
            ++(read ? num_read : num_refused);
            if (read) {
                look_at_all(*read, job.size());
            }
        }
    });
    EXPECT_GT(num_refused, 200);
    EXPECT_GT(num_read, 200);
}

TEST(RecordWire, ranks_of_other_processes_are_refused) {
    const FakeJob job = {on_host("a"), on_host("a"), on_host("b")};
    const std::string bytes = encode(records_of(job, hosts_of(job)));
    EXPECT_TRUE(decode(bytes, 3));
    EXPECT_TRUE(decode(bytes, 4));
    EXPECT_FALSE(decode(bytes, 2));
    EXPECT_FALSE(decode(bytes + '\0', 3));
    EXPECT_FALSE(decode(bytes.substr(0, bytes.size() - 1), 3));
}

// 20 000 nodes of 50 processes by slot, as docs/measurements.md has them: what comes into a node.
TEST(RecordWire, a_node_takes_few_bytes) {
    constexpr int kNumNodes = 200;
    constexpr int kPerNode = 50;
    FakeJob job;
    for (int node = 0; node < kNumNodes; ++node) {
        const std::string name = "n" + std::to_string(10000 + node);
        for (int core = 0; core < kPerNode; ++core) {
            FakeProcess process = on_host(name);
            process.gives("slurm", kNode, Name(name))
                .gives("slurm", kSwitch, Name("s" + std::to_string(node / 20)))
                .runs_on(std::to_string(core));
            job.push_back(process);
        }
    }
    const std::string all = encode(records_of(job, hosts_of(job)));
    const std::string one = encode(group_of(job, hosts_of(job)[0]));
    EXPECT_LT((all.size() - one.size()) / (kNumNodes - 1), 70U);
}

// ---- messages that become one ----

using Groups = std::vector<std::vector<std::uint32_t>>;

Groups random_groups(std::mt19937_64& random, std::size_t num_processes) {
    Groups groups(1 + random() % num_processes);
    for (std::uint32_t rank = 0; rank < num_processes; ++rank) {
        groups[random() % groups.size()].push_back(rank);
    }
    groups.erase(std::remove(groups.begin(), groups.end(), std::vector<std::uint32_t>()), groups.end());
    std::shuffle(groups.begin(), groups.end(), random);
    return groups;
}

// For each node the lowest rank that found a machine, and that machine.
std::map<std::uint64_t, std::pair<std::uint32_t, std::string>> machines_of(
    const RecordMessage& message) {
    std::map<std::uint64_t, std::pair<std::uint32_t, std::string>> machines;
    for (const NodeRecord& record : message.records) {
        if (record.machine.component != 0) {
            const std::pair<std::uint32_t, std::string> own = {record.machine.rank,
                                                               message.machines[record.machine.machine]};
            const auto known = machines.emplace(record.node_id, own).first;
            known->second = std::min(known->second, own);
        }
    }
    return machines;
}

TEST(RecordMessage, says_of_each_process_what_it_said_however_it_came_together) {
    for_seeds(40, [](std::mt19937_64& random) {
        const FakeJob job = random_job(random, {true, true, 0, true});
        const RecordMessage by_host = records_of(job, hosts_of(job));
        const RecordMessage by_chance = records_of(job, random_groups(random, job.size()));
        for (const RecordMessage& message : {by_host, by_chance}) {
            const std::vector<std::string> said = contents_by_rank(message, job.size());
            for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
                ASSERT_EQ(said[rank], contents_by_rank(record_of(job, rank), job.size())[rank]);
            }
        }
        ASSERT_EQ(machines_of(by_host), machines_of(by_chance));
        ASSERT_EQ(by_host.error->rank, by_chance.error->rank);
    });
}

std::vector<std::uint32_t> ranks_of(const NodeRecord& record) {
    std::vector<std::uint32_t> ranks;
    record.ranks.for_each([&](std::uint32_t rank) { ranks.push_back(rank); });
    return ranks;
}

FakeProcess on_core(int core) {
    FakeProcess process = on_host("n1");
    return process.gives("slurm", kSwitch, Name("s1")).runs_on(std::to_string(core));
}

TEST(RecordMessage, processes_that_say_alike_are_one_record) {
    FakeJob job = {on_core(0), on_core(1), on_core(1), on_core(0)};
    job[3].gives("slurm", kSwitch, Name("s2"));
    const RecordMessage group = group_of(job, {0, 1, 2, 3});
    ASSERT_EQ(group.records.size(), 2U);
    EXPECT_EQ(ranks_of(group.records[0]), (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(ranks_of(group.records[1]), (std::vector<std::uint32_t>{3}));
    EXPECT_TRUE(group.records[0].begins_group);
    EXPECT_FALSE(group.records[1].begins_group);
    EXPECT_EQ(group.layouts[group.records[0].layout], (std::vector<std::uint32_t>{0, 1, 1}));
    EXPECT_EQ(group.layouts[group.records[1].layout], (std::vector<std::uint32_t>{0}));
}

TEST(RecordMessage, nodes_alike_have_one_layout) {
    FakeJob job;
    for (const char* host : {"a", "b", "c"}) {
        for (int core = 0; core < 2; ++core) {
            job.push_back(on_host(host).runs_on(std::to_string(core)));
        }
    }
    const RecordMessage all = records_of(job, hosts_of(job));
    EXPECT_EQ(all.records.size(), 3U);
    EXPECT_EQ(all.layouts, (std::vector<std::vector<std::uint32_t>>{{0, 1}}));
    EXPECT_EQ(all.settings.size(), 1U);
}

Error error_of(Errc code) { return {code, "x", "y", "", 0, 0}; }

FakeProcess with_error(Errc code) {
    FakeProcess process = on_host("n1");
    process.answer_of("file").error = error_of(code);
    return process;
}

TEST(RecordMessage, shows_the_error_that_costs_most_of_the_lowest_rank) {
    const FakeProcess well = on_host("n1");
    const auto shown = [](const FakeJob& job) {
        const RecordMessage all = records_of(job, hosts_of(job));
        return std::pair(all.error->rank, all.error->error.code);
    };
    using Shown = std::pair<std::uint32_t, Errc>;
    EXPECT_EQ(shown({well, with_error(Errc::kMalformed), with_error(Errc::kFailed)}),
              Shown(1, Errc::kMalformed));
    EXPECT_EQ(shown({with_error(Errc::kSkipped), with_error(Errc::kFailed)}), Shown(1, Errc::kFailed));
    EXPECT_EQ(shown({well, with_error(Errc::kSkipped)}), Shown(1, Errc::kSkipped));
    EXPECT_EQ(shown({well, well}), Shown(0, Errc::kNone));
    EXPECT_EQ(shown({with_error(Errc::kAbsent), well}), Shown(1, Errc::kNone));
    EXPECT_EQ(shown({with_error(Errc::kAbsent), with_error(Errc::kAbsent)}), Shown(0, Errc::kAbsent));
}

TEST(RecordMessage, uplinks_come_once_each) {
    MessageMaker maker;
    RecordMessage one, two;
    one.uplinks = {"a", "b"};
    two.uplinks = {"b", "c"};
    maker.append(one);
    maker.append(two);
    EXPECT_EQ(maker.message().uplinks, (std::vector<std::string>{"a", "b", "c"}));
}

// ---- ranks ----

using Ranks = std::vector<std::uint32_t>;

RankRuns runs_of(const Ranks& ranks) {
    RankRuns runs;
    for (const std::uint32_t rank : ranks) {
        runs.add(rank);
    }
    return runs;
}

TEST(RankRuns, by_slot_and_by_node_are_one_run) {
    EXPECT_EQ(runs_of({100, 101, 102}).runs().size(), 1U);
    const RankRuns by_node = runs_of({7, 1007, 2007});
    EXPECT_EQ(by_node.runs().size(), 1U);
    EXPECT_EQ(by_node.runs()[0].stride, 1000U);
    EXPECT_TRUE(RankRuns().empty());
    EXPECT_EQ(RankRuns().runs().size(), 0U);
}

TEST(RankRuns, irregular_ranks_are_several_runs) {
    const Ranks ranks = {0, 5, 10, 11, 12, 20};
    RankRuns runs = runs_of(ranks);
    runs.add({30, 2, 2});
    EXPECT_EQ(runs.runs().size(), 4U);
    EXPECT_EQ(runs.size(), 8U);
    EXPECT_EQ(runs.front(), 0U);
    EXPECT_EQ(runs.back(), 32U);
    Ranks all;
    runs.for_each([&](std::uint32_t rank) { all.push_back(rank); });
    EXPECT_EQ(all, (Ranks{0, 5, 10, 11, 12, 20, 30, 32}));
}

}  // namespace
}  // namespace hitopo
