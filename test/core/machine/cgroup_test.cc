// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/cgroup.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

using Folders = std::vector<std::string>;

constexpr const char* kMountsOfBoth =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "34 31 0:31 / /sys/fs/cgroup/cpuset rw,relatime shared:1 master:2 - cgroup cgroup rw,cpuset\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

TEST(Cgroup, folders_of_version_1_come_first) {
    constexpr const char* kCgroup = "3:cpuset:/job/step\n1:cpu,cpuacct:/q\n0::/\n";
    EXPECT_EQ(cgroup_folders(kCgroup, kMountsOfBoth, "cpuset"),
              (Folders{"/sys/fs/cgroup/cpuset/job/step", "/sys/fs/cgroup/cpuset/job",
                       "/sys/fs/cgroup/cpuset", "/sys/fs/cgroup/unified"}));
    EXPECT_EQ(cgroup_folders(kCgroup, kMountsOfBoth, "cpu"),
              (Folders{"/sys/fs/cgroup/cpu,cpuacct/q", "/sys/fs/cgroup/cpu,cpuacct",
                       "/sys/fs/cgroup/unified"}));
}

TEST(Cgroup, folders_of_version_2) {
    EXPECT_EQ(cgroup_folders("0::/a.slice/b c\n",
                             "26 25 0:23 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw,nsdelegate\n", "cpu"),
              (Folders{"/sys/fs/cgroup/a.slice/b c", "/sys/fs/cgroup/a.slice", "/sys/fs/cgroup"}));
}

// A container whose group is mounted by itself; one below it; one that is not seen.
TEST(Cgroup, folders_are_below_what_is_mounted) {
    constexpr const char* kMount = "9 8 0:31 /docker/ab /c\\040g ro - cgroup cgroup rw,cpuset\n";
    EXPECT_EQ(cgroup_folders("3:cpuset:/docker/ab\n", kMount, "cpuset"), (Folders{"/c g"}));
    EXPECT_EQ(cgroup_folders("3:cpuset:/docker/ab/x\n", kMount, "cpuset"), (Folders{"/c g/x", "/c g"}));
    for (const char* other : {"3:cpuset:/docker/abc\n", "3:cpuset:/\n", "3:cpuset:/../x\n"}) {
        EXPECT_EQ(cgroup_folders(other, kMount, "cpuset"), (Folders{"/c g"})) << other;
    }
    const std::string mounts = std::string(kMount) + "10 8 0:31 / /all rw - cgroup cgroup rw,cpuset\n";
    EXPECT_EQ(cgroup_folders("3:cpuset:/x\n", mounts, "cpuset"), (Folders{"/all/x", "/all"}));
}

TEST(Cgroup, of_odd_texts_there_are_no_folders) {
    for (const char* text : {"", "\n", ":", "::", "3:cpuset", "3:cpusets:/x\n", "a - b",
                             "1 2 3 4 5 - cgroup", "1 2 - cgroup c rw,cpuset"}) {
        EXPECT_TRUE(cgroup_folders("3:cpuset:/x\n", text, "cpuset").empty()) << text;
        EXPECT_TRUE(
            cgroup_folders(text, "9 8 0:31 / /c ro - cgroup cgroup rw,cpuset\n", "cpuset").empty())
            << text;
    }
}

TEST(Cgroup, quotas_are_thousandths_of_a_cpu) {
    EXPECT_EQ(milli_cpus_of("50000 100000\n"), 500);
    EXPECT_EQ(milli_cpus_of("250000 100000"), 2500);
    EXPECT_EQ(milli_cpus_of("50000\n", "100000\n"), 500);
    EXPECT_EQ(milli_cpus_of("1000000000000000 1"), 1000000000000000000);
    for (const char* text : {"", "max", "max 100000\n", "1", "1 0", "-1 100000", "a b", "1 2 3",
                             "99999999999999999999 1"}) {
        EXPECT_FALSE(milli_cpus_of(text)) << text;
    }
    EXPECT_FALSE(milli_cpus_of("-1\n", "100000\n"));
}

}  // namespace
}  // namespace hitopo
