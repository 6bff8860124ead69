// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check --links` on simulated links: its rounds are fair, and it names the place that was made
// slow, whatever the noise, and no other. Tests link_rounds.cc, judge_links.cc and link_words.cc.
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

// Nodes of each switch, switches of each island, one behind the other.
struct Shape {
    std::vector<std::vector<int>> islands;
    int num_rails = 1;
};

std::vector<LinkEnd> ends_of(const Shape& shape) {
    std::vector<LinkEnd> ends;
    int node = 0, leaf = 0;
    for (std::size_t island = 0; island < shape.islands.size(); ++island) {
        for (const int num_nodes : shape.islands[island]) {
            for (int i = 0; i < num_nodes * shape.num_rails; ++i) {
                const int rail = i % shape.num_rails;
                ends.push_back({2 * static_cast<int>(ends.size()), rail, {}});
                ends.back().address[kIsland] = static_cast<int>(island);
                ends.back().address[kSwitch] = leaf;
                ends.back().address[kNode] = node;
                node += rail + 1 == shape.num_rails ? 1 : 0;
            }
            ++leaf;
        }
    }
    return ends;
}

int at(const std::vector<LinkEnd>& ends, int end, Level level) {
    return ends[static_cast<std::size_t>(end)].address[static_cast<std::size_t>(level)];
}

