// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// profile_parts.cc.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "profiler/test/tool/profile_fixtures.h"
#include "profiler/tool/profile/phrases.h"
#include "profiler/tool/report/report.h"

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
    part["kinds"] = Json::array();
    if (rank > 0) {
        part["table"] = nullptr;
    }
    Json process = whole["processes"][rank];
    Json& entries = process["kinds"];
    std::reverse(entries.begin() + (rank == 1 ? 0 : static_cast<std::ptrdiff_t>(entries.size())),
                 entries.end());
    for (Json& entry : entries) {
        Json kind = whole["kinds"][entry["id"].get<std::size_t>()];
        kind["id"] = entry["id"] = part["kinds"].size();
        part["kinds"].push_back(std::move(kind));
    }
    part["processes"] = Json::array();
    part["processes"].push_back(std::move(process));
    return part;
}

// A folder of parts.
class ProfileParts : public testing::Test {
protected:
    ProfileParts() { EXPECT_EQ(mkdir(path_.c_str(), 0700), 0); }
    ~ProfileParts() override {
        for (const std::string& name : names_) {
            std::remove((path_ + '/' + name).c_str());
        }
        rmdir(path_.c_str());
    }
    void write(const std::string& name, const std::string& text) {
        std::ofstream(path_ + '/' + name) << text;
        names_.insert(name);
    }
    void write(std::size_t rank, const Json& document) {
        write(std::to_string(rank) + ".json", document.dump());
    }
    Profile joined() {
        Result<Profile> profile = open_profile(path_);
        EXPECT_TRUE(profile.is_ok());
        return profile ? std::move(*profile) : Profile();
    }
    // What stands there of a part of rank 1 after `change`, beside the other ranks' parts: the fault.
    template <class Change>
    std::string fault(Change change) {
        for (const std::size_t rank : {0, 1, 2, 3}) {
            Json document = part_document(rank, 1);
            if (rank == 1) {
                change(document);
            }
            write(rank, document);
        }
        const Profile profile = joined();
        EXPECT_EQ(profile.processes.size(), 3U);
        EXPECT_EQ(profile.warnings.size(), 2U);
        const std::string left_out = "left out: " + path_ + "/1.json: ";
        EXPECT_EQ(profile.warnings.back().substr(0, left_out.size()), left_out);
        return profile.warnings.back().substr(left_out.size());
    }

    const std::string path_ = testing::TempDir() + "hitopo-" + std::to_string(getpid()) + ".parts";
    std::set<std::string> names_;
};

TEST_F(ProfileParts, of_all_processes_are_the_whole_profile) {
    for (const std::size_t rank : {0, 1, 2, 3}) {
        write(rank, part_document(rank, 0.001 * static_cast<double>(4 - rank)));
    }
    const Profile profile = joined();
    EXPECT_EQ(moment_phrase(profile), "as 4 of 4 parts");
    EXPECT_EQ(profile.seconds, 0.004);
    EXPECT_EQ(profile.warnings,
              std::vector<std::string>{"this is what 4 of 4 processes wrote by themselves, 0.001 to "
                                       "0.004 s after MPI_Init; what came later is not in it"});
    const std::string csv = format_report_csv(Report(profile_fixture(), ""));
    EXPECT_EQ(format_report_csv(Report(profile, "")), csv);
}

TEST_F(ProfileParts, of_some_processes_tell_whose_are_missing) {
    write(1, part_document(1, 2));
    write(2, part_document(2, 2.5));
    const Profile profile = joined();
    EXPECT_FALSE(profile.table.has_value()) << "rank 0 has it";
    EXPECT_EQ(profile.size, 4);
    EXPECT_EQ(moment_phrase(profile), "as 2 of 4 parts");
    ASSERT_EQ(profile.kinds.size(), 4U);
    EXPECT_EQ(profile.kinds[0].key, "0000000000000003") << "rank 1's first";
    EXPECT_EQ(profile.kinds[2].name, "WORLD");
    EXPECT_EQ(profile.kinds[3].name, "to the server");
    ASSERT_EQ(profile.processes[1].kinds.size(), 2U);
    EXPECT_EQ(profile.processes[1].kinds[0].kind, 2);
    EXPECT_EQ(profile.processes[1].kinds[1].kind, 3);
    EXPECT_EQ(
        profile.warnings,
        std::vector<std::string>{"this is what 2 of 4 processes wrote by themselves, 2 to 2.5 s after "
                                 "MPI_Init; what came later is not in it, nor is anything of ranks "
                                 "0,3"});
}

