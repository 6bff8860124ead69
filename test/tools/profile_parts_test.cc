// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/profile_parts.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "ompi/tools/hitopo/formats.h"
#include "test/tools/profile_fixtures.h"

namespace hitopo::tool {
namespace {

constexpr const char* kJob = "20261126T100702.n1.4711.7";

// What that process of the fixture would have written by itself: the table is rank 0's, and numbers of
// communicators are each process's own.
Json part_document(std::size_t rank, double seconds) {
    const Json whole = *parse_json(profile_text());
    Json part = whole;
    part["snapshot"] = 0;
    part["part_of"] = kJob;
    part["seconds"] = seconds;
    part["warnings"] = Json::array();
    part["communicators"] = Json::array();
    if (rank > 0) {
        part["table"] = nullptr;
    }
    Json process = whole["processes"][rank];
    Json& entries = process["communicators"];
    std::reverse(entries.begin() + (rank == 1 ? 0 : static_cast<std::ptrdiff_t>(entries.size())),
                 entries.end());
    for (Json& entry : entries) {
        Json communicator = whole["communicators"][entry["id"].get<std::size_t>()];
        communicator["id"] = entry["id"] = part["communicators"].size();
        part["communicators"].push_back(std::move(communicator));
    }
    part["processes"] = Json::array();
    part["processes"].push_back(std::move(process));
    return part;
}

void add(JoinedParts& parts, std::size_t rank, const Json& document) {
    parts.add(static_cast<int>(rank), std::to_string(rank) + ".json", profile_of(document.dump()));
}

Profile taken(JoinedParts& parts) {
    std::optional<Profile> profile = parts.take();
    EXPECT_TRUE(profile.has_value());
    return profile.value_or(Profile());
}

// What stands there of the other ranks' parts and a part of rank 1 after `change`: the fault.
template <class Change>
std::string fault(Change change) {
    JoinedParts parts;
    for (const std::size_t rank : {0, 1, 2, 3}) {
        Json document = part_document(rank, 1);
        if (rank == 1) {
            change(document);
        }
        add(parts, rank, document);
    }
    const Profile profile = taken(parts);
    EXPECT_EQ(profile.processes.size(), 3U);
    EXPECT_EQ(profile.traffic.size(), 5U);
    EXPECT_EQ(profile.warnings.size(), 2U);
    EXPECT_EQ(profile.warnings.back(), "left out: " + parts.first_fault());
    return parts.first_fault();
}

TEST(ProfileParts, of_all_processes_are_the_whole_profile) {
    JoinedParts parts;
    for (const std::size_t rank : {0, 1, 2, 3}) {
        add(parts, rank, part_document(rank, 1.75 - 0.25 * static_cast<double>(rank)));
    }
    const Profile profile = taken(parts);
    std::string expected = fixture("../profiles/two-nodes.report-ascii.txt");
    for (const auto& [old, now] :
         {std::pair<std::string, std::string>{"as snapshot 2", "as 4 of 4 parts"},
          {"run time  1.5 s", "run time  1.75 s"},
          {"of 4 x 1.5 s", "of 4 x 1.75 s"},
          {"warning: rank 3 left out 7 messages \\x07",
           "warning: this is what 4 of 4 processes wrote by themselves, 1 to "
           "1.75 s after MPI_Init; what came later is not in it"}}) {
        ASSERT_NE(expected.find(old), std::string::npos) << old;
        expected.replace(expected.find(old), old.size(), now);
    }
    EXPECT_EQ(format_report(profile, Charset::kAscii), expected);
    EXPECT_EQ(parts.first_fault(), "");
}

TEST(ProfileParts, of_some_processes_tell_whose_are_missing) {
    JoinedParts parts;
    add(parts, 1, part_document(1, 2));
    add(parts, 2, part_document(2, 2.5));
    const Profile profile = taken(parts);
    EXPECT_FALSE(profile.table.has_value()) << "rank 0 has it";
    EXPECT_EQ(profile.size, 4);
    EXPECT_EQ(moment_phrase(profile), "as 2 of 4 parts");
    ASSERT_EQ(profile.communicators.size(), 3U);
    EXPECT_EQ(profile.communicators[0].key, "0000000000000001") << "rank 1's first";
    EXPECT_EQ(profile.communicators[1].name, "MPI_COMM_WORLD");
    EXPECT_EQ(profile.communicators[2].name, "to the server");
    ASSERT_EQ(profile.traffic.size(), 4U);
    EXPECT_EQ(profile.traffic[2].communicator, 1);
    EXPECT_EQ(profile.traffic[2].rank, 2);
    EXPECT_EQ(profile.traffic[3].communicator, 2);
    EXPECT_EQ(
        profile.warnings,
        std::vector<std::string>{"this is what 2 of 4 processes wrote by themselves, 2 to 2.5 s after "
                                 "MPI_Init; what came later is not in it, nor is anything of ranks "
                                 "0,3"});
}

TEST(ProfileParts, have_cpusets_pairs_and_orders_of_each_process) {
    JoinedParts parts;
    for (const std::size_t rank : {0, 1}) {
        Json document = part_document(rank, 1);
        Json& process = document["processes"][0];
        process["allowed"] = rank == 0 ? "0-3" : "4-7";
        process["pairs"] = Json::array();
        process["pairs"].push_back(Json::array({1 - rank, 5, 40 + rank}));
        process["unknown_pairs"] = Json::array({0, 0});
        process["collective_bytes"] = 7;
        process["other_orders"] = 2 + rank;
        process["orders"] = Json::array();
        add(parts, rank, document);
    }
    const Profile profile = taken(parts);
    ASSERT_TRUE(profile.table.has_value());
    EXPECT_EQ(profile.table->ranks[0].allowed, "0-3");
    EXPECT_EQ(profile.table->ranks[1].allowed, "4-7");
    ASSERT_EQ(profile.pairs.size(), 2U);
    EXPECT_EQ(profile.pairs[1].rank, 1);
    EXPECT_EQ(profile.pairs[1].pairs[0].bytes, 41U);
    EXPECT_EQ(profile.other_orders, 5U);
}

TEST(ProfileParts, that_do_not_go_together_cost_that_process) {
    const std::string not_own = "1.json: it is no part that rank 1 wrote by itself.";
    EXPECT_EQ(fault([](Json& part) { part["processes"][0]["rank"] = 2; }), not_own);
    EXPECT_EQ(fault([](Json& part) { part.erase("part_of"); }), not_own);
    EXPECT_EQ(fault([](Json& part) { part = *parse_json(profile_text()); }), not_own);
    EXPECT_EQ(fault([](Json& part) { part["processes"][0]["communicators"][0]["rank"] = 0; }),
              "1.json: rank 1 has another one's place in a communicator.");
    EXPECT_EQ(fault([](Json& part) { part["lanes"][0] = "kernel"; }),
              "1.json: it does not go with the part of rank 0.");
    EXPECT_EQ(fault([](Json& part) { part["size"] = 5; }),
              "1.json: it does not go with the part of rank 0.");
    EXPECT_EQ(fault([](Json& part) {
                  part["communicators"][1]["ranks"] = Json::array({0, 1, 3, 2});
              }),
              "1.json: one of its communicators has other members than in parts of lower ranks.");
    EXPECT_EQ(fault([](Json& part) { part.erase("lanes"); }), "1.json: member \"lanes\" is missing.");
}

TEST(ProfileParts, of_jobs_that_began_before_are_left_out) {
    for (const std::size_t newest : {0, 3}) {
        JoinedParts parts;
        for (const std::size_t rank : {0, 1, 2, 3}) {
            Json document = part_document(rank, 1);
            document["part_of"] = rank == newest ? "20261127T000000.n0.1.1" : kJob;
            add(parts, rank, document);
        }
        const Profile profile = taken(parts);
        ASSERT_EQ(profile.processes.size(), 1U);
        EXPECT_EQ(profile.processes[0].rank, static_cast<int>(newest));
        EXPECT_EQ(profile.communicators.size(), newest == 0 ? 2U : 1U);
        ASSERT_EQ(profile.warnings.size(), 2U);
        EXPECT_EQ(profile.warnings[1], "left out: 3 parts of a job that began before this one");
    }
}

class PartsFolder : public testing::Test {
protected:
    PartsFolder() { EXPECT_EQ(mkdir(path_.c_str(), 0700), 0); }
    ~PartsFolder() override {
        for (const std::string& name : names_) {
            std::remove((path_ + '/' + name).c_str());
        }
        rmdir(path_.c_str());
    }
    void write(const std::string& name, const std::string& text) {
        std::ofstream(path_ + '/' + name) << text;
        names_.push_back(name);
    }

