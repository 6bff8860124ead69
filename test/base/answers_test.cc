// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Several threads ask components at the same time. Built with ThreadSanitizer, which ends the program
// with an error where two of them meet unguarded.
#include "ompi/mca/hitopo/base/answers.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "ompi/mca/hitopo/core/network/fabric.h"
#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"
#include "test/base/fake_frame.h"
#include "test/paths.h"

namespace hitopo {

// Instead of libibverbs: one port of test/fixtures/fabrics/one-switch.ibnetdiscover.
constexpr std::uint64_t kPrefix = 0xfe80000000000000;
bool has_verbs_devices() { return true; }
IbPorts list_verbs_ports() { return {{{"mlx5_0", 1, 0xa11, kPrefix, 20, true, true}}, ""}; }

namespace {

constexpr int kNumThreads = 4;
constexpr int kNumRounds = 10;
constexpr AskingProcess kAlone = {0, 1, true};

struct Found {
    int num_switches = 0, num_machines = 0, num_uplinks = 0;
};

ComponentAnswer& answer_of(Answers& answers, const char* component) {
    return *std::find_if(answers.by_component.begin(), answers.by_component.end(),
                         [&](const ComponentAnswer& answer) { return answer.component == component; });
}

// As an exchange does: all components are asked, then one for what is above the switch.
void exchange(Found& found) {
    for (int i = 0; i < kNumRounds; ++i) {
        Answers answers = ask_components(kAlone);
        ComponentAnswer& openib = answer_of(answers, "openib");
        ask_uplinks(kAlone, answers.facts, openib);
        found.num_switches += openib.values[kSwitch] == leaf_value(kPrefix, 0xb1) ? 1 : 0;
        found.num_uplinks += openib.uplinks ? 1 : 0;
        found.num_machines += answer_of(answers, "hwloc").machine ? 1 : 0;
    }
}

TEST(Answers, threads_that_exchange_at_the_same_time_all_find_everything) {
    setenv("OMPI_MCA_orte_bound_at_launch", "1", 1);  // as of mpirun 4.1: hwloc prepares itself
    fake_frame_open(FIXTURES_DIR "/fabrics/one-switch.ibnetdiscover");
    Found found[kNumThreads];
    std::vector<std::thread> threads;
    for (Found& mine : found) {
        threads.emplace_back([&mine] { exchange(mine); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    fake_frame_close();
    for (const Found& mine : found) {
        EXPECT_EQ(mine.num_switches, kNumRounds);
        EXPECT_EQ(mine.num_uplinks, kNumRounds);
        EXPECT_EQ(mine.num_machines, kNumRounds);
    }
}

}  // namespace
}  // namespace hitopo
