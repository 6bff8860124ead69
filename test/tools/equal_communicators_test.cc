// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/equal_communicators.h"

#include <algorithm>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/report/profile_sums.h"
#include "test/tools/profile_fixtures.h"

namespace hitopo::tool {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};
using Ints = std::vector<int>;

// {process, peer, lane, messages, bytes} of each pair of a communicator.
using Pairs = std::vector<std::array<std::uint64_t, 5>>;

Profile joined(void (*change)(Json&)) {
    return join_equal_communicators(std::move(*changed_profile(change)));
}

Pairs pairs_of(const Profile& profile, int id) {
    Pairs pairs;
    for (const Traffic& traffic : profile.traffic) {
        for (const Peer& peer : traffic.peers) {
            if (traffic.communicator == id) {
                pairs.push_back({static_cast<std::uint64_t>(traffic.rank),
                                 static_cast<std::uint64_t>(peer.rank),
                                 static_cast<std::uint64_t>(peer.lane), peer.messages, peer.bytes});
            }
        }
    }
    return pairs;
}

// Two rows of two processes, each of which numbers them downwards. Rank 0 sends 80 bytes to 1, and rank
// 2 sends 64 to 3.
void make_rows(Json& document) {
    for (const int id : {1, 2}) {
        Json& row = document["communicators"][id];
        row["name"] = "row";
        row["remote_size"] = 0;
        row["ranks"] = id == 1 ? Json{1, 0} : Json{3, 2};
        row["spans"] = {"node"};
        row["is_registered"] = true;
        row["is_freed"] = id == 1;
    }
    Json& of_0 = document["processes"][0]["communicators"][1];
    Json& of_1 = document["processes"][1]["communicators"][1];
    Json& of_2 = document["processes"][2]["communicators"][1];
    of_0["rank"] = 1;
    of_0["peers"][0][0] = 0;
    of_1["rank"] = 0;
    of_2["rank"] = 1;
    of_2["peers"] = {{0, 3, 3, 2, 64, 3000, 0, 0}};
}

// Communicator 2 is a duplicate of 1, on which rank 0 sends 5 messages of 40 bytes.
void make_duplicates(Json& document) {
    make_rows(document);
    document["communicators"][2]["ranks"] = {1, 0};
    document["processes"][2]["communicators"].erase(1);
    Json again = document["processes"][0]["communicators"][1];
    again["id"] = 2;
    again["peers"] = {{0, 1, 3, 5, 200, 1000, 1, 7}};
    document["processes"][0]["communicators"].push_back(again);
}

TEST(EqualCommunicators, rows_of_a_grid_are_one) {
    const Profile profile = joined(make_rows);
    ASSERT_EQ(profile.communicators.size(), 2U);
    const ProfiledCommunicator& rows = profile.communicators[1];
    EXPECT_EQ(rows.ids, (Ints{1, 2}));
    EXPECT_EQ(rows.size, 2);
    EXPECT_EQ(rows.ranks, (Ints{0, 1, 2, 3}));
    EXPECT_EQ(rows.spans, Ints{3});
    EXPECT_EQ(size_phrase(rows), "2 communicators of 2 processes");
    EXPECT_EQ(state_phrase(rows), "1 registered, 1 freed");
    EXPECT_EQ(pairs_of(profile, 1), (Pairs{{0, 1, 3, 10, 80}, {2, 3, 3, 2, 64}}));
    const CommunicatorSums sums = sum_up(profile)[1];
    EXPECT_EQ(sums.calls, 22U);
    EXPECT_EQ(sums.lanes[3].bytes, 144U);
    EXPECT_EQ(sums.ns, 2004500U);
}

TEST(EqualCommunicators, pairs_of_duplicates_are_one) {
    const Profile profile = joined(make_duplicates);
    ASSERT_EQ(profile.communicators.size(), 2U);
    EXPECT_EQ(profile.communicators[1].ranks, (Ints{0, 1}));
    EXPECT_EQ(pairs_of(profile, 1), (Pairs{{0, 1, 3, 15, 280}}));
    const CommunicatorSums sums = sum_up(profile)[1];
    ASSERT_EQ(sums.processes.size(), 2U);
    EXPECT_EQ(sums.processes[0]->peers[0].ns, 2001000U);
    EXPECT_EQ(sums.processes[0]->peers[0].fetched_bytes, 7U);
    ASSERT_EQ(sums.by_call.size(), 2U);
    EXPECT_EQ(sums.by_call[0].count, 20U);
}

