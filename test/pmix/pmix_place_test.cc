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
    return place_by_pmix(facts, {}, host_name);
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
    return place_by_pmix(facts, {}, "n3");
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

// ---- both: coordinates ----

PmixPlace at(const std::vector<PmixDevice>& devices, const std::string& dimensions) {
    PmixFacts facts;
    facts.devices = devices;
    const Result<PmixDimensions> parsed = parse_pmix_dimensions(dimensions);
    EXPECT_TRUE(parsed) << dimensions;
    return place_by_pmix(facts, *parsed, "n3");
}

TEST(PmixPlace, coordinates_fill_the_levels_that_their_dimensions_are_said_to_be) {
    const PmixPlace place = at({{0, "hsn0", {2, 5, 1}}}, "island,switch,-");
    EXPECT_EQ(shown(place, kIsland), "2");
    EXPECT_EQ(shown(place, kSwitch), "2/5");
    EXPECT_EQ(place.levels[kSwitch]->visible(), Name::number(5));
    EXPECT_EQ(shown(place, kNode), "-");
    EXPECT_EQ(place.reasons[kSwitch], "coordinate 2.5.1 of hsn0, up to dimension 2");
}

TEST(PmixPlace, coordinates_count_from_the_outside_up_to_the_levels_dimension) {
    // Group, chassis, blade, port: the switch is group, chassis and blade together.
    const PmixPlace place = at({{0, "", {2, 5, 1, 9}}}, " island, - ,SWITCH,-");
    EXPECT_EQ(shown(place, kIsland), "2");
    EXPECT_EQ(shown(place, kSwitch), "2/5/1");
    EXPECT_EQ(shown(at({{0, "", {2, 5}}}, "-,switch"), kSwitch), "2/5");
    EXPECT_EQ(shown(at({{0, "", {2, 5}}}, "-,-"), kSwitch), "-");
}

TEST(PmixPlace, coordinates_mean_nothing_by_themselves) {
    const PmixPlace place = at({{0, "hsn0", {2, 5, 1}}}, "");
    EXPECT_EQ(place.levels, RawAddress());
    EXPECT_EQ(place.reasons[kSwitch],
              "PMIx has no switch information; the meaning of coordinate 2.5.1 of hsn0 is not set "
              "(hitopo_pmix_dimensions)");
}

TEST(PmixPlace, coordinates_of_several_devices_must_agree) {
    const PmixPlace place = at({{0, "hsn0", {2, 5, 1}}, {0, "hsn1", {2, 6, 1}}}, "island,switch,-");
    EXPECT_EQ(shown(place, kIsland), "2");
    EXPECT_EQ(shown(place, kSwitch), "-");
    EXPECT_EQ(place.reasons[kSwitch],
              "PMIx has no switch information; this node has several positions: coordinates 2.5.1 of "
              "hsn0, 2.6.1 "
              "of hsn1");
    EXPECT_FALSE(place.error);
}

TEST(PmixPlace, coordinates_are_those_of_the_first_fabric_that_has_any) {
    const std::vector<PmixDevice> devices = {{2, "c", {9, 9}}, {1, "b", {3, 4}}, {0, "a", {}}};
    EXPECT_EQ(shown(at(devices, "island,switch"), kSwitch), "3/4");
}

TEST(PmixPlace, coordinates_are_refused_where_two_devices_have_one) {
    // What PMIx's own component for Slingshot gives every device as long as it is a prototype.
    const PmixPlace place = at({{0, "hsn0", {1, 2, 3}}, {0, "hsn1", {1, 2, 3}}}, "island,switch,-");
    EXPECT_EQ(place.levels, RawAddress());
    ASSERT_TRUE(place.error);
    EXPECT_EQ(place.error->value, "1.2.3 of hsn0");
    EXPECT_EQ(place.error->where, "PMIX_FABRIC_COORDINATES");
}

TEST(PmixPlace, coordinates_are_refused_where_dimensions_have_another_number) {
    for (const char* dimensions : {"island,switch", "island,switch,-,-"}) {
        const PmixPlace place = at({{0, "hsn0", {1, 2, 3}}}, dimensions);
        EXPECT_EQ(place.levels, RawAddress());
        ASSERT_TRUE(place.error) << dimensions;
        EXPECT_EQ(place.error->code, Errc::kMalformed);
    }
}

TEST(PmixPlace, groups_and_switches_come_before_coordinates) {
    PmixFacts facts;
    facts.groups = "8:n3";
    facts.switches = {"s1"};
    facts.devices = {{0, "hsn0", {2, 5}}};
    const PmixPlace place = place_by_pmix(facts, {kIsland, kSwitch}, "n3");
    EXPECT_EQ(shown(place, kIsland), "8");
    EXPECT_EQ(shown(place, kSwitch), "s1");
}

// ---- node ----

TEST(PmixPlace, node_is_named_only_where_the_machine_is_not) {
    PmixFacts facts;
    facts.host_name = "nid3";
    facts.node_id = 17;
    facts.locality = "SK0:CR0";
    const PmixPlace place = place_by_pmix(facts, {}, "n3");
    EXPECT_EQ(shown(place, kNode), "-");
    EXPECT_EQ(place.reasons[kNode],
              "left to the host name; PMIX_HOSTNAME is nid3, PMIX_NODEID is 17, PMIX_LOCALITY_STRING is "
              "SK0:CR0");
    EXPECT_EQ(place_by_pmix(facts, {}, "").levels[kNode], RawValue(Name("nid3")));
    facts.host_name = "";
    EXPECT_EQ(place_by_pmix(facts, {}, "").levels[kNode], RawValue(Name::number(17)));
}

TEST(PmixPlace, node_is_unknown_where_nobody_names_it) {
    const PmixPlace place = place_by_pmix({}, {}, "");
    EXPECT_EQ(place.levels, RawAddress());
    EXPECT_EQ(place.reasons[kNode], "this machine has no host name; PMIx has no data of the node");
    EXPECT_FALSE(place.error);
}

// ---- the variable ----

TEST(PmixDimensions, parse_takes_a_word_for_each_dimension) {
    EXPECT_EQ(*parse_pmix_dimensions("island,-,switch"),
              (PmixDimensions{kIsland, std::nullopt, kSwitch}));
    EXPECT_EQ(*parse_pmix_dimensions(" "), PmixDimensions());
}

TEST(PmixDimensions, parse_refuses_other_words_with_their_column) {
    struct {
        const char *text, *value;
        int column;
    } const cases[] = {{"rack", "rack", 1},
                       {"island,node", "node", 8},
                       {"island,,switch", "", 8},
                       {"switch,island", "island", 8},
                       {"-,switch,switch", "switch", 10},
                       {"island,socket", "socket", 8}};
    for (const auto& each : cases) {
        const Result<PmixDimensions> dimensions = parse_pmix_dimensions(each.text);
        ASSERT_FALSE(dimensions) << each.text;
        EXPECT_EQ(dimensions.error().value, each.value) << each.text;
        EXPECT_EQ(dimensions.error().column, each.column) << each.text;
        EXPECT_EQ(dimensions.error().code, Errc::kMalformed);
    }
}

}  // namespace
}  // namespace hitopo
