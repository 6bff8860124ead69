// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "profiler/report/report_file.h"

namespace hitopo::profile {
namespace {

TEST(ReportPath, fills_in_where_it_comes_from) {
    EXPECT_EQ(report_path("hitopo-profile.%t.%h.%j.%p.json", 0, {"n1", "4711.0", 123, 1795687622}),
              "hitopo-profile.20261126T100702.n1.4711.0.123.json");
    EXPECT_EQ(report_path("a%%p%p%", 0, {"", "", 5, 0}), "a%p5%");
    EXPECT_EQ(report_path("%d%%h", 0, {"n1", "", 5, 0}), "%d%h") << "not ours";
}

TEST(ReportPath, takes_no_folder_from_names) {
    EXPECT_EQ(report_path("%h-%j", 0, {"../n 1", "prterun-n1-7@1/..", 5, 0}),
              ".._n_1-prterun-n1-7@1_..");
    EXPECT_EQ(report_path("%j", 0, {"", std::string(100, 'a') + "@1", 5, 0}),
              std::string(62, 'a') + "@1");
}

TEST(ReportPath, numbers_snapshots) {
    const ReportOrigin origin = {"n1", "j", 7, 0};
    EXPECT_EQ(report_path("dir.d/profile.json", 2, origin), "dir.d/profile.2.json");
    EXPECT_EQ(report_path("dir.d/profile", 2, origin), "dir.d/profile.2");
    EXPECT_EQ(report_path("profile.%p.json", 10, origin), "profile.7.10.json");
}

TEST(ReportPath, names_a_spawned_job_where_the_pattern_does_not) {
    const ReportOrigin origin = {"n1", "4711.1", 7, 1795687622, true};
    EXPECT_EQ(report_path("a.b/profile.json", 0, origin), "a.b/profile.4711.1.json");
    EXPECT_EQ(report_path("profile", 2, origin), "profile.4711.1.2");
    EXPECT_EQ(report_path("%h.%t.%%j.json", 0, origin), "n1.20261126T100702.%j.4711.1.json");
    EXPECT_EQ(report_path("%j.json", 0, origin), "4711.1.json");
    EXPECT_EQ(report_path("%p.json", 1, origin), "7.1.json");
}

TEST(ReportPath, has_a_folder_for_parts_beside_it) {
    EXPECT_EQ(parts_folder("dir.d/profile.7.json"), "dir.d/profile.7.parts");
    EXPECT_EQ(parts_folder("dir.d/profile"), "dir.d/profile.parts");
    EXPECT_EQ(parts_folder(".json"), ".json.parts");
}

}  // namespace
}  // namespace hitopo::profile