    const std::string path_ = testing::TempDir() + "hitopo-" + std::to_string(getpid()) + ".parts";
    std::vector<std::string> names_;
};

TEST_F(PartsFolder, is_read_as_a_profile) {
    for (const std::size_t rank : {0, 2, 3}) {
        write(std::to_string(rank) + ".json", part_document(rank, 1).dump());
    }
    write("1.json", part_document(1, 1).dump().substr(0, 100));
    write("1.json.0123456789abcdef.part", "{");
    write("notes.json", "none of ours");
    const Result<Profile> profile = open_profile(path_);
    ASSERT_TRUE(profile.is_ok()) << profile.error().value;
    EXPECT_EQ(profile->processes.size(), 3U);
    ASSERT_EQ(profile->warnings.size(), 2U);
    EXPECT_EQ(profile->warnings[1],
              "left out: " + path_ + "/1.json: it is cut off: it ends after 100 bytes, in the middle.");
}

TEST_F(PartsFolder, without_parts_is_an_error) {
    EXPECT_EQ(open_profile(path_).error().value, "is a folder without parts of a profile.");
    write("0.json", "");
    EXPECT_EQ(open_profile(path_).error().value, path_ + "/0.json: it is empty.");
    EXPECT_EQ(open_profile(path_).error().where, path_);
}

}  // namespace
}  // namespace hitopo::tool
