// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/side_claim.h"

#include <gtest/gtest.h>

#include "ompi/mca/hitopo/core/table/grouping.h"
#include "ompi/mca/hitopo/core/table/locality.h"
#include "test/core/exchange/fake_job.h"

namespace hitopo {
namespace {

constexpr const char* kDomain = "nvlink://Domain";

FakeProcess in(const std::string& host) { return on_host(host).runs_on("0"); }

TEST(SideType, is_a_scheme_and_a_name) {
    EXPECT_TRUE(is_side_type("nvlink://Domain"));
    EXPECT_TRUE(is_side_type("a+b-c.d_1://X"));
    for (const char* wrong :
         {"", "://", "nvlink://", "://Domain", "nvlink:/Domain", "nvlink", "nv link://Domain",
          "nvlink://a/b", "nvlink://\n", "hwloc://GPU", "HITOPO://Node", "mpi://WORLD", "slurm://x"}) {
        EXPECT_FALSE(is_side_type(wrong)) << wrong;
    }
    EXPECT_TRUE(is_side_type("x://" + std::string(60, 'a')));
    EXPECT_FALSE(is_side_type("x://" + std::string(61, 'a')));
}

TEST(SideClaim, domains_cross_nodes_and_divide_them) {
    const Table table = table_of({in("n1").shares("file", kDomain, Name("b")),
                                  in("n1").shares("file", kDomain, Name("a")),
                                  in("n2").shares("file", kDomain, Name("b")), in("n2")});
    EXPECT_EQ(domains_at(table, kDomain), (std::vector<int>{1, 0, 1, -1}));
}

TEST(SideClaim, of_several_components_the_highest_priority_stands) {
    const Table table =
        table_of({in("n1").shares("file", kDomain, Name("a")).shares("hwloc", kDomain, Name("c")),
                  in("n1").shares("hwloc", kDomain, Name("b"))});
    EXPECT_EQ(table.dictionary().side_value(0, 0).component, "file");
    EXPECT_EQ(table.dictionary().side_value(0, 1).value, RawValue(Name("b")));
    EXPECT_EQ(table.dictionary().num_side_values(0), 2U);
}

TEST(SideClaim, one_speaks_for_its_node) {
    const Table table = table_of({in("n1").shares("hwloc", kDomain, Name("a"), true), in("n1"),
                                  in("n1").shares("hwloc", kDomain, Name("b")), in("n2"),
                                  in("n1").shares("cpuid", kDomain, Name("c"))});
    EXPECT_EQ(domains_at(table, kDomain), (std::vector<int>{0, 0, 1, -1, 0}))
        << "cpuid's is of lower priority";
}

// What a process says for itself alone hides nothing that it says for others.
TEST(SideClaim, one_speaks_for_its_node_and_has_its_own) {
    const Table table = table_of(
        {in("n1").shares("file", kDomain, Name("own")).shares("hwloc", kDomain, Name("a"), true),
         in("n1")});
    EXPECT_EQ(domains_at(table, kDomain), (std::vector<int>{0, 1}));
}

TEST(SideClaim, types_stand_in_their_order) {
    const Table table = table_of({in("n1")
                                      .shares("file", "a://Inner", Name("x"), false, 2)
                                      .shares("hwloc", "b://Outer", Name("y"), false, 1)});
    EXPECT_EQ(table.dictionary().side_types(), (std::vector<std::string>{"b://Outer", "a://Inner"}));
    EXPECT_EQ(uris_of(table).back(), "a://Inner");
}

// Processes that said different things and have the same are in one place.
TEST(SideClaim, equal_processes_are_one_cohort) {
    const Table table = table_of({in("n1").shares("hwloc", kDomain, Name("a"), true), in("n1")});
    EXPECT_EQ(table.pattern(0).cohort, table.pattern(1).cohort);
    EXPECT_EQ(table.dictionary().patterns().size(), 1U);
}

TEST(SideClaim, a_type_that_nobody_of_the_communicator_has_is_none) {
    const Table table = table_of({in("n1").shares("file", kDomain, Name("a")), in("n1")});
    EXPECT_EQ(uris_of(table).back(), kDomain);
    EXPECT_NE(uris_of(table.restrict_to({1})).back(), kDomain);
}

// Node n2 lies in it, and n1 only in part.
TEST(SideClaim, a_type_stands_above_the_nodes_that_it_holds) {
    const Table table = table_of({in("n1").shares("file", kDomain, Name("a")), in("n1"),
                                  in("n2").shares("file", kDomain, Name("a"))});
    EXPECT_EQ(hardware_levels(table), (std::vector<std::string>{kDomain, "hitopo://Node"}));
}

TEST(SideClaim, guided_splits_give_domains) {
    const Table table = table_of({in("n1").shares("file", kDomain, Name("a")), in("n1"),
                                  in("n2").shares("file", kDomain, Name("a")),
                                  in("n3").shares("file", kDomain, Name("b"))});
    const std::vector<std::string> uris = uris_of(table);
    const auto type = std::find(uris.begin(), uris.end(), kDomain) - uris.begin();
    const Grouping grouping =
        Grouping::by_type(table, resource_types(table)[static_cast<std::size_t>(type)]);
    EXPECT_EQ(grouping.count(), 2U);
    EXPECT_EQ(grouping.own(2).ranks, (Ranks{0, 2}));
    EXPECT_EQ(grouping.own(2).type, kDomain);
    EXPECT_EQ(grouping.own(1).ranks, Ranks());
    EXPECT_EQ(grouping.lowest_ranks(), (Ranks{0, 3}));
}

// A summary's bytes are the same for all nodes of one domain but the first.
TEST(SideClaim, a_domain_is_told_once) {
    const auto bytes_of = [](bool has_side) {
        FakeJob job;
        for (int node = 0; node < 1000; ++node) {
            job.push_back(in("n" + std::to_string(node)));
            if (has_side) {
                job.back().shares("hwloc", kDomain,
                                  Name("0123456789abcdef-" + std::to_string(node / 18)));
            }
        }
        return gather(job).bytes.size();
    };
    EXPECT_LT(bytes_of(true), bytes_of(false) + 56 * 64) << "56 domains";
}

}  // namespace
}  // namespace hitopo
