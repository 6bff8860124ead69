// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/selection.h"

#include <gtest/gtest.h>

#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "test/core/record/record_job.h"

namespace hitopo {
namespace {

TEST(Selection, the_lowest_rank_of_each_host_that_was_not_asked_is_to_ask) {
    FakeJob job = {on_host("a"), on_host("b"), on_host("b"), on_host("a"), on_host("c")};
    job[2].facts.is_host_asked = true;
    EXPECT_EQ(hosts_to_ask(records_of(job, hosts_of(job)).records), (std::vector<std::uint32_t>{0, 4}));
    job[3].facts.is_host_asked = job[4].facts.is_host_asked = true;
    EXPECT_TRUE(hosts_to_ask(records_of(job, hosts_of(job)).records).empty());
}

TEST(Selection, one_simulated_node_asks_for_all_of_its_host) {
    FakeJob job = {on_host("a").simulates_node(Name("x")), on_host("a").simulates_node(Name("y"))};
    EXPECT_EQ(hosts_to_ask(records_of(job, hosts_of(job)).records), (std::vector<std::uint32_t>{0}));
}

TEST(Selection, each_rank_has_to_be_there_once) {
    const FakeJob job = {on_host("a"), on_host("a"), on_host("b")};
    const RecordMessage all = records_of(job, hosts_of(job));
    EXPECT_FALSE(first_not_once(all.records, 3));
    EXPECT_EQ(first_not_once(all.records, 4), 3U);
    EXPECT_EQ(first_not_once(records_of(job, {{0, 1}, {1, 2}}).records, 3), 1U);
    EXPECT_EQ(first_not_once(records_of(job, {{0}, {2}}).records, 3), 1U);
    EXPECT_EQ(first_not_once({}, 1), 0U);
}

}  // namespace
}  // namespace hitopo
