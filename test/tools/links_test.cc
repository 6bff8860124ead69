// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check --links` on simulated links: its rounds are fair, and it names the place that was made
// slow, whatever the noise, and no other. Tests link_pairs.cc, judge_links.cc and link_words.cc.
#include "ompi/tools/hitopo/links/links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "test/core/record/dice.h"
#include "test/support/random_cases.h"
#include "test/tools/check_jobs.h"

namespace hitopo::tool {
namespace {

struct Shape {
    std::vector<int> leaves;  // the nodes of each
    int num_leaves = 100;     // of an island
    int num_rails = 1;
};

std::vector<LinkEnd> ends_of(const Shape& shape) {
    std::vector<LinkEnd> ends;
    int leaf = 0, node = 0;
    for (const int num_nodes : shape.leaves) {
        for (int i = 0; i < num_nodes * shape.num_rails; ++i) {
            ends.push_back({2 * static_cast<int>(ends.size()), i % shape.num_rails, {}});
            ends.back().address = {0, leaf / shape.num_leaves, leaf, node + i / shape.num_rails};
        }
        ++leaf;
        node += num_nodes;
    }
    return ends;
}

// By round, the pairs that cross each uplink.
using Loads = std::map<std::size_t, std::map<LinkPlace, int>>;
Loads loads_of(const std::vector<LinkPair>& pairs, const std::vector<LinkEnd>& ends) {
    Loads loads;
    for (const LinkPair& pair : pairs) {
        for (const Level level : {kNode, kSwitch, kIsland}) {
            const int a = ends[pair.first].address[level], b = ends[pair.second].address[level];
            loads[pair.round][{level, a}] += a == b ? 0 : 1;
            loads[pair.round][{level, b}] += a == b ? 0 : 1;
        }
    }
    return loads;
}

class LinksOfJobs : public testing::Test, protected Dice {
protected:
    LinksOfJobs() : Dice(random_) {}

    double between(double least, double most) {
        return std::uniform_real_distribution<double>(least, most)(random_);
    }

    // Alike everywhere, where it has to be known what can be found.
    Shape shape(bool is_even) {
        const int num_leaves = 3 + below(3), num_islands = 1 + below(2) * (2 + below(2));
        Shape shape{std::vector<int>(static_cast<std::size_t>(num_leaves * num_islands), 2 + below(4)),
                    num_leaves, 1 + below(2)};
        for (int& num_nodes : shape.leaves) {
            num_nodes = is_even ? num_nodes : 1 + below(20);
        }
        return shape;
    }

