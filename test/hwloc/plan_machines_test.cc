// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Plans on the machines that HiTopo ships: against the maps that sites document (docs/devices.md has the
// sources), against properties, and against the optimum found in another way.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/plan.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"
#include "test/paths.h"

namespace hitopo {
namespace {

using Numbers = std::vector<int>;

// Each file is read once.
const NodeDevices& devices_of_file(const std::string& name) {
    static std::map<std::string, NodeDevices> known;
    const auto [node, is_new] = known.try_emplace(name);
    if (is_new) {
        const Result<Topology> topology = load_simulated_topology(
            std::string(FIXTURES_DIR "/../../examples/machines/") + name + ".xml");
        EXPECT_TRUE(topology) << name;
        node->second = topology ? devices_of(topology->get()) : NodeDevices();
    }
    return node->second;
}

Numbers up_to(std::size_t count) {
    Numbers numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

std::vector<RankPlan> plan_all(const NodeDevices& node, const std::vector<CpuSet>& bound,
                               const PlanOptions& options = {}) {
    return plan(node, bound, up_to(node.gpus.size()), options);
}

const Device& gpu_of(const NodeDevices& node, int number) {
    return node.gpus[static_cast<std::size_t>(number)];
}

bool have_common(CpuSet a, const CpuSet& b) { return !(a &= b).is_empty(); }

std::set<int> numa_of(const NodeDevices& node, const CpuSet& cpus) {
    std::set<int> numbers;
    for (const NumaNode& numa : node.numa_nodes) {
        if (have_common(numa.cpus, cpus)) {
            numbers.insert(numa.number);
        }
    }
    return numbers;
}

// ---- what sites document ----

struct Site {
    const char* file;
    std::size_t num_ranks;
    Numbers numa;                   // of each GPU
    std::vector<const char*> nics;  // of each GPU, of which one is right; "": not documented
    Numbers by_rank;                // the GPU of each rank; empty: not documented
    std::size_t num_naive_far;      // ranks with GPU rank % GPUs whose CPUs are on another NUMA node
};

const std::vector<Site> kSites = {
    {"frontier",
     8,
     {3, 3, 1, 1, 0, 0, 2, 2},
     {"hsn0", "hsn0", "hsn1", "hsn1", "hsn2", "hsn2", "hsn3", "hsn3"},
     {4, 5, 2, 3, 6, 7, 0, 1},
     6},
    {"polaris", 4, {3, 2, 1, 0}, {"", "mlx5_1", "", "mlx5_0"}, {3, 2, 1, 0}, 4},
    {"perlmutter", 4, {3, 2, 1, 0}, {"hsn3", "hsn2", "hsn1", "hsn0"}, {3, 2, 1, 0}, 4},
    {"juwels-booster", 4, {3, 1, 7, 5}, {"mlx5_0", "mlx5_1", "mlx5_2", "mlx5_3"}, {}, 4},
    {"marenostrum5-acc", 4, {0, 0, 1, 1}, {"", "", "", ""}, {0, 1, 2, 3}, 0},
    {"claix-2023", 4, {0, 2, 4, 6}, {"", "", "", ""}, {0, 1, 2, 3}, 0},
    {"summit",
     6,
     {0, 0, 0, 8, 8, 8},
     {"mlx5_0 mlx5_1", "mlx5_0 mlx5_1", "mlx5_0 mlx5_1", "mlx5_2 mlx5_3", "mlx5_2 mlx5_3",
      "mlx5_2 mlx5_3"},
     {0, 1, 2, 3, 4, 5},
     0},
    {"gh200x4", 4, {0, 1, 2, 3}, {"hsn0", "hsn1", "hsn2", "hsn3"}, {0, 1, 2, 3}, 0},
    {"mi300a", 4, {0, 1, 2, 3}, {"hsi0", "hsi1", "hsi2", "hsi3"}, {0, 1, 2, 3}, 0},
    {"mi300a-cpx",
     24,
     {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3},
     {"hsi0", "hsi0", "hsi0", "hsi0", "hsi0", "hsi0", "hsi1", "hsi1", "hsi1", "hsi1", "hsi1", "hsi1",
      "hsi2", "hsi2", "hsi2", "hsi2", "hsi2", "hsi2", "hsi3", "hsi3", "hsi3", "hsi3", "hsi3", "hsi3"},
     up_to(24),
     0},
    {"aurora", 6, {0, 0, 0, 1, 1, 1}, {"", "", "", "", "", ""}, {0, 1, 2, 3, 4, 5}, 0},
    {"dgx-a100",
     8,
     {3, 3, 1, 1, 7, 7, 5, 5},
     {"mlx5_0 mlx5_1", "mlx5_0 mlx5_1", "mlx5_2 mlx5_3", "mlx5_2 mlx5_3", "mlx5_6 mlx5_7",
      "mlx5_6 mlx5_7", "mlx5_8 mlx5_9", "mlx5_8 mlx5_9"},
     {},
     8},
    {"dgx-h100",
     8,
     {0, 0, 0, 0, 1, 1, 1, 1},
     {"mlx5_0", "mlx5_3", "mlx5_4", "mlx5_5", "mlx5_6", "mlx5_9", "mlx5_10", "mlx5_11"},
     up_to(8),
     0},
    {"turin-4gpu", 4, {1, 2, 6, 7}, {"", "", "mlx5_4", "mlx5_5"}, {0, 1, 2, 3}, 0},
    {"corona", 4, {1, 2, 5, 7}, {"", "", "", ""}, {0, 1, 2, 3}, 0},
};

class PlanOfSite : public testing::TestWithParam<Site> {
protected:
    const Site& site_ = GetParam();
    const NodeDevices node_ = devices_of_file(site_.file);
    const std::vector<RankPlan> plans_ = plan_all(node_, std::vector<CpuSet>(site_.num_ranks));
};

TEST_P(PlanOfSite, each_gpu_has_the_rank_that_the_site_gives_it) {
    Numbers used;
    for (const RankPlan& own : plans_) {
        used.insert(used.end(), own.gpus.begin(), own.gpus.end());
    }
    if (!site_.by_rank.empty()) {
        EXPECT_EQ(used, site_.by_rank);
    }
    std::sort(used.begin(), used.end());
    EXPECT_EQ(used, up_to(site_.numa.size()));
}

TEST_P(PlanOfSite, cpus_are_of_the_gpus_numa_node) {
    for (std::size_t rank = 0; rank < plans_.size(); ++rank) {
        const int numa = site_.numa[static_cast<std::size_t>(plans_[rank].gpus.at(0))];
        EXPECT_EQ(numa_of(node_, gpu_of(node_, plans_[rank].gpus[0]).place), std::set<int>{numa});
        EXPECT_EQ(numa_of(node_, plans_[rank].cpus), std::set<int>{numa}) << "rank " << rank;
    }
}

TEST_P(PlanOfSite, nics_are_those_of_the_gpu_and_none_has_two_ranks_more_than_another) {
    std::map<std::string, int> num_ranks;
    for (const RankPlan& own : plans_) {
        std::istringstream words(site_.nics[static_cast<std::size_t>(own.gpus.at(0))]);
        const std::set<std::string> right{std::istream_iterator<std::string>(words), {}};
        for (const int nic : own.nics) {
            const std::string& name = node_.nics[static_cast<std::size_t>(nic)].name();
            ++num_ranks[name];
            EXPECT_TRUE(right.empty() || right.count(name) == 1) << name;
        }
        EXPECT_TRUE(right.empty() || !own.nics.empty());
    }
    const auto [least, most] =
        std::minmax_element(num_ranks.begin(), num_ranks.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_LE(most->second - least->second, 1);
}

TEST_P(PlanOfSite, the_usual_script_is_as_wrong_as_documented) {
    std::size_t num_far = 0;
    for (std::size_t rank = 0; rank < plans_.size(); ++rank) {
        const int numa = site_.numa[rank % site_.numa.size()];
        num_far += numa_of(node_, plans_[rank].cpus) != std::set<int>{numa} ? 1 : 0;
    }
    EXPECT_EQ(num_far, site_.num_naive_far);
}

std::string name_of(const testing::TestParamInfo<Site>& site) {
    std::string name = site.param.file;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Machines, PlanOfSite, testing::ValuesIn(kSites), name_of);

// Frontier reserves the first core of each L3. GPU, bus and hardware threads as its guide prints them.
TEST(PlanOnFrontier, eight_ranks_are_as_in_the_guide) {
    NodeDevices node = devices_of_file("frontier");
    node.cpus = *CpuSet::parse(
        "1-7,9-15,17-23,25-31,33-39,41-47,49-55,57-63,65-71,73-79,81-87,89-95,97-103,105-111,113-119,"
        "121-127");
    const std::vector<RankPlan> plans = plan_all(node, std::vector<CpuSet>(8));
    const std::vector<const char*> buses = {"d1", "d6", "c9", "ce", "d9", "de", "c1", "c6"};
    for (int rank = 0; rank < 8; ++rank) {
        const RankPlan& own = plans[static_cast<std::size_t>(rank)];
        CpuSet cpus = CpuSet::range(8 * rank + 1, 8 * rank + 7);
        cpus |= CpuSet::range(64 + 8 * rank + 1, 64 + 8 * rank + 7);
        EXPECT_EQ(own.cpus.to_string(), cpus.to_string());
        ASSERT_EQ(own.gpus.size(), 1u);
        EXPECT_EQ(gpu_of(node, own.gpus[0]).pci.substr(5, 2), buses[static_cast<std::size_t>(rank)]);
    }
}

// ---- properties, on all machines ----

Numbers ranks_of_gpus(const NodeDevices& node, const std::vector<RankPlan>& plans) {
    Numbers counts(node.gpus.size());
    for (const RankPlan& own : plans) {
        for (const int gpu : own.gpus) {
            ++counts[static_cast<std::size_t>(gpu)];
        }
    }
    return counts;
}

// No member is 0, and none is above another by more than one.
bool is_balanced(const Numbers& counts) {
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    return *least > 0 && *most - *least <= 1;
}

// The distance that ranks can keep: as many as want it have a core near each GPU, or not.
Distance possible_distance(const NodeDevices& node, std::size_t num_ranks) {
    const std::size_t num_each = (num_ranks + node.gpus.size() - 1) / node.gpus.size();
    const bool have_room = std::all_of(node.gpus.begin(), node.gpus.end(), [&](const Device& gpu) {
        const CpuSet& near = near_cpus(node, gpu);
        const auto num_neighbours = std::count_if(
            node.gpus.begin(), node.gpus.end(),
            [&](const Device& other) { return have_common(near_cpus(node, other), near); });
        return num_each * static_cast<std::size_t>(num_neighbours) <=
               parts_within(near, node.cores).size();
    });
    return have_room ? Distance::kNumaNode : Distance::kPackage;
}

class PlanOn : public testing::TestWithParam<Site> {
protected:
    const NodeDevices node_ = devices_of_file(GetParam().file);
};

TEST_P(PlanOn, unbound_ranks_are_balanced_near_and_apart) {
    for (std::size_t num_ranks = 1; num_ranks <= std::min<std::size_t>(32, node_.cores.size());
         ++num_ranks) {
        const std::vector<RankPlan> plans = plan_all(node_, std::vector<CpuSet>(num_ranks));
        EXPECT_TRUE(is_balanced(ranks_of_gpus(node_, plans))) << num_ranks << " ranks";
        Numbers sizes;
        CpuSet taken;
        for (const RankPlan& own : plans) {
            sizes.push_back(static_cast<int>(own.gpus.size()));
            EXPECT_FALSE(own.cpus.is_empty());
            EXPECT_FALSE(have_common(taken, own.cpus)) << num_ranks << " ranks";
            taken |= own.cpus;
            if (num_ranks >= node_.gpus.size()) {
                EXPECT_LE(distance(node_, own.cpus, gpu_of(node_, own.gpus[0])),
                          possible_distance(node_, num_ranks))
                    << num_ranks << " ranks";
            }
        }
        EXPECT_TRUE(is_balanced(sizes)) << num_ranks << " ranks";
    }
}

int far(const NodeDevices& node, const CpuSet& cpus, int gpu) {
    return static_cast<int>(distance(node, cpus, gpu_of(node, gpu)));
}

// The least sum of distances of all ways to give each rank a GPU and each GPU as many ranks or one
// more, rank after rank: by the number of ranks that each GPU has so far, in digits.
int least_sum(const NodeDevices& node, const std::vector<CpuSet>& bound) {
    const std::size_t num_gpus = node.gpus.size();
    const std::size_t least = bound.size() / num_gpus;
    const std::size_t base = least + (bound.size() % num_gpus != 0 ? 2 : 1);
    std::map<std::size_t, int> sums = {{0, 0}};
    for (const CpuSet& cpus : bound) {
        std::map<std::size_t, int> next;
        for (const auto& [counts, sum] : sums) {
            std::size_t digit = 1;
            for (std::size_t gpu = 0; gpu < num_gpus; ++gpu, digit *= base) {
                if (counts / digit % base + 1 < base) {
                    const int own = sum + far(node, cpus, static_cast<int>(gpu));
                    const auto [found, is_new] = next.try_emplace(counts + digit, own);
                    found->second = is_new ? own : std::min(found->second, own);
                }
            }
        }
        sums = std::move(next);
    }
    int best = -1;
    for (const auto& [counts, sum] : sums) {
        bool is_even = true;
        for (std::size_t gpu = 0, left = counts; gpu < num_gpus; ++gpu, left /= base) {
            is_even &= left % base >= least;
        }
        best = is_even && (best < 0 || sum < best) ? sum : best;
    }
    return best;
}

TEST_P(PlanOn, ranks_bound_at_random_have_the_least_sum_of_distances) {
    std::mt19937 random(1);
    std::vector<CpuSet> numa_nodes;
    for (const NumaNode& numa : node_.numa_nodes) {
        numa_nodes.push_back(numa.cpus);
    }
    const std::vector<std::vector<CpuSet>> kinds = {node_.cores, numa_nodes, node_.packages};
    const std::vector<std::size_t> sizes = {2, 3, 4, 6, 8, 12};
    PlanOptions options;
    options.gpus_per_rank = 1;
    for (int i = 0; i < 20; ++i) {
        // The states of 24 GPUs with many ranks are too many.
        const std::size_t num_ranks = sizes[random() % (node_.gpus.size() > 8 ? 3 : sizes.size())];
        const std::vector<CpuSet>& kind = kinds[random() % kinds.size()];
        std::vector<CpuSet> bound;
        for (std::size_t rank = 0; rank < num_ranks; ++rank) {
            bound.push_back(kind[random() % kind.size()]);
        }
        const std::vector<RankPlan> plans = plan_all(node_, bound, options);
        int sum = 0;
        for (std::size_t rank = 0; rank < num_ranks; ++rank) {
            ASSERT_EQ(plans[rank].gpus.size(), 1u);
            sum += far(node_, bound[rank], plans[rank].gpus[0]);
        }
        EXPECT_EQ(sum, least_sum(node_, bound)) << "case " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, PlanOn, testing::ValuesIn(kSites), name_of);

}  // namespace
}  // namespace hitopo
