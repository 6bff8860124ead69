// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/side_lanes.h"

#include "ompi/tools/hitopo/render.h"
#include "test/tools/profile_fixtures.h"

namespace hitopo::tool {
namespace {

// Ranks 0 and 1 in one domain, 2 in another, 3 in none.
Profile with_domains() {
    Profile profile = profile_fixture();
    profile.table->side = {{"gpu://Nearest", {"hwloc"}, {{{}, {3}}}},
                           {"nvlink://Domain", {"nvml"}, {{"rack1", {0, 1}}, {"rack2", {2}}}}};
    return profile;
}

std::string report_of(const Result<Profile>& profile, const std::string& side) {
    Options options{Command::kReport, Format::kText, false, {}, "job.json"};
    options.side = side;
    const Rendered rendered = render_report(profile, options, Charset::kAscii);
    return rendered.error.empty() ? rendered.text : "error: " + rendered.error;
}

TEST(SideLanes, sums_of_each_communicator) {
    const Profile profile = with_domains();
    const Result<SideLanes> lanes = side_lanes(profile, "nvlink://Domain");
    ASSERT_TRUE(lanes.is_ok());
    EXPECT_EQ(lanes->num_domains, 2U);
    using Numbers = std::vector<std::uint64_t>;
    const auto numbers = [&](std::size_t id) {
        Numbers all;
        for (const SideLaneSum& sum : lanes->sums.at(id)) {
            all.insert(all.end(), {sum.messages, sum.bytes});
        }
        return all;
    };
    ASSERT_EQ(lanes->sums.size(), 3U);
    // Rank 0 sends 3 messages to 1 and one to 2, from which it fetches twice 1024 bytes; 2 sends one
    // to 3.
    EXPECT_EQ(numbers(0), (Numbers{3, 3000, 3, 1048576 + 2048, 1, 0}));
    EXPECT_EQ(numbers(1), (Numbers{10, 80, 0, 0, 0, 0}));
    EXPECT_EQ(numbers(2), (Numbers{0, 0, 0, 0, 2, 64}));  // to a process of another job
}

TEST(SideLanes, in_the_report) {
    const std::string text = report_of(with_domains(), "NVLINK://domain");
    EXPECT_NE(
        text.find("\nnvlink://Domain, 2 domains: messages to single peers, and fetches, within a "
                  "domain, between two,\nand where one process is in none\n"
                  "  name                  within     bytes   between     bytes   in none     bytes\n"
                  "  MPI_COMM_WORLD             3  2.93 KiB         3  1.00 MiB         1       0 B\n"),
        std::string::npos)
        << text;
    EXPECT_EQ(report_of(with_domains(), "").find("nvlink"), std::string::npos);
}

TEST(SideLanes, a_type_that_the_job_lacks) {
    EXPECT_EQ(report_of(with_domains(), "nvlink://\x1b"),
              "error: --side: nvlink://\\x1b is no side resource of this job, which has gpu://Nearest, "
              "nvlink://Domain");
    EXPECT_EQ(report_of(profile_fixture(), "x://Y"),
              "error: --side: x://Y is no side resource of this job, which has none");
    Profile without_table = with_domains();
    without_table.table.reset();
    EXPECT_FALSE(side_lanes(without_table, "nvlink://Domain").is_ok());
}

TEST(SideLanes, a_profile_without_peers) {
    Profile profile = with_domains();
    profile.max_peers = 3;
    EXPECT_NE(report_of(profile, "nvlink://Domain").find("hitopo_prof_max_peers"), std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
