// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/wire_form.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "ompi/mca/hitopo/core/record/message.h"
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

}  // namespace
}  // namespace hitopo
