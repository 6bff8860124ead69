// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What hitopo_prof_pairs adds to profiles.
#include "test/tools/profile_fixtures.h"

namespace hitopo::tool {
namespace {

// Rank r sent 100 r bytes in r messages to each other of the four.
Json with_pairs() {
    Json document = *parse_json(profile_text());
    for (Json& process : document["processes"]) {
        const int rank = process["rank"];
        Json pairs = Json::array();
        for (int peer = 0; peer < document["size"]; ++peer) {
            if (peer != rank) {
                pairs.push_back({peer, rank, 100 * rank});
            }
        }
        process["pairs"] = pairs;
        process["unknown_pairs"] = {1, 11};
        process["collective_bytes"] = 12;
    }
    return document;
}

template <class Change>
std::string fault(Change change) {
    Json document = with_pairs();
    change(document["processes"]);
    const Result<Profile> profile = profile_of(document.dump());
    return profile ? "" : profile.error().value;
}

TEST(ProfilePairs, are_read) {
    const Result<Profile> profile = profile_of(with_pairs().dump());
    ASSERT_TRUE(profile.is_ok()) << profile.error().value;
    ASSERT_EQ(profile->pairs.size(), 4U);
    const ProcessPairs& process = profile->pairs[2];
    EXPECT_EQ(process.rank, 2);
    ASSERT_EQ(process.pairs.size(), 3U);
    EXPECT_EQ(process.pairs[2].rank, 3);
    EXPECT_EQ(process.pairs[2].messages, 2U);
    EXPECT_EQ(process.pairs[2].bytes, 200U);
    EXPECT_EQ(process.unknown_bytes, 11U);
    EXPECT_EQ(process.collective_bytes, 12U);
    EXPECT_EQ(profile->traffic.size(), profile_fixture().traffic.size());
}

TEST(ProfileCpusets, are_read_where_they_are) {
    Json document = with_pairs();
    document["processes"][2]["allowed"] = "4-7";
    const Result<Profile> profile = profile_of(document.dump());
    ASSERT_TRUE(profile.is_ok() && profile->table);
    EXPECT_EQ(profile->table->ranks[2].allowed, "4-7");
    EXPECT_FALSE(profile->table->ranks[1].allowed);
    document["table"] = nullptr;
    EXPECT_TRUE(profile_of(document.dump()).is_ok());
    document["processes"][2]["allowed"] = 7;
    EXPECT_FALSE(profile_of(document.dump()).is_ok());
}

TEST(ProfilePairs, may_be_missing) { EXPECT_TRUE(profile_fixture().pairs.empty()); }

TEST(ProfilePairs, can_be_read_without_peers) {
    std::string text = with_pairs().dump();
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(fmemopen(text.data(), text.size(), "r"),
                                                               std::fclose);
    const Result<Profile> profile = read_profile(file.get(), "job.json", ProfileUse::kPairs);
    ASSERT_TRUE(profile.is_ok()) << profile.error().value;
    EXPECT_EQ(profile->pairs[3].pairs[0].bytes, 300U);
    EXPECT_EQ(profile->traffic.size(), profile_fixture().traffic.size());
    for (const Traffic& traffic : profile->traffic) {
        EXPECT_TRUE(traffic.peers.empty());
    }
}

TEST(ProfilePairs, are_of_all_processes) {
    EXPECT_EQ(fault([](Json& processes) { processes[1].erase("pairs"); }),
              "some processes have \"pairs\" and others have not.");
}

TEST(ProfilePairs, are_of_the_job) {
    EXPECT_EQ(fault([](Json& processes) { processes[1]["pairs"][0][0] = 4; }),
              "process 1: \"pairs\" holds a rank that the job has not.");
}

TEST(ProfilePairs, members) {
    const auto pair = [](const Json& value) {
        return fault([&](Json& processes) { processes[1]["pairs"][0] = value; });
    };
    EXPECT_EQ(pair({1, 2}), "processes[1]: a pair is an array of three numbers.");
    EXPECT_EQ(pair({-1, 2, 3}), "processes[1]: \"pairs\" is not a number, or out of range.");
    EXPECT_EQ(pair({1, 2, -3}), "processes[1]: \"bytes\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(pair(7), "processes[1]: a pair is an array of three numbers.");
    EXPECT_EQ(fault([](Json& processes) { processes[1]["unknown_pairs"] = {1}; }),
              "processes[1]: \"unknown_pairs\" has not two numbers.");
    EXPECT_EQ(fault([](Json& processes) { processes[1]["collective_bytes"] = "x"; }),
              "processes[1]: \"collective_bytes\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(fault([](Json& processes) { processes[1]["pairs"] = 1; }),
              "processes[1]: \"pairs\" is not an array.");
}

}  // namespace
}  // namespace hitopo::tool
