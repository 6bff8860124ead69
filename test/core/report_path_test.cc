// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/report_path.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

TEST(ReportPath, fills_in_the_process) {
    EXPECT_EQ(report_path("hitopo-profile.%p.json", 0, 123), "hitopo-profile.123.json");
    EXPECT_EQ(report_path("a%%p%p%", 0, 5), "a%p5%");
    EXPECT_EQ(report_path("%d", 0, 5), "%d") << "not ours";
}

TEST(ReportPath, numbers_snapshots) {
    EXPECT_EQ(report_path("dir.d/profile.json", 2, 1), "dir.d/profile.2.json");
    EXPECT_EQ(report_path("dir.d/profile", 2, 1), "dir.d/profile.2");
    EXPECT_EQ(report_path("profile.%p.json", 10, 7), "profile.7.10.json");
}

}  // namespace
}  // namespace hitopo