    std::mt19937_64 random_{20261130};
};

TEST_F(LinksOfJobs, rounds_are_disjoint_and_load_uplinks_alike) {
    for (int i = 0; i < random_cases(200); ++i) {
        const std::vector<LinkEnd> ends = ends_of(shape(false));
        const std::vector<LinkPair> pairs = link_pairs(ends);
        const Loads loads = loads_of(pairs, ends);
        std::map<LinkPlace, std::set<int>> met;
        std::map<std::size_t, LinkClass> classes;  // by round
        for (const LinkPair& pair : pairs) {
            const LinkEnd &a = ends[pair.first], &b = ends[pair.second];
            const auto& [rail, level, kind] = classes.emplace(pair.round, pair.where).first->second;
            EXPECT_TRUE(pair.where.level == level && pair.where.kind == kind);
            EXPECT_TRUE(a.rail == rail && b.rail == rail);
            EXPECT_NE(a.address[level], b.address[level]);
            EXPECT_EQ(a.address[level - 1], b.address[level - 1]);
            met[{level, a.address[level]}].insert(b.address[level]);
            met[{level, b.address[level]}].insert(a.address[level]);
            const int own = loads.at(pair.round).at({level, a.address[level]});
            EXPECT_EQ(own > 1, kind == LinkKind::kTogether);
            for (const auto& [place, load] : loads.at(pair.round)) {
                EXPECT_TRUE(load <= 1 || (kind == LinkKind::kTogether && place.first < kNode));
                EXPECT_TRUE(place.first != level || load == 0 || load == own);
            }
        }
        EXPECT_TRUE(pairs.empty() || classes.size() == pairs.back().round + 1);
        // Each meets all its siblings, or many.
        for (const LinkEnd& end : ends) {
            for (const LinkEnd& other : ends) {
                for (const Level level : {kIsland, kSwitch, kNode}) {
                    const std::set<int>& own = met[{level, end.address[level]}];
                    EXPECT_TRUE(end.address[level] == other.address[level] ||
                                end.address[level - 1] != other.address[level - 1] ||
                                own.count(other.address[level]) > 0 ||
                                own.size() + 1 >= kMostLinkRounds);
                }
            }
        }
    }
}

// By hand: nodes 0-1 and 2-3 on two switches.
TEST(Links, rounds_of_two_switches) {
    std::vector<std::array<std::size_t, 3>> pairs;
    for (const LinkPair& pair : link_pairs(ends_of({{2, 2}}))) {
        pairs.push_back({pair.round, pair.first, pair.second});
    }
    EXPECT_EQ(pairs,
              (decltype(pairs){{0, 0, 2}, {1, 1, 3}, {2, 0, 2}, {2, 1, 3}, {3, 0, 1}, {3, 2, 3}}));
}

// By place: the share that it has of its bandwidth, and how many times its latency.
using Speeds = std::map<LinkPlace, std::array<double, 2>>;

// What is measured on links of which each end carries 1000 MB/s, and each uplink as much as `taper` of
// what the pairs that are together can send. noise(): the share that the best of some repetitions has.
template <class Noise>
MeasuredLinks simulate(const Shape& shape, const Speeds& speeds, double taper, Noise noise) {
    MeasuredLinks links{ends_of(shape), {}, {}};
    links.pairs = link_pairs(links.ends);
    Loads all = loads_of(links.pairs, links.ends);
    std::map<LinkPlace, int> most;
    for (const auto& [number, loads] : all) {
        for (const auto& [place, load] : loads) {
            most[place] = std::max(most[place], load);
        }
    }
    for (const LinkPair& pair : links.pairs) {
        double rate = 1000, us = 1 + (kNode - pair.where.level);
        for (const Level level : {kNode, kSwitch, kIsland}) {
            const std::set<LinkPlace> places = {links.place_of(pair.first, level),
                                                links.place_of(pair.second, level)};
            for (const LinkPlace& place : places.size() > 1 ? places : std::set<LinkPlace>()) {
                const auto found = speeds.find(place);
                const auto [bandwidth, latency] =
                    found == speeds.end() ? std::array<double, 2>{1, 1} : found->second;
                const double full =
                    level == kNode ? 1 : std::max(1.0, taper * most[place]) / all[pair.round][place];
                rate = std::min(rate, 1000 * full * bandwidth);
                us *= latency;
            }
        }
        links.values.emplace_back();
        std::generate_n(links.values.back()[0].begin(), kNumLinkParts, [&] { return rate * noise(); });
        std::generate_n(links.values.back()[1].begin(), kNumLinkParts, [&] { return noise() / us; });
    }
    return links;
}

TEST_F(LinksOfJobs, judge_names_the_slow_place_and_no_other) {
    // The best of four repetitions, of which every third is disturbed.
    const auto noise = [&] { return one_in(81) ? between(0.1, 1) : between(0.9, 1); };
    for (int i = 0; i < random_cases(400); ++i) {
        const Shape shape = this->shape(true);
        MeasuredLinks links{ends_of(shape), {}, {}};
        const Level level =
            any_of<Level>({links.ends.back().address[kIsland] > 0 ? kIsland : kNode, kSwitch, kNode});
        const LinkPlace place =
            links.place_of(static_cast<std::size_t>(below(static_cast<int>(links.ends.size()))), level);
        const bool is_slow = !one_in(4), is_latency = one_in(4);
        const Speeds speeds = {
            {place, {is_latency ? 1 : between(0.05, 0.5), is_latency ? between(5, 50) : 1}}};
        std::vector<LinkFault> faults;
        const std::vector<LinkSummary> classes = judge_links(
            simulate(shape, is_slow ? speeds : Speeds(), one_in(2) ? 1 : 0.5, noise), faults);
        ASSERT_EQ(faults.size(), is_slow ? 1u : 0u) << i;
        EXPECT_TRUE(!is_slow || faults[0].places == std::vector<LinkPlace>{place}) << i;
        EXPECT_EQ(std::any_of(classes.begin(), classes.end(), [](auto& each) { return each.has_fault; }),
                  is_slow)
            << i;
    }
}

TEST_F(LinksOfJobs, judge_tells_noise_from_faults) {
    const auto noise = [&] { return between(0.02, 1); };
    for (int i = 0; i < random_cases(200); ++i) {
        std::vector<LinkFault> faults;
        const std::vector<LinkSummary> classes =
            judge_links(simulate(shape(true), {}, 1, noise), faults);
        EXPECT_TRUE(faults.empty()) << i;
        EXPECT_NE(
            std::count_if(classes.begin(), classes.end(), [](auto& each) { return each.is_noisy; }), 0)
            << i;
    }
}

// Two nodes of four ranks, and of two NICs each, one a socket.
TEST(Links, ends_are_the_lowest_ranks_near_each_nic) {
    const Strings cpus = {"0", "1", "2", "3"};
    const TableDocument table =
        *parse_table(Job().node(two_sockets(), cpus).node(two_sockets(), cpus).document);
    const auto ends = [&](const DeviceJob& devices) {
        std::vector<std::pair<int, int>> list;
        for (const LinkEnd& end : link_ends(table, devices)) {
            list.emplace_back(end.rank, end.rail);
        }
        return list;
    };
    using Ends = std::vector<std::pair<int, int>>;
    EXPECT_EQ(ends({}), (Ends{{0, 0}, {4, 0}}));
    DeviceJob devices;
    NodeDevices& node = devices.kinds.emplace_back().devices;
    node.cpus = CpuSet::range(0, 3);
    for (const int first : {0, 2}) {
        node.packages.push_back(CpuSet::range(first, first + 1));
        node.numa_nodes.push_back({first, node.packages.back()});
        node.nics.emplace_back().place = node.packages.back();
    }
    devices.ranks.resize(8);
    for (int rank = 0; rank < 8; ++rank) {
        devices.ranks[static_cast<std::size_t>(rank)].cpus = CpuSet::range(rank % 4, rank % 4);
    }
    EXPECT_EQ(ends(devices), (Ends{{0, 0}, {2, 1}, {4, 0}, {6, 1}}));
    for (DeviceRank& rank : devices.ranks) {  // as UCX_NET_DEVICES can
        rank.nics.nics = {1};
    }
    EXPECT_EQ(ends(devices), (Ends{{0, 1}, {4, 1}}));
}

// Four switches of four nodes, as a job.
Job job_of_four_switches() {
    Job job;
    for (int node = 0; node < 16; ++node) {
        job.node(two_sockets(), {"0", "2"}, node / 4);
    }
    return job;
}

Checked checked_links(const Job& job, const MeasuredLinks& links) {
    const TableDocument table = *parse_table(job.document);
    Checked found;
    find_slow_links(links, table, *read_checked_job(table, {}, {}), {}, found);
    return found;
}

TEST(Links, words_of_faults) {
    const std::pair<Speeds, const char*> kCases[] = {
        {{{{kNode, 7}, {0.31, 1}}},
         "node n7: 0.31 of the median to nodes of its own switch (3 of 3 pairs): its link or NIC"},
        {{{{kSwitch, 3}, {0.12, 1}}},
         "switch 3: 0.48 of the median to other switches (12 of 12 pairs), while inside it is 1.0: its "
         "uplink"},
        {{{{kSwitch, 3}, {0.5, 1}}},
         "switch 3: 0.50 of the median to other switches, while its nodes send all at once (3 of 3 "
         "pairs), while inside it is 1.0: its uplink"},
        {{{{kNode, 0}, {1, 4}}},
         "node n0: 4.0 times the latency of the median to nodes of its own switch (3 of 3 pairs): its "
         "link or NIC"}};
    for (const auto& [speeds, text] : kCases) {
        const Checked found = checked_links(job_of_four_switches(),
                                            simulate({{4, 4, 4, 4}}, speeds, 1, [] { return 1.0; }));
        ASSERT_EQ(found.findings.size(), 1u) << text;
        EXPECT_EQ(found.findings[0].text, text);
        EXPECT_EQ(found.unchecked, Strings());
    }
}

TEST(Links, words_of_what_cannot_be_told) {
    const Job job = job_of_four_switches();
    MeasuredLinks links = simulate({{4, 4, 4, 4}}, {}, 1, [] { return 1.0; });
    EXPECT_EQ(link_line(checked_links(job, links).links.front(),
                        *read_checked_job(*parse_table(job.document), {}, {})),
              "bandwidth between nodes of one switch: 1000.0 MB/s (median of 24 pairs): ok");
    links.values.back()[0] = {300, 300, 300};  // inside of the last switch
    EXPECT_EQ(checked_links(job, links).unchecked,
              Strings{"bandwidth between nodes of one switch: too noisy to tell. Repeat it on idle "
                      "nodes, or for longer"});
    links.values.assign(links.values.size(), {});
    EXPECT_EQ(checked_links(job, links).unchecked,
              Strings{"links: no time for three repetitions; give --links more seconds"});
    EXPECT_EQ(checked_links(job, {}).unchecked, Strings{"links: all processes are on one node"});
}

}  // namespace
}  // namespace hitopo::tool