// The pairs of a round that cross each uplink.
std::map<LinkPlace, int> loads_of(const LinkRound& round, const std::vector<LinkEnd>& ends) {
    std::map<LinkPlace, int> loads;
    for (const auto& [a, b] : round.pairs) {
        for (const Level level : {kSwitch, kIsland}) {
            if (at(ends, a, level) != at(ends, b, level)) {
                ++loads[{level, at(ends, a, level)}];
                ++loads[{level, at(ends, b, level)}];
            }
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

    // Alike everywhere, so that it is known what can be found.
    Shape even_shape() {
        const int num_islands = one_in(2) ? 1 : 3 + below(2);
        const std::vector<int> leaves(static_cast<std::size_t>(3 + below(3)), 2 + below(4));
        return {std::vector<std::vector<int>>(static_cast<std::size_t>(num_islands), leaves),
                1 + below(2)};
    }
    Shape any_shape() {
        Shape shape{std::vector<std::vector<int>>(static_cast<std::size_t>(1 + below(4))), 1 + below(2)};
        for (std::vector<int>& leaves : shape.islands) {
            leaves.resize(static_cast<std::size_t>(1 + below(5)));
            std::generate(leaves.begin(), leaves.end(), [&] { return 1 + below(20); });
        }
        return shape;
    }

    std::mt19937_64 random_{20261130};
};

TEST_F(LinksOfJobs, rounds_are_disjoint_and_load_uplinks_alike) {
    for (int i = 0; i < random_cases(200); ++i) {
        const std::vector<LinkEnd> ends = ends_of(any_shape());
        std::map<std::pair<int, Level>, std::set<int>> met;  // by end or group, and level
        for (const LinkRound& round : link_rounds(ends)) {
            std::set<int> seen;
            for (const auto& [a, b] : round.pairs) {
                EXPECT_TRUE(seen.insert(a).second && seen.insert(b).second);
                EXPECT_EQ(ends[static_cast<std::size_t>(a)].rail, round.rail);
                EXPECT_EQ(ends[static_cast<std::size_t>(b)].rail, round.rail);
                EXPECT_NE(at(ends, a, round.level), at(ends, b, round.level));
                EXPECT_EQ(at(ends, a, static_cast<Level>(round.level - 1)),
                          at(ends, b, static_cast<Level>(round.level - 1)));
                met[{at(ends, a, round.level), round.level}].insert(at(ends, b, round.level));
                met[{at(ends, b, round.level), round.level}].insert(at(ends, a, round.level));
            }
            std::set<int> loads;  // of uplinks of the round's level; those inside carry one
            for (const auto& [uplink, load] : loads_of(round, ends)) {
                if (uplink.first == round.level) {
                    loads.insert(load);
                } else {
                    EXPECT_EQ(load, 1);
                }
            }
            EXPECT_LE(loads.size(), 1u);
            EXPECT_TRUE(round.is_together || loads.empty() || *loads.begin() == 1);
        }
        // Each meets all its siblings, or many.
        std::map<std::pair<int, Level>, std::set<int>> siblings;
        for (const LinkEnd& end : ends) {
            for (const Level level : {kIsland, kSwitch, kNode}) {
                for (const LinkEnd& other : ends) {
                    const auto own = static_cast<std::size_t>(level);
                    if (end.address[own] != other.address[own] &&
                        end.address[own - 1] == other.address[own - 1]) {
                        siblings[{end.address[own], level}].insert(other.address[own]);
                    }
                }
            }
        }
        for (const auto& [one, others] : siblings) {
            EXPECT_GE(met[one].size(), std::min<std::size_t>(others.size(), kMostLinkRounds - 1));
        }
    }
}

// By hand: nodes 0-1 and 2-3 on two switches.
TEST(Links, rounds_of_two_switches) {
    std::vector<std::vector<std::pair<int, int>>> pairs;
    for (const LinkRound& round : link_rounds(ends_of({{{2, 2}}}))) {
        pairs.push_back(round.pairs);
    }
    EXPECT_EQ(pairs, (std::vector<std::vector<std::pair<int, int>>>{
                         {{0, 1}, {2, 3}}, {{0, 2}}, {{1, 3}}, {{0, 2}, {1, 3}}}));
}

// Each place's share of its full speed; others have 1.
struct Speeds {
    std::map<LinkPlace, double> bandwidth, latency;
};

double share(const std::map<LinkPlace, double>& shares, const LinkPlace& place) {
    const auto it = shares.find(place);
    return it == shares.end() ? 1 : it->second;
}

// What is measured on links of which each end carries 1000 MB/s, and each uplink as much as `taper` of
// what the pairs that are together can send. noise(value): the best of some repetitions.
template <class Noise>
MeasuredLinks simulate(const Shape& shape, const Speeds& speeds, double taper, Noise noise) {
    MeasuredLinks links{ends_of(shape), {}, {}};
    links.rounds = link_rounds(links.ends);
    links.values.resize(links.ends.size() * links.rounds.size() * kLinkParts);
    std::map<LinkPlace, int> most;
    for (const LinkRound& round : links.rounds) {
        for (const auto& [uplink, load] : loads_of(round, links.ends)) {
            most[uplink] = std::max(most[uplink], load);
        }
    }
    for (std::size_t r = 0; r < links.rounds.size(); ++r) {
        const std::map<LinkPlace, int> loads = loads_of(links.rounds[r], links.ends);
        for (const auto& [a, b] : links.rounds[r].pairs) {
            double rate = 1000, us = 1 + (kNode - links.rounds[r].level);
            for (const int end : {a, b}) {
                rate = std::min(rate, 1000 * share(speeds.bandwidth, {kNode, end}));
                us *= share(speeds.latency, {kNode, end});
                for (const Level level : {kSwitch, kIsland}) {
                    const LinkPlace uplink = {level, at(links.ends, end, level)};
                    if (at(links.ends, a, level) != at(links.ends, b, level)) {
                        const double full = 1000 * std::max(1.0, taper * most[uplink]);
                        rate = std::min(rate, full * share(speeds.bandwidth, uplink) / loads.at(uplink));
                        us *= share(speeds.latency, uplink);
                    }
                }
            }
            for (const int end : {a, b}) {
                for (std::size_t part = 0; part < kLinkParts; ++part) {
                    links.values[(static_cast<std::size_t>(end) * links.rounds.size() + r) * kLinkParts +
                                 part] = {us / noise(), rate * noise()};
                }
            }
        }
    }
    return links;
}

TEST_F(LinksOfJobs, judge_names_the_slow_place_and_no_other) {
    // The best of four repetitions, of which every third is disturbed.
    const auto noise = [&] {
        double best = 0;
        for (int i = 0; i < 4; ++i) {
            best = std::max(best, one_in(3) ? between(0.1, 1) : between(0.85, 1));
        }
        return best;
    };
    for (int i = 0; i < random_cases(400); ++i) {
        const Shape shape = even_shape();
        const std::vector<LinkEnd> ends = ends_of(shape);
        const LinkEnd& end = any_of(ends);
        Speeds speeds;
        std::vector<LinkPlace> expected;
        if (!one_in(4)) {
            const Level level = shape.islands.size() > 1 ? any_of<Level>({kIsland, kSwitch, kNode})
                                                         : any_of<Level>({kSwitch, kNode});
            expected = {{level, level == kNode ? static_cast<int>(&end - ends.data())
                                               : end.address[static_cast<std::size_t>(level)]}};
            if (one_in(4)) {
                speeds.latency[expected[0]] = between(5, 50);
            } else {
                speeds.bandwidth[expected[0]] = between(0.05, 0.5);
            }
        }
        const LinkVerdict verdict = judge_links(simulate(shape, speeds, one_in(2) ? 1 : 0.5, noise));
        EXPECT_EQ(verdict.faults.size(), expected.size()) << i;
        for (const LinkFault& fault : verdict.faults) {
            EXPECT_EQ(fault.places, expected) << i;
        }
        for (const LinkSummary& summary : verdict.classes) {
            EXPECT_TRUE(!expected.empty() || !summary.has_fault) << i;
        }
    }
}

TEST_F(LinksOfJobs, judge_tells_noise_from_faults) {
    const auto noise = [&] { return between(0.02, 1); };
    for (int i = 0; i < random_cases(200); ++i) {
        const LinkVerdict verdict = judge_links(simulate(even_shape(), {}, 1, noise));
        EXPECT_TRUE(verdict.faults.empty()) << i;
        EXPECT_TRUE(std::any_of(verdict.classes.begin(), verdict.classes.end(),
                                [](const LinkSummary& summary) { return summary.is_noisy(); }))
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
    devices.kinds.resize(1);
    NodeDevices& node = devices.kinds[0].devices;
    node.cpus = CpuSet::range(0, 3);
    for (const int first : {0, 2}) {
        node.packages.push_back(CpuSet::range(first, first + 1));
        node.numa_nodes.push_back({first, CpuSet::range(first, first + 1)});
        Device nic;
        nic.pci = "0000:0" + std::to_string(first) + ":00.0";
        nic.place = CpuSet::range(first, first + 1);
        node.nics.push_back(nic);
    }
    for (int rank = 0; rank < 8; ++rank) {
        devices.ranks.emplace_back();
        devices.ranks.back().cpus = CpuSet::range(rank % 4, rank % 4);
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
    const Shape shape{{{4, 4, 4, 4}}};
    const auto still = [] { return 1.0; };
    const struct {
        Speeds speeds;
        const char* text;
    } kCases[] = {
        {{{{{kNode, 7}, 0.31}}, {}},
         "node n7: 0.31 of the median to nodes of its own switch (3 of 3 pairs): its link or NIC"},
        {{{{{kSwitch, 3}, 0.12}}, {}},
         "switch 3: 0.48 of the median to other switches (12 of 12 pairs), while inside it is 1.0: its "
         "uplink"},
        {{{{{kSwitch, 3}, 0.5}}, {}},
         "switch 3: 0.50 of the median to other switches, while its nodes send all at once (3 of 3 "
         "pairs), while inside it is 1.0: its uplink"},
        {{{}, {{{kNode, 0}, 4}}},
         "node n0: 4.0 times the latency of the median to nodes of its own switch (3 of 3 pairs): its "
         "link or NIC"}};
    for (const auto& [speeds, text] : kCases) {
        const Checked found = checked_links(job_of_four_switches(), simulate(shape, speeds, 1, still));
        ASSERT_EQ(found.findings.size(), 1u) << text;
        EXPECT_EQ(found.findings[0].text, text);
        EXPECT_EQ(found.unchecked, Strings());
    }
}

TEST(Links, words_of_what_cannot_be_told) {
    const Job job = job_of_four_switches();
    MeasuredLinks links = simulate({{{4, 4, 4, 4}}}, {}, 1, [] { return 1.0; });
    EXPECT_EQ(link_line(checked_links(job, links).links.front(),
                        *read_checked_job(*parse_table(job.document), {}, {})),
              "bandwidth between nodes of one switch: 1000.0 MB/s (median of 24 pairs): ok");
    for (const int end : {links.rounds[0].pairs[0].first, links.rounds[0].pairs[0].second}) {
        for (std::size_t part = 0; part < kLinkParts; ++part) {
            links.values[static_cast<std::size_t>(end) * links.rounds.size() * kLinkParts + part]
                .mb_per_s = 300;
        }
    }
    EXPECT_EQ(
        checked_links(job, links).unchecked,
        Strings{"bandwidth between nodes of one switch: too noisy to tell: no node or uplink explains 1 "
                "slow pair. Repeat it on idle nodes, or with more seconds"});
    links.values.assign(links.values.size(), {});
    EXPECT_EQ(checked_links(job, links).unchecked,
              Strings{"links: there was no time for three repetitions; give --links more seconds"});
    EXPECT_EQ(checked_links(job, {}).unchecked, Strings{"links: all processes are on one node"});
}

}  // namespace
}  // namespace hitopo::tool
