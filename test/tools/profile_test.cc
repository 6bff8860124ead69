// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/profile.h"

#include <sys/stat.h>
#include <unistd.h>

#include "ompi/tools/hitopo/render.h"
#include "test/tools/profile_fixtures.h"

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
    EXPECT_EQ(profile.version, "0.1.0");
    EXPECT_EQ(profile.size, 4);
    EXPECT_EQ(profile.snapshot, 2);
    EXPECT_EQ(profile.seconds, 1.5);
    EXPECT_EQ(profile.processes.size(), 4U);
    ASSERT_EQ(profile.lanes.size(), 9U);
    EXPECT_EQ(profile.lanes[3], "node");
    ASSERT_TRUE(profile.table.has_value());
    EXPECT_EQ(profile.table->ranks[2].names[kNode], "n2");
    EXPECT_EQ(profile.warnings, std::vector<std::string>{"rank 3 left out 7 messages \x07"});
}

TEST(Profile, has_the_communicators) {
    const Profile profile = profile_fixture();
    ASSERT_EQ(profile.communicators.size(), 3U);
    EXPECT_EQ(profile.communicators[0].spans, (std::vector<int>{3, 4}));
    EXPECT_EQ(profile.communicators[0].num_registered, 1);
    EXPECT_EQ(profile.communicators[1].name, "</script><script>alert(1)</script>\x1b[31m");
    EXPECT_EQ(profile.communicators[1].num_freed, 1);
    EXPECT_EQ(profile.communicators[2].remote_size, 2);
    EXPECT_EQ(profile.communicators[2].ranks, (std::vector<int>{2, 3}));
}

TEST(Profile, has_what_each_process_counted) {
    const Profile profile = profile_fixture();
    ASSERT_EQ(profile.traffic.size(), 7U);
    const Traffic& first = profile.traffic[0];
    EXPECT_EQ(first.communicator, 0);
    ASSERT_EQ(first.calls.size(), 3U);
    EXPECT_EQ(first.calls[1].name, "MPI_Get");
    EXPECT_EQ(first.calls[1].bytes, 2048U);
    ASSERT_EQ(first.peers.size(), 2U);
    EXPECT_EQ(first.peers[1].rank, 2);
    EXPECT_EQ(first.peers[1].lane, 4);
    EXPECT_EQ(first.peers[1].messages, 1U);
    EXPECT_EQ(first.peers[1].bytes, 1048576U);
    EXPECT_EQ(first.peers[1].ns, 90000U);
    EXPECT_EQ(first.peers[1].fetches, 2U);
    EXPECT_EQ(first.peers[1].fetched_bytes, 2048U);
    EXPECT_EQ(first.collective_bytes[4], 200U);
    ASSERT_EQ(first.served.size(), 1U);
    EXPECT_EQ(first.served[0].name, "MPI_Bcast");
    EXPECT_EQ(first.served[0].count, 1U);
    EXPECT_EQ(first.served[0].messages[4], 1U);
    EXPECT_EQ(first.served[0].bytes[4], 100U);
    EXPECT_EQ(first.served[0].flat_bytes[4], 200U);
    EXPECT_TRUE(profile.traffic[1].served.empty());
    const Traffic& server = profile.traffic[5];
    EXPECT_EQ(server.communicator, 2);
    EXPECT_EQ(server.peers[0].world_rank, -1);
}

TEST(Profile, communicators_may_come_before_the_processes) {
    EXPECT_EQ(fault([](Json& profile) {
                  const Json processes = profile["processes"];
                  profile.erase("processes");
                  profile["processes"] = processes;
              }),
              "");
}

TEST(Profile, may_lack_the_table_and_hold_members_that_we_do_not_know) {
    const Result<Profile> profile = changed_profile([](Json& document) {
        document["table"] = nullptr;
        document["later"] = {{"peers", {1, 2}}, {"processes", {{{"communicators", {7}}}}}};
        document["processes"][0]["later"] = {{"communicators", {{{"peers", {{1}}}}}}};
        document["processes"][0]["communicators"][0]["later"] = {{{"peers", {{1}}}}};
    });
    ASSERT_TRUE(profile.is_ok()) << profile.error().value;
    EXPECT_FALSE(profile->table.has_value());
    EXPECT_EQ(profile->traffic.size(), 7U);
}

