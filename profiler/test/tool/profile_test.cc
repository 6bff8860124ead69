// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/profile.h"

#include <sys/stat.h>
#include <unistd.h>

#include "ompi/tools/hitopo/render.h"
#include "profiler/test/tool/profile_fixtures.h"

namespace hitopo::tool {
namespace {

// What is wrong after `change`; "" if nothing is.
template <class Change>
std::string fault(Change change) {
    const Result<Profile> profile = changed_profile(change);
    return profile ? "" : profile.error().value;
}

TEST(Profile, is_read) {
    const Profile profile = profile_fixture();
    EXPECT_EQ(profile.version, "0.3.0");
    EXPECT_EQ(profile.size, 4);
    EXPECT_EQ(profile.snapshot, 2);
    EXPECT_EQ(profile.seconds, 0.001);
    EXPECT_EQ(profile.processes.size(), 4U);
    ASSERT_EQ(profile.lanes.size(), 9U);
    EXPECT_EQ(profile.lanes[3], "node");
    ASSERT_TRUE(profile.table.has_value());
    EXPECT_EQ(profile.table->ranks[2].names[kNode], "n2");
    EXPECT_EQ(profile.warnings, std::vector<std::string>{"rank 3 left out 7 messages \x07"});
    ASSERT_EQ(profile.kinds.size(), 4U);
    EXPECT_EQ(profile.kinds[1].name, "</script><script>alert(1)</script>\x1b[31m");
    EXPECT_EQ(profile.kinds[2].size, 2);
    EXPECT_EQ(profile.kinds[2].remote_size, 2);
    EXPECT_EQ(profile.kinds[3].size, 0);
}

TEST(Profile, has_what_each_process_counted) {
    const Profile profile = profile_fixture();
    ASSERT_EQ(profile.processes[0].kinds.size(), 2U);
    const TrafficRecord& first = profile.processes[0].kinds[0];
    EXPECT_EQ(first.kind, 0);
    EXPECT_EQ(first.made, 1U);
    ASSERT_EQ(first.calls.size(), 3U);
    EXPECT_EQ(first.calls[1].name, "MPI_Get");
    EXPECT_EQ(first.calls[1].count, 2U);
    EXPECT_EQ(first.calls[1].bytes, 2048U);
    EXPECT_EQ(first.calls[1].ns, 5000U);
    ASSERT_EQ(first.lanes.size(), 2U);
    EXPECT_EQ(first.lanes[1].lane, 4);
    EXPECT_EQ(first.lanes[1].messages, 3U);
    EXPECT_EQ(first.lanes[1].bytes, 1050624U);
    EXPECT_EQ(first.lanes[1].collective_bytes, 200U);
    EXPECT_EQ(first.sizes[2].bits, 21);
    ASSERT_EQ(first.served.size(), 1U);
    EXPECT_EQ(first.served[0].name, "MPI_Bcast");
    EXPECT_EQ(first.served[0].flat_bytes[4], 200U);
    EXPECT_TRUE(profile.processes[0].kinds[1].served.empty());
    EXPECT_TRUE(profile.has_pairs);
    EXPECT_EQ(profile.processes[0].pairs[1].rank, 2);
    EXPECT_EQ(profile.processes[0].pairs[1].messages, 3U);
    EXPECT_EQ(profile.processes[0].pairs[1].bytes, 1050624U);
    EXPECT_EQ(profile.processes[0].collective_bytes, 300U);
    EXPECT_EQ(profile.processes[2].unknown.bytes, 64U);
}

TEST(Profile, kinds_may_come_before_the_processes) {
    EXPECT_EQ(fault([](Json& profile) {
                  const Json processes = profile["processes"];
                  profile.erase("processes");
                  profile["processes"] = processes;
              }),
              "");
}

TEST(Profile, may_lack_table_and_pairs_and_hold_members_that_we_do_not_know) {
    const Result<Profile> profile = changed_profile([](Json& document) {
        drop_pairs(document);
        document["table"] = nullptr;
        document["later"] = {{"kinds", {1, 2}}, {"processes", {{{"kinds", {7}}}}}, {"schema", 1}};
        document["processes"][0]["later"] = {{"kinds", {{{"calls", {{1}}}}}}};
        document["processes"][0]["kinds"][0]["later"] = {{{"calls", {{1}}}}};
        document["processes"][0]["kinds"][0]["calls"][0].push_back("more");
    });
    ASSERT_TRUE(profile.is_ok()) << profile.error().value;
    EXPECT_FALSE(profile->table.has_value());
    EXPECT_FALSE(profile->has_pairs);
    EXPECT_EQ(profile->max_peers, 3);
    EXPECT_EQ(profile->processes[1].kinds.size(), 3U);
}

TEST(Profile, has_cpusets_where_they_are) {
    const Result<Profile> profile =
        changed_profile([](Json& document) { document["processes"][2]["allowed"] = "4-7"; });
    ASSERT_TRUE(profile.is_ok() && profile->table);
    EXPECT_EQ(profile->table->ranks[2].allowed, "4-7");
    EXPECT_FALSE(profile->table->ranks[1].allowed);
}

TEST(Profile, counts_have_64_bits) {
    const Result<Profile> profile = changed_profile(
        [](Json& document) { document["processes"][0]["kinds"][0]["calls"][0][2] = ~0ULL; });
    ASSERT_TRUE(profile.is_ok());
    EXPECT_EQ(profile->processes[0].kinds[0].calls[0].bytes, ~0ULL);
}

TEST(Profile, a_file_that_ends_early_says_so_at_every_byte) {
    const std::string text = profile_text();
    const std::size_t end = text.find_last_of('}');
    for (std::size_t length = 1; length <= end; ++length) {
        const Result<Profile> profile = profile_of(text.substr(0, length));
        ASSERT_FALSE(profile.is_ok()) << length;
        ASSERT_EQ(profile.error().value.substr(0, 13), "it is cut off") << length;
    }
}

TEST(Profile, other_texts_say_where_they_stop_to_be_json) {
    EXPECT_EQ(profile_of("").error().value, "it is empty.");
    EXPECT_EQ(profile_of("{\"a\":\n nulx}").error().value,
              "no JSON at line 2, column 5: syntax error while parsing value - invalid literal.");
    EXPECT_EQ(profile_of("{} {}").error().value.substr(0, 26), "no JSON at line 1, column ");
    EXPECT_EQ(profile_of("[1e999]").error().value.substr(0, 11), "no JSON at ");
    EXPECT_LT(profile_of("[" + std::string(100000, '7') + "x").error().value.size(), 200U);
    EXPECT_EQ(profile_of(std::string(100, '[') + std::string(100, ']')).error().value,
              "JSON of too many levels.");
}

TEST(Profile, other_documents_are_told_from_profiles) {
    for (const char* text : {"null", "[]", "3", "\"x\"", "{}", "{\"document\": \"table\"}"}) {
        EXPECT_EQ(profile_of(text).error().value,
                  "it is no profile, which a profiled job writes (hitopo order has --table for tables).")
            << text;
    }
    EXPECT_EQ(fault([](Json& profile) { profile["schema"] = 3; }), "it is of schema 3.");
}

// As 0.2.0 wrote them; their processes are not looked into.
TEST(Profile, of_schema_1_are_refused_in_one_line_that_tells_what_to_do) {
    const Error error = changed_profile([](Json& profile) {
                            profile["schema"] = 1;
                            for (Json& process : profile["processes"]) {
                                process = {{"rank", process["rank"]}, {"communicators", Json::array()}};
                            }
                        }).error();
    EXPECT_EQ(error_line(error),
              "job.json: it is of schema 1, which the hitopo of HiTopo 0.2.0 reads. Give a file that "
              "HiTopo's profiler has written to its end, and use the hitopo of the same version: this "
              "one reads schema 2");
}

TEST(Profile, files_that_cannot_be_read) {
    EXPECT_EQ(open_profile("/nowhere/at/all").error().value,
              "cannot be read: No such file or directory.");
    const std::string pipe = testing::TempDir() + "hitopo-pipe-" + std::to_string(getpid());
    EXPECT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_EQ(open_profile("/dev/zero").error().value, "cannot be read: it is not a regular file.");
    EXPECT_EQ(open_profile(pipe).error().value, "cannot be read: it is a pipe.");
    unlink(pipe.c_str());
}

TEST(Profile, members_of_the_document) {
    EXPECT_EQ(fault([](Json& p) { p["size"] = 0; }), "\"size\" is not a number, or out of range.");
    EXPECT_EQ(fault([](Json& p) { p["size"] = 5000000000; }),
              "\"size\" is not a number, or out of range.");
    EXPECT_EQ(fault([](Json& p) { p["size"] = 5; }), "\"table\" has not \"size\" ranks.");
    EXPECT_EQ(fault([](Json& p) { p.erase("snapshot"); }), "member \"snapshot\" is missing.");
    EXPECT_EQ(fault([](Json& p) { p["seconds"] = -1; }), "\"seconds\" is no number or negative.");
    EXPECT_EQ(fault([](Json& p) { p["seconds"] = "1"; }), "\"seconds\" is no number or negative.");
    EXPECT_EQ(fault([](Json& p) { p["lanes"] = Json::array(); }), "\"lanes\" is empty or too long.");
    EXPECT_EQ(fault([](Json& p) { p["table"]["ranks"][1]["address"][3] = -7; }),
              "table: \"address\" is not a number, or out of range.");
    EXPECT_EQ(fault([](Json& p) { p["warnings"] = 1; }), "\"warnings\" is not an array.");
    EXPECT_EQ(fault([](Json& p) { p["processes"] = 1; }), "\"processes\" is not an array.");
    EXPECT_EQ(fault([](Json& p) { p["processes"].push_back(1); }),
              "\"processes\" holds something of another type.");
}

TEST(Profile, members_of_kinds) {
    const auto kind = [](const char* name, const Json& value) {
        return fault([&](Json& p) { p["kinds"][1][name] = value; });
    };
    EXPECT_EQ(kind("id", 2), "kinds[1]: \"id\" is not the entry's index.");
    EXPECT_EQ(kind("key", 2), "kinds[1]: \"key\" is not a string.");
    EXPECT_EQ(kind("name", 2), "kinds[1]: \"name\" is not a string.");
    EXPECT_EQ(kind("size", -1), "kinds[1]: \"size\" is not a number, or out of range.");
    EXPECT_EQ(kind("remote_size", -1), "kinds[1]: \"remote_size\" is not a number, or out of range.");
    EXPECT_EQ(fault([](Json& p) { p["kinds"][0] = 7; }), "kinds[0]: member \"id\" is missing.");
}

TEST(Profile, members_of_processes) {
    const auto process = [](const char* name, const Json& value) {
        return fault([&](Json& p) { p["processes"][1][name] = value; });
    };
    EXPECT_EQ(process("rank", 0), "processes[1]: the processes are not in the order of their ranks.");
    EXPECT_EQ(fault([](Json& p) { p["processes"][3]["rank"] = 4; }),
              "processes[3]: \"rank\" is not in the job.");
    EXPECT_EQ(process("kinds", nullptr), "processes[1]: \"kinds\" is not an array.");
    EXPECT_EQ(process("allowed", 7), "processes[1]: \"allowed\" is not a string.");
    EXPECT_EQ(process("collective_bytes", "x"),
              "processes[1]: \"collective_bytes\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(process("unknown_pairs", {1}),
              "processes[1]: \"unknown_pairs\" is not an array of 2 entries.");
    const auto pair = [&](const Json& value) { return process("pairs", Json::array({value})); };
    EXPECT_EQ(pair({1, 2}), "processes[1]: a pair is not an array of 3 entries.");
    EXPECT_EQ(pair(7), "processes[1]: a pair is not an array of 3 entries.");
    EXPECT_EQ(pair({-1, 2, 3}), "processes[1]: \"rank\" is not a number, or out of range.");
    EXPECT_EQ(pair({4, 2, 3}), "processes[1]: \"pairs\" has a rank that the job has not.");
    EXPECT_EQ(pair({1, 2, -3}), "processes[1]: \"bytes\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(fault([](Json& p) { p["processes"][1].erase("pairs"); }),
              "some processes have \"pairs\" and others have not.");
}

TEST(Profile, members_of_what_a_process_counted) {
    const auto entry = [](const char* name, const Json& value) {
        return fault([&](Json& p) { p["processes"][0]["kinds"][1][name] = value; });
    };
    const std::string place = "processes[0].kinds[1]: ";
    EXPECT_EQ(entry("id", -1), place + "\"id\" is not a number, or out of range.");
    EXPECT_EQ(entry("id", 4), "processes[0]: \"id\" is none of \"kinds\".");
    EXPECT_EQ(entry("id", 0), "processes[0]: it has a kind twice.");
    EXPECT_EQ(entry("made", -1), place + "\"made\" is not a number from 0 to 2^64 - 1.");
    const auto row = [&](const char* name, const Json& value) {
        return entry(name, Json::array({value}));
    };
    EXPECT_EQ(row("calls", {"MPI_Send", 1, 2}), place + "a call is not an array of 4 entries.");
    EXPECT_EQ(row("calls", {1, 1, 2, 3}), place + "a call has no name.");
    EXPECT_EQ(row("calls", {"x", -1, 2, 3}), place + "\"count\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(row("lanes", {0, 1, 2}), place + "a lane is not an array of 4 entries.");
    EXPECT_EQ(row("lanes", {9, 1, 2, 3}), "processes[0]: \"lanes\" has one that the document has not.");
    EXPECT_EQ(row("sizes", {-1, 1, 2}), place + "\"bits\" is not a number, or out of range.");
    EXPECT_EQ(row("sizes", 1), place + "a size is not an array of 3 entries.");
    EXPECT_EQ(entry("served", 1), place + "\"served\" is not an array.");
    for (const char* name : {"messages", "bytes", "flat_bytes"}) {
        EXPECT_EQ(fault([&](Json& p) { p["processes"][0]["kinds"][0]["served"][0][name] = {1}; }),
                  "processes[0]: \"served\" has not one number for each lane.");
    }
}

}  // namespace
}  // namespace hitopo::tool
