// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/nvml/fabric_report.h"

#include <gtest/gtest.h>

namespace hitopo {
namespace {

const std::string kA(32, 'a');
const std::string kB(32, 'b');

std::string gpu(const std::string& numbers, const std::string& uuid) {
    return "gpu " + numbers + ' ' + uuid + '\n';
}

TEST(FabricReport, gpus_of_a_tray_are_in_one_clique) {
    const NodeFabric fabric = read_fabric_report(gpu("0 3 0 7", kA) + gpu("1 3 0 7", kA));
    EXPECT_EQ(fabric.cluster, kA);
    EXPECT_EQ(fabric.clique, 7U);
    EXPECT_EQ(fabric.reason, "2 of 2 GPUs in NVLink fabric " + kA + ", clique 7");
}

TEST(FabricReport, several_cliques_are_one_domain) {
    const NodeFabric fabric = read_fabric_report(gpu("0 3 0 0", kA) + gpu("1 3 0 4294967295", kA));
    EXPECT_EQ(fabric.cluster, kA);
    EXPECT_FALSE(fabric.clique);
}

TEST(FabricReport, several_domains_are_none) {
    const NodeFabric fabric = read_fabric_report(gpu("0 3 0 1", kA) + gpu("1 3 0 1", kB));
    EXPECT_FALSE(fabric.cluster);
    EXPECT_NE(fabric.reason.find("2 NVLink fabrics"), std::string::npos);
}

// Only state completed, status success and a UUID count.
TEST(FabricReport, gpus_that_are_not_ready_do_not_count) {
    const std::string zero(32, '0');
    for (const std::string& outside :
         {gpu("1 0 0 1", kB), gpu("1 1 0 1", kB), gpu("1 2 0 1", kB), gpu("1 3 999 1", kB),
          gpu("1 3 -1 1", kB), gpu("1 3 0 1", zero)}) {
        EXPECT_FALSE(read_fabric_report(outside).cluster) << outside;
        EXPECT_EQ(read_fabric_report(gpu("0 3 0 1", kA) + outside).cluster, kA) << outside;
    }
}

TEST(FabricReport, an_error_is_the_reason) {
    const NodeFabric fabric =
        read_fabric_report(gpu("0 3 0 1", kA) + "error nvmlInit_v2: NVML's error 9\n");
    EXPECT_FALSE(fabric.cluster);
    EXPECT_EQ(fabric.reason, "nvmlInit_v2: NVML's error 9");
    EXPECT_EQ(read_fabric_report("").reason, "no GPU");
}

TEST(FabricReport, what_is_no_report_tells_nothing) {
    for (const std::string& text : {std::string("gpu"), std::string("gpu 0 3 0 1 abc\n"),
                                    gpu("0 3 0", kA), gpu("0 3 0 4294967296", kA), gpu("x 3 0 1", kA),
                                    gpu("0 3 0 1", std::string(32, 'A')), std::string("\0\0\n", 3)}) {
        const NodeFabric fabric = read_fabric_report(gpu("0 3 0 1", kA) + text);
        EXPECT_FALSE(fabric.cluster) << text;
        EXPECT_EQ(fabric.reason, "the report about the GPUs is malformed");
    }
}

}  // namespace
}  // namespace hitopo