TEST(EqualCommunicators, a_single_one_keeps_its_numbers) {
    const Profile profile = joined([](Json& document) {
        make_rows(document);
        document["communicators"][2]["name"] = "another row";
    });
    ASSERT_EQ(profile.communicators.size(), 3U);
    EXPECT_EQ(profile.communicators[1].ranks, (Ints{1, 0}));
    EXPECT_EQ(size_phrase(profile.communicators[1]), "2 processes");
    EXPECT_EQ(state_phrase(profile.communicators[1]), "freed");
    EXPECT_EQ(pairs_of(profile, 1), (Pairs{{1, 0, 3, 10, 80}}));
}

TEST(EqualCommunicators, equal_are_name_and_sizes) {
    EXPECT_EQ(joined([](Json& document) {
                  make_rows(document);
                  document["communicators"][2]["remote_size"] = 1;
              }).communicators.size(),
              3U);
    EXPECT_EQ(joined([](Json& document) {
                  make_rows(document);
                  document["communicators"][2]["size"] = 3;
                  document["communicators"][2]["ranks"] = {3, 2, 1};
              }).communicators.size(),
              3U);
}

TEST(EqualCommunicators, the_most_bytes_come_first) {
    const Profile profile = joined([](Json& document) {
        make_rows(document);
        document["processes"][0]["communicators"][1]["calls"][0]["bytes"] = 1053724 - 64;
        document["communicators"][0]["name"] = "world";
    });
    EXPECT_EQ(profile.communicators[0].name, "world");  // the first of equals
    const Profile more = joined([](Json& document) {
        make_rows(document);
        document["processes"][0]["communicators"][1]["calls"][0]["bytes"] = 1053724 - 63;
    });
    EXPECT_EQ(more.communicators[0].name, "row");
    EXPECT_EQ(pairs_of(more, 0), (Pairs{{0, 1, 3, 10, 80}, {2, 3, 3, 2, 64}}));
    EXPECT_EQ(pairs_of(more, 1).size(), 3U);
}

// Peers of another group keep their ranks there.
TEST(EqualCommunicators, of_two_groups) {
    const Profile profile = joined([](Json& document) {
        make_rows(document);
        for (const int id : {1, 2}) {
            document["communicators"][id]["remote_size"] = 7;
        }
        document["processes"][2]["communicators"][1]["peers"] = {{6, nullptr, 8, 2, 64, 3000, 0, 0}};
    });
    EXPECT_EQ(size_phrase(profile.communicators[1]), "2 communicators of 2 processes to 7");
    EXPECT_EQ(size_text(profile.communicators[1]), "2+7");
    EXPECT_EQ(pairs_of(profile, 1), (Pairs{{0, 0, 3, 10, 80}, {2, 6, 8, 2, 64}}));
}

TEST(EqualCommunicators, processes_outside_the_world_are_one) {
    const Profile profile = joined([](Json& document) {
        make_rows(document);
        document["communicators"][1]["ranks"] = {nullptr, 0};
        document["communicators"][2]["ranks"] = {nullptr, 2};
        document["processes"][2]["communicators"][1]["peers"][0][1] = nullptr;
    });
    EXPECT_EQ(profile.communicators[1].ranks, (Ints{0, 2, -1}));
    EXPECT_EQ(pairs_of(profile, 1), (Pairs{{0, 2, 3, 10, 80}, {1, 2, 3, 2, 64}}));
    EXPECT_NE(format_report(profile, Charset::kAscii).find("      2 n2            outside"),
              std::string::npos);
}

TEST(EqualCommunicators, stay_at_the_largest_number) {
    const Profile profile = joined([](Json& document) {
        make_duplicates(document);
        document["processes"][0]["communicators"][1]["peers"][0][4] = kMost;
    });
    EXPECT_EQ(pairs_of(profile, 1), (Pairs{{0, 1, 3, 15, kMost}}));
}

TEST(EqualCommunicators, without_peers_have_their_sums) {
    const Profile good = joined(make_duplicates);
    const Profile summed = joined([](Json& document) {
        make_duplicates(document);
        sum_peers(document);
    });
    EXPECT_EQ(sum_up(summed)[1].lanes[3].bytes, sum_up(good)[1].lanes[3].bytes);
    EXPECT_EQ(sum_up(summed)[1].lanes[3].messages, 16U);
}

TEST(EqualCommunicators, in_the_report) {
    const std::string text = format_report(joined(make_rows), Charset::kAscii);
    EXPECT_NE(
        text.find("  row                 2     2  node             22        12     144 B  2.00 ms\n"),
        std::string::npos)
        << text;
    EXPECT_NE(text.find("\nrow: 2 communicators of 2 processes, 1 registered, 1 freed\n"),
              std::string::npos);
    EXPECT_NE(text.find("  Heaviest pairs, by rank in MPI_COMM_WORLD\n"
                        "   rank                peer               lane  messages     bytes     time\n"
                        "      0 n1                1 n1            node        10      80 B  2.00 ms\n"
                        "      2 n2                3 n2            node         2      64 B  3.00 us\n"),
              std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
