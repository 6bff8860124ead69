// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/message.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "test/core/record/for_seeds.h"
#include "test/core/record/record_job.h"

namespace hitopo {
namespace {

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

TEST(RecordMessage, the_lowest_rank_that_found_a_machine_gives_it_for_its_record) {
    const FakeMachine one = make_machine({1, 1, 1, 2, 1}), other = make_machine({1, 1, 1, 4, 1});
    FakeJob job = {on_core(0), on_core(0), on_core(0)};
    job[1].has(one);
    job[1].facts.is_host_asked = true;
    job[2].has(other);
    const RecordMessage group = group_of(job, {0, 1, 2});
    ASSERT_EQ(group.records.size(), 1U);
    EXPECT_TRUE(group.records[0].is_host_asked);
    EXPECT_EQ(group.records[0].machine.rank, 1U);
    EXPECT_EQ(group.machines[group.records[0].machine.machine], one.encoded());
    EXPECT_EQ(group.names[group.records[0].machine.component], "hwloc");
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

}  // namespace
}  // namespace hitopo
