// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/launched_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "test/core/exchange/random_job.h"

namespace hitopo {
namespace {

using Ranks = std::vector<std::uint32_t>;

// Tells of nodes n0, n1, ..; of what is hidden it knows the name alone.
class FakeLauncher : public Launcher {
public:
    explicit FakeLauncher(std::vector<Ranks> nodes) : nodes_(std::move(nodes)) {}

    std::optional<std::uint32_t> leader_of(const std::string& node) const override {
        ++num_look_ups;
        const Ranks* ranks = find(node);
        return ranks == nullptr ? std::nullopt : std::optional((*ranks)[0]);
    }
    std::string ranks_of(const std::string& node) const override {
        ++num_look_ups;
        const Ranks* ranks = find(node);
        std::string text;
        for (std::size_t i = 0; ranks != nullptr && i < ranks->size(); ++i) {
            text += (i == 0 ? "" : ",") + std::to_string((*ranks)[i]);
        }
        return text;
    }
    std::string node_of(std::uint32_t rank) const override {
        ++num_look_ups;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            if (std::count(nodes_[i].begin(), nodes_[i].end(), rank) != 0) {
                return "n" + std::to_string(i);
            }
        }
        return "";
    }

    std::string names() const {
        std::string names;
        for (std::size_t i = 0; i < nodes_.size(); ++i) {
            names += (i == 0 ? "n" : ",n") + std::to_string(i);
        }
        return names;
    }
    std::uint32_t size() const {
        std::size_t size = 0;
        for (const Ranks& ranks : nodes_) {
            size += ranks.size();
        }
        return static_cast<std::uint32_t>(size);
    }
    Ranks found_by(std::size_t node) const { return find_leaders(names(), nodes_[node], size(), *this); }

    std::set<std::size_t> hidden;
    mutable std::size_t num_look_ups = 0;

private:
    const Ranks* find(const std::string& node) const {
        const auto number = static_cast<std::size_t>(std::stoul(node.substr(1)));
        return hidden.count(number) != 0 ? nullptr : &nodes_[number];
    }

    std::vector<Ranks> nodes_;
};

TEST(LaunchedNodes, all_know_the_lowest_rank_of_each) {
    const FakeLauncher by_slot({{0, 1, 2}, {3, 4, 5}, {6}}), by_node({{0, 3, 6}, {1, 4}, {2, 5}}),
        backwards({{4, 5}, {2, 3}, {0, 1}});
    for (std::size_t node = 0; node < 3; ++node) {
        EXPECT_EQ(by_slot.found_by(node), (Ranks{0, 3, 6}));
        EXPECT_EQ(by_node.found_by(node), (Ranks{0, 1, 2}));
        EXPECT_EQ(backwards.found_by(node), (Ranks{0, 2, 4})) << "in the order of ranks";
    }
}

TEST(LaunchedNodes, one_that_the_launcher_does_not_know_is_found) {
    for (FakeLauncher launcher : {FakeLauncher({{0, 1, 2}, {3, 4, 5}, {6}, {7, 8, 9}}),
                                  FakeLauncher({{0, 4, 8}, {1, 5, 9}, {2, 6}, {3, 7}})}) {
        const Ranks all = launcher.found_by(0);
        ASSERT_EQ(all.size(), 4U);
        for (std::size_t hidden = 0; hidden < 4; ++hidden) {
            launcher.hidden = {hidden};
            for (std::size_t node = 0; node < 4; ++node) {
                launcher.num_look_ups = 0;
                EXPECT_EQ(launcher.found_by(node), all) << "without n" << hidden << ", at n" << node;
                EXPECT_LE(launcher.num_look_ups, 6U);
            }
        }
    }
}

TEST(LaunchedNodes, two_that_it_does_not_know_are_two_too_many) {
    FakeLauncher launcher({{0, 1}, {2, 3}, {4, 5}});
    launcher.hidden = {1, 2};
    EXPECT_EQ(launcher.found_by(0), Ranks());
}

TEST(LaunchedNodes, nodes_out_of_order_hide_one) {
    FakeLauncher launcher({{4, 5}, {0, 1}, {6, 7}, {2, 3}});
    launcher.hidden = {2};
    EXPECT_EQ(launcher.found_by(1), Ranks()) << "the rank behind {0, 1} is not on n2";
}

TEST(LaunchedNodes, one_node_needs_no_look_up) {
    const FakeLauncher launcher({{0, 1, 2}});
    EXPECT_EQ(launcher.found_by(0), (Ranks{0}));
    EXPECT_EQ(launcher.num_look_ups, 0U);
}

TEST(LaunchedNodes, what_makes_no_whole_is_refused) {
    const FakeLauncher launcher({{0, 1}, {2, 3}});
    EXPECT_EQ(find_leaders("", {0, 1}, 4, launcher), Ranks()) << "no list";
    EXPECT_EQ(find_leaders("n1", {0, 1}, 4, launcher), Ranks()) << "neither rank 0 nor the own leader";
    EXPECT_EQ(find_leaders("n0,n0,n1", {0, 1}, 4, launcher), Ranks()) << "one name twice";
    EXPECT_EQ(find_leaders("n0,n1", {1}, 4, launcher), Ranks()) << "the own group is another one";
    EXPECT_EQ(find_leaders("n0,n1", {0}, 2, launcher), Ranks()) << "a rank beyond the job";
}

TEST(LaunchedNodes, very_many_nodes_are_not_asked_for) {
    std::string names = "n0";
    for (std::size_t i = 1; i <= kMaxLaunchedNodes; ++i) {
        names += ",n0";
    }
    const FakeLauncher launcher({{0, 1}, {2, 3}});
    EXPECT_EQ(find_leaders(names, {0, 1}, 4, launcher), Ranks());
    EXPECT_EQ(launcher.num_look_ups, 0U);
}

// Answers anything.
class WildLauncher : public Launcher {
public:
    explicit WildLauncher(std::mt19937_64& random) : random_(random) {}
    std::optional<std::uint32_t> leader_of(const std::string&) const override {
        const auto any = static_cast<std::uint32_t>(random_());
        return any % 5 == 0 ? std::nullopt : std::optional(any % 7 == 0 ? any : any % 10);
    }
    std::string ranks_of(const std::string&) const override {
        std::string text(random_() % 12, '\0');
        std::generate(text.begin(), text.end(), [&] { return "0123456789,-: "[random_() % 14]; });
        return text;
    }
    std::string node_of(std::uint32_t) const override { return random_() % 2 == 0 ? "" : "a"; }

private:
    std::mt19937_64& random_;
};

TEST(LaunchedNodes, any_answers_give_leaders_of_the_job_or_none) {
    std::mt19937_64 random(test_seed());
    std::size_t num_found = 0;
    for (int i = 0; i < 20000; ++i) {
        std::string names(random() % 10, '\0');
        std::generate(names.begin(), names.end(), [&] { return "a,\n"[random() % 3]; });
        const Ranks members = {static_cast<std::uint32_t>(random() % 4), 8};
        const Ranks leaders = find_leaders(names, members, 9, WildLauncher(random));
        ASSERT_TRUE(std::is_sorted(leaders.begin(), leaders.end(), std::less_equal<>()));
        if (!leaders.empty()) {
            ++num_found;
            ASSERT_EQ(leaders.front(), 0U);
            ASSERT_LT(leaders.back(), 9U);
            ASSERT_EQ(std::count(leaders.begin(), leaders.end(), members[0]), 1);
        }
    }
    EXPECT_GT(num_found, 0U);
}

}  // namespace
}  // namespace hitopo