TEST_F(ProfileParts, have_cpusets_pairs_and_orders_of_each_process) {
    for (const std::size_t rank : {0, 1}) {
        Json document = part_document(rank, 1);
        Json& process = document["processes"][0];
        process["allowed"] = rank == 0 ? "0-3" : "4-7";
        process["pairs"] = Json::array();
        process["pairs"].push_back(Json::array({1 - rank, 5, 40 + rank}));
        process["other_orders"] = 2 + rank;
        process["orders"] = Json::array();
        write(rank, document);
    }
    const Profile profile = joined();
    ASSERT_TRUE(profile.table.has_value());
    EXPECT_EQ(profile.table->ranks[0].allowed, "0-3");
    EXPECT_EQ(profile.table->ranks[1].allowed, "4-7");
    EXPECT_TRUE(profile.has_pairs);
    EXPECT_EQ(profile.processes[1].pairs[0].bytes, 41U);
    EXPECT_EQ(sum_up(profile).other_orders, 5U);
}

TEST_F(ProfileParts, that_do_not_go_together_cost_that_process) {
    const std::string not_own = "it is no part that rank 1 wrote by itself.";
    EXPECT_EQ(fault([](Json& part) { part["processes"][0]["rank"] = 2; }), not_own);
    EXPECT_EQ(fault([](Json& part) { part.erase("part_of"); }), not_own);
    EXPECT_EQ(fault([](Json& part) { part = *parse_json(profile_text()); }), not_own);
    EXPECT_EQ(fault([](Json& part) { part["lanes"][0] = "kernel"; }),
              "it does not go with the part of rank 0.");
    EXPECT_EQ(fault([](Json& part) { part["size"] = 5; }), "it does not go with the part of rank 0.");
    EXPECT_EQ(fault(drop_pairs), "it does not go with the part of rank 0.");
    EXPECT_EQ(fault([](Json& part) { part["kinds"][2]["size"] = 5; }),
              "one of its kinds of communicators has another size than in parts of lower ranks.");
    EXPECT_EQ(fault([](Json& part) { part.erase("lanes"); }), "member \"lanes\" is missing.");
}

TEST_F(ProfileParts, of_jobs_that_began_before_are_left_out) {
    for (const std::size_t newest : {0, 3}) {
        for (const std::size_t rank : {0, 1, 2, 3}) {
            Json document = part_document(rank, 1);
            document["part_of"] = rank == newest ? "20261127T000000.n0.1.1" : kJob;
            write(rank, document);
        }
        const Profile profile = joined();
        ASSERT_EQ(profile.processes.size(), 1U);
        EXPECT_EQ(profile.processes[0].rank, static_cast<int>(newest));
        EXPECT_EQ(profile.kinds.size(), newest == 0 ? 2U : 3U);
        ASSERT_EQ(profile.warnings.size(), 2U);
        EXPECT_EQ(profile.warnings[1], "left out: 3 parts of a job that began before this one");
    }
}

TEST_F(ProfileParts, is_read_as_a_profile) {
    for (const std::size_t rank : {0, 2, 3}) {
        write(rank, part_document(rank, 1));
    }
    write("1.json", part_document(1, 1).dump().substr(0, 100));
    write("1.json.0123456789abcdef.part", "{");
    write("notes.json", "none of ours");
    const Profile profile = joined();
    EXPECT_EQ(profile.processes.size(), 3U);
    ASSERT_EQ(profile.warnings.size(), 2U);
    EXPECT_EQ(profile.warnings[1],
              "left out: " + path_ + "/1.json: it is cut off: it ends after 100 bytes, in the middle.");
}

TEST_F(ProfileParts, without_parts_is_an_error) {
    EXPECT_EQ(open_profile(path_).error().value, "is a folder without parts of a profile.");
    write("0.json", "");
    EXPECT_EQ(open_profile(path_).error().value, path_ + "/0.json: it is empty.");
    EXPECT_EQ(open_profile(path_).error().where, path_);
}

}  // namespace
}  // namespace hitopo::tool
