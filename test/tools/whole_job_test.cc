// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/profile_sums.h"
#include "ompi/tools/hitopo/report/units.h"
#include "test/tools/profile_fixtures.h"

namespace hitopo::tool {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

TrafficSums whole_of(const Profile& profile) { return whole_job(profile, sum_up(profile)); }

TEST(WholeJob, is_the_sum_of_its_communicators) {
    const TrafficSums whole = whole_of(profile_fixture());
    EXPECT_EQ(whole.calls, 13U + 20U + 2U);
    EXPECT_EQ(whole.messages, 7U + 10U + 2U);
    EXPECT_EQ(whole.bytes, 1053624U + 80U + 64U);
    EXPECT_EQ(whole.collective_bytes, 300U);
    EXPECT_EQ(whole.ns, 723100U + 2001500U + 3000U);
    EXPECT_EQ(whole.lanes[3].bytes, 3000U + 80U);
    EXPECT_EQ(whole.lanes[4].served_bytes, 100U);
    EXPECT_TRUE(whole.lanes[8].is_spanned);
    EXPECT_FALSE(whole.lanes[0].is_spanned);
}

TEST(WholeJob, its_share_is_of_the_processes_that_took_part) {
    Profile profile = profile_fixture();
    TrafficSums whole;
    whole.ns = 3000000000;
    EXPECT_EQ(share_in_mpi(profile, whole), 0.5);  // of 4 x 1.5 s
    EXPECT_EQ(share_phrase(profile, whole),
              "50 %: calls on registered communicators, 3.00 s of 4 x 1.5 s");
    profile.processes.resize(1);
    EXPECT_EQ(share_in_mpi(profile, whole), 2.0);  // two threads
    profile.seconds = 0;
    EXPECT_FALSE(share_in_mpi(profile, whole));
    EXPECT_EQ(share_phrase(profile, whole).substr(0, 3), "-: ");
}

TEST(WholeJob, stays_at_the_largest_number) {
    Profile profile = profile_fixture();
    profile.traffic[0].calls[0].ns = kMost;
    EXPECT_EQ(whole_of(profile).ns, kMost);
}

TEST(WholeJob, percents_are_short) {
    EXPECT_EQ(percent_text(0), "0 %");
    EXPECT_EQ(percent_text(0.0001), "<1 %");
    EXPECT_EQ(percent_text(0.125), "12 %");
    EXPECT_EQ(percent_text(1), "100 %");
    EXPECT_EQ(percent_text(1e30), ">999 %");
}

}  // namespace
}  // namespace hitopo::tool
