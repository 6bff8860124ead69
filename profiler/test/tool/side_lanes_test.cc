// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/test/tool/profile_fixtures.h"
#include "profiler/tool/report/report.h"

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

// Rank 0 and 1: 13 messages; 0 and 2: 3; 2 and 3: one, and 2 sends two to another job.
TEST(SideLanes, in_the_report) {
    const std::string text = report_of(with_domains(), "NVLINK://domain");
    EXPECT_NE(text.find("\nPoint-to-point messages, by side resource\n"
                        "  nvlink://Domain (2 domains)  messages     bytes\n"
                        "  within a domain                    13  3.01 KiB\n"
                        "  between two                         3  1.00 MiB\n"
                        "  with a process in none              3      64 B\n"),
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
    EXPECT_NE(report_of(without_table, "nvlink://Domain").find("which has none"), std::string::npos);
}

TEST(SideLanes, a_profile_without_pairs) {
    Profile profile = with_domains();
    profile.has_pairs = false;
    EXPECT_NE(report_of(profile, "nvlink://Domain").find("hitopo_prof_max_peers"), std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