TEST(Profile, counts_have_64_bits) {
    const Result<Profile> profile = changed_profile(
        [](Json& document) { document["processes"][0]["communicators"][0]["peers"][0][4] = ~0ULL; });
    ASSERT_TRUE(profile.is_ok());
    EXPECT_EQ(profile->traffic[0].peers[0].bytes, ~0ULL);
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
                  "it is no profile: it lacks \"document\": \"profile\".")
            << text;
    }
    EXPECT_EQ(fault([](Json& profile) { profile["schema"] = 2; }), "it is of schema 2.");
}

TEST(Profile, the_message_names_file_and_remedy) {
    const Error error = changed_profile([](Json& profile) { profile["schema"] = 2; }).error();
    EXPECT_EQ(error_line(error),
              "job.json: it is of schema 2. Give a file that HiTopo's profiler has written to its end, "
              "and use the "
              "hitopo of the same version: this one reads schema 1");
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

TEST(Profile, members_of_communicators) {
    const auto communicator = [](const char* name, const Json& value) {
        return fault([&](Json& p) { p["communicators"][1][name] = value; });
    };
    EXPECT_EQ(communicator("id", 2), "communicators[1]: \"id\" is not the entry's index.");
    EXPECT_EQ(communicator("name", 2), "communicators[1]: \"name\" is not a string.");
    EXPECT_EQ(communicator("size", 3), "communicators[1]: \"ranks\" has not \"size\" entries.");
    EXPECT_EQ(communicator("size", 0), "communicators[1]: \"size\" is not a number, or out of range.");
    EXPECT_EQ(communicator("size", -1), "communicators[1]: \"size\" is not a number, or out of range.");
    EXPECT_EQ(communicator("ranks", {0, 4}),
              "communicators[1]: \"ranks\" holds a rank that the job has not.");
    EXPECT_EQ(communicator("ranks", {0, -1}),
              "communicators[1]: \"ranks\" is not a number, or out of range.");
    EXPECT_EQ(communicator("ranks", {0, nullptr}), "");
    EXPECT_EQ(communicator("spans", {"street"}),
              "communicators[1]: \"spans\" names a lane that \"lanes\" has not.");
    EXPECT_EQ(communicator("is_freed", 1), "communicators[1]: \"is_freed\" is neither true nor false.");
    EXPECT_EQ(fault([](Json& p) { p["communicators"][0] = 7; }),
              "communicators[0]: member \"id\" is missing.");
}

TEST(Profile, members_of_processes) {
    EXPECT_EQ(fault([](Json& p) { p["processes"][2]["rank"] = 1; }),
              "processes[2]: the processes are not in the order of their ranks.");
    EXPECT_EQ(fault([](Json& p) { p["processes"][3]["rank"] = 4; }),
              "processes[3].rank is not in the job.");
    EXPECT_EQ(fault([](Json& p) { p["processes"][3].erase("communicators"); }),
              "processes[3]: member \"communicators\" is missing.");
    EXPECT_EQ(fault([](Json& p) { p["processes"][3]["communicators"] = {1}; }),
              "processes[3].communicators[0]: member \"peers\" is missing.");
}

TEST(Profile, members_of_a_process_and_communicator) {
    const auto entry = [](const char* name, const Json& value) {
        return fault([&](Json& p) { p["processes"][2]["communicators"][1][name] = value; });
    };
    const std::string place = "processes[2].communicators[1]: ";
    EXPECT_EQ(entry("id", 3), place + "\"id\" is none of \"communicators\".");
    EXPECT_EQ(entry("id", -1), place + "\"id\" is not a number, or out of range.");
    EXPECT_EQ(entry("rank", 2), place + "\"rank\" is not below the communicator's size.");
    EXPECT_EQ(entry("peers", nullptr), place + "\"peers\" is not an array.");
    EXPECT_EQ(entry("peers", {1}),
              "processes[2].communicators[1].peers[0]: a peer is an array of eight numbers.");
    EXPECT_EQ(entry("calls", {{{"call", "MPI_Send"}}}), place + "member \"count\" is missing.");
    EXPECT_EQ(entry("calls", {{{"call", "x"}, {"count", -1}, {"bytes", 0}, {"ns", 0}}}),
              place + "\"count\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(entry("collective_bytes", {1}),
              place + "\"collective_bytes\" has not one entry for each lane.");
    EXPECT_EQ(fault([](Json& p) { p["processes"][1]["communicators"][1]["rank"] = 0; }),
              "processes[1].communicators[1]: a second rank 0 of communicator 1.");
}

TEST(Profile, members_of_sums_of_peers) {
    const auto entry = [](const char* name, const Json& value) {
        return fault([&](Json& p) {
            sum_peers(p);
            p["processes"][0]["communicators"][0]["peer_sums"][name] = value;
        });
    };
    const std::string place = "processes[0].communicators[0]: ";
    const Json eight = {1, 2, 3, 4, 5, 6, 7, 8};
    for (const char* name : {"messages", "bytes", "ns", "fetches", "fetched_bytes"}) {
        EXPECT_EQ(entry(name, eight), place + "\"peer_sums\" has not one number for each lane.");
        EXPECT_EQ(entry(name, 1).find(place), 0U);
    }
    EXPECT_EQ(entry("bytes", {-1}).find(place), 0U);
    EXPECT_EQ(fault([](Json& p) { p["max_peers"] = -1; }),
              "\"max_peers\" is not a number, or out of range.");
    EXPECT_EQ(fault([](Json& p) { p["processes"][0]["communicators"][0]["peer_sums"] = 1; }).find(place),
              0U);
}

TEST(Profile, members_of_served_calls) {
    const auto served = [](const char* name, const Json& value) {
        return fault([&](Json& p) { p["processes"][0]["communicators"][0]["served"][0][name] = value; });
    };
    const std::string place = "processes[0].communicators[0]: ";
    const std::vector<int> eight(8);
    EXPECT_EQ(served("call", 1), place + "\"call\" is not a string.");
    EXPECT_EQ(served("count", -1), place + "\"count\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(served("bytes", {1.5}), place + "\"bytes\" is not a number from 0 to 2^64 - 1.");
    for (const char* name : {"messages", "bytes", "flat_bytes"}) {
        EXPECT_EQ(served(name, eight), place + "served[0] has not one number for each lane.");
    }
    EXPECT_EQ(fault([](Json& p) { p["processes"][0]["communicators"][0]["served"] = 1; }),
              place + "\"served\" is not an array.");
}

TEST(Profile, members_of_peers) {
    const auto peer = [](std::size_t index, const Json& value) {
        return fault([&](Json& p) { p["processes"][0]["communicators"][0]["peers"][1][index] = value; });
    };
    const std::string entry = "processes[0].communicators[0]: peers[1].";
    const std::string while_parsing = "processes[0].communicators[0].peers[1]: ";
    EXPECT_EQ(peer(0, 4), entry + "peer is not in the communicator.");
    EXPECT_EQ(peer(1, 4), entry + "rank is not in the job.");
    EXPECT_EQ(peer(2, 9), entry + "lane is none of \"lanes\".");
    EXPECT_EQ(peer(0, -1), while_parsing + "\"peer\" is not a number, or out of range.");
    EXPECT_EQ(peer(1, -1), while_parsing + "\"rank\" is not a number, or out of range.");
    EXPECT_EQ(peer(4, -1), while_parsing + "\"bytes\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(peer(4, 1.5), while_parsing + "\"bytes\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(fault([](Json& p) {
                  p["processes"][0]["communicators"][0]["peers"][1] = {1, 2};
              }),
              while_parsing + "a peer is an array of eight numbers.");
    EXPECT_EQ(fault([](Json& p) {
                  p["processes"][0]["communicators"][0]["peers"][1] = {{"peer", 1}};
              }),
              while_parsing + "a peer is an array of eight numbers.");
}

}  // namespace
}  // namespace hitopo::tool
