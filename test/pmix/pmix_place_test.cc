// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/pmix/pmix_place.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

std::string shown(const PmixPlace& place, Level level) {
    return place.levels[level] ? place.levels[level]->to_string() : "-";
}

// ---- island: groups ----

PmixPlace in_groups(const std::string& groups, const std::string& pmix_name = "",
                    const std::string& host_name = "n3") {
    PmixFacts facts;
    facts.host_name = pmix_name;
    facts.groups = groups;
    return place_by_pmix(facts, host_name);
}

TEST(PmixPlace, island_is_the_group_that_lists_the_node) {
    // The example of PMIx's standard, section on PMIX_FABRIC_GROUPS, shortened.
    const PmixPlace place = in_groups("0:n0,n2;1:n1,n3");
    EXPECT_EQ(place.levels[kIsland], RawValue(Name::number(1)));
    EXPECT_EQ(place.reasons[kIsland], "PMIX_FABRIC_GROUPS lists this node in group 1");
    EXPECT_EQ(shown(place, kSwitch), "-");
    EXPECT_FALSE(place.error);
}

TEST(PmixPlace, island_finds_the_node_under_either_name) {
    EXPECT_EQ(shown(in_groups("7:nid3,n9", "nid3"), kIsland), "7");
    EXPECT_EQ(shown(in_groups("7:n3.example.org"), kIsland), "7");
    EXPECT_EQ(shown(in_groups(" 7 : n4 , N3 ;"), kIsland), "7");
    EXPECT_EQ(shown(in_groups("7:n33,n"), kIsland), "-");
}

TEST(PmixPlace, island_is_unknown_without_one_group) {
    EXPECT_EQ(in_groups("").reasons[kIsland], "PMIx has no fabric groups");
    EXPECT_EQ(in_groups("0:n0").reasons[kIsland], "PMIX_FABRIC_GROUPS does not list this node");
    const PmixPlace twice = in_groups("0:n3;1:n3");
    EXPECT_EQ(shown(twice, kIsland), "-");
    EXPECT_EQ(twice.reasons[kIsland], "PMIX_FABRIC_GROUPS lists this node in several groups");
}

TEST(PmixPlace, island_is_unknown_where_groups_are_malformed) {
    for (const char* groups :
         {"n0,n3", "x:n3", ":n3", "0:n0;n3", "-1:n3", "0:n3;18446744073709551616:n1"}) {
        const PmixPlace place = in_groups(groups);
        EXPECT_EQ(shown(place, kIsland), "-") << groups;
        ASSERT_TRUE(place.error) << groups;
        EXPECT_EQ(place.error->code, Errc::kMalformed);
        EXPECT_EQ(place.error->where, "PMIX_FABRIC_GROUPS");
    }
    EXPECT_EQ(in_groups("0:n3;one:n1").error->value, "one:n1");
}

// ---- switch: peers ----

PmixPlace at_switches(const std::vector<std::string>& switches) {
    PmixFacts facts;
    facts.switches = switches;
    return place_by_pmix(facts, "n3");
}

TEST(PmixPlace, switch_is_that_of_the_device) {
    EXPECT_EQ(shown(at_switches({"x1000c0r7"}), kSwitch), "x1000c0r7");
    EXPECT_EQ(shown(at_switches({"", "s1"}), kSwitch), "s1");
    EXPECT_EQ(shown(at_switches({}), kSwitch), "-");
    EXPECT_EQ(at_switches({""}).reasons[kSwitch], "PMIx has no switch information");
}

TEST(PmixPlace, switch_of_several_devices_is_their_set) {
    EXPECT_EQ(at_switches({"s12", "s3", "s12"}).levels[kSwitch], RawValue(Name("s3,s12")));
    EXPECT_EQ(at_switches({"s12", "s3", "s12"}).levels, at_switches({"s3", "s3", "s12"}).levels);
}

}  // namespace
}  // namespace hitopo
