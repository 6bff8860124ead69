// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/presence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "test/base/exchange/simulated_wire.h"

namespace hitopo {
namespace {

using Ranks = std::vector<std::uint32_t>;

// What each process announced; "" for one that is not here.
struct PresenceCase {
    std::vector<std::string> groups;  // "a": that of all others who announced "a"
    Ranks members_of_first = {};      // what process 0 takes for its group instead

    bool is_here(std::uint32_t process) const { return !groups[process].empty(); }
    Ranks members_of(std::uint32_t process) const {
        Ranks members;
        for (std::uint32_t other = 0; other < groups.size(); ++other) {
            if (groups[other] == groups[process]) {
                members.push_back(other);
            }
        }
        return process == 0 && !members_of_first.empty() ? members_of_first : members;
    }
};

class FakeAnnouncements : public Announcements {
public:
    FakeAnnouncements(const PresenceCase& all, std::uint32_t own) : all_(all), own_(own) {}
    bool is_here(std::uint32_t process) override {
        ++num_look_ups_;
        return all_.is_here(process);
    }
    bool is_in_own_group(std::uint32_t process) override {
        return all_.is_here(process) && all_.members_of(process) == all_.members_of(own_);
    }
    int num_look_ups() const { return num_look_ups_; }

private:
    const PresenceCase& all_;
    const std::uint32_t own_;
    int num_look_ups_ = 0;
};

struct Checked {
    PresenceOutcome outcome;
    LocalGroups groups;
    int num_look_ups = 0;
};

std::vector<Checked> check(const PresenceCase& all) {
    std::vector<Checked> checked(all.groups.size());
    std::vector<FakeAnnouncements> announced;
    std::vector<std::unique_ptr<GroupFinder>> finders(all.groups.size());
    for (std::uint32_t own = 0; own < all.groups.size(); ++own) {
        announced.emplace_back(all, own);
        finders[own] =
            std::make_unique<GroupFinder>(own, all.groups.size(), all.members_of(own), announced[own]);
    }
    const SimulatedRun run = run_processes(all.groups.size(), {}, [&](ExchangeWire& wire) {
        const std::uint32_t own = wire.own();
        Channel channel(wire);
        if (all.is_here(own)) {
            checked[own].outcome = check_presence(channel, announced[own], finders[own].get());
        }
    });
    EXPECT_EQ(run.num_stranded, 0);
    for (std::uint32_t own = 0; own < all.groups.size(); ++own) {
        checked[own].num_look_ups = announced[own].num_look_ups();
        checked[own].groups = finders[own]->take_groups();
    }
    return checked;
}

TEST(PresenceCheck, all_learn_that_all_are_here_and_of_all_leaders) {
    const std::vector<Checked> checked = check({{"a", "a", "b", "c", "b", "b"}});
    for (std::size_t own = 0; own < checked.size(); ++own) {
        EXPECT_EQ(checked[own].outcome.presence, Presence::kAll);
        EXPECT_EQ(checked[own].groups.leaders, (Ranks{0, 2, 3}));
        EXPECT_EQ(checked[own].num_look_ups, 6);
    }
    EXPECT_EQ(checked[1].groups.members, (Ranks{0, 1}));
    EXPECT_EQ(checked[3].groups.members, (Ranks{3}));
    EXPECT_EQ(checked[5].groups.members, (Ranks{2, 4, 5}));
}

TEST(PresenceCheck, a_process_alone_is_all) {
    const std::vector<Checked> checked = check({{"a"}});
    EXPECT_EQ(checked[0].outcome.presence, Presence::kAll);
    EXPECT_EQ(checked[0].groups.leaders, (Ranks{0}));
}

TEST(PresenceCheck, where_processes_do_not_agree_on_groups_each_is_one) {
    PresenceCase all{{"a", "a", "b", "b"}};
    all.members_of_first = {0};  // its leader would be another process than process 1 thinks
    for (const Checked& one : check(all)) {
        EXPECT_EQ(one.outcome.presence, Presence::kAll);
        EXPECT_EQ(one.groups.members.size(), 1U);
        EXPECT_EQ(one.groups.leaders, (Ranks{0, 1, 2, 3}));
    }
    all.members_of_first = {0, 1, 2};
    for (const Checked& one : check(all)) {
        EXPECT_EQ(one.groups.leaders, (Ranks{0, 1, 2, 3}));
    }
}

TEST(PresenceCheck, any_missing_processes_are_named_once_by_the_lowest_that_is_here) {
    for (const std::size_t size : {2, 3, 5, 6, 7}) {
        for (unsigned here = 1; here < (1U << size) - 1; ++here) {
            SCOPED_TRACE(std::to_string(here) + " of " + std::to_string(size));
            PresenceCase all;
            for (std::size_t own = 0; own < size; ++own) {
                all.groups.emplace_back((here >> own & 1) != 0 ? "a" : "");
            }
            const std::vector<Checked> checked = check(all);
            int num_naming = 0;
            bool is_first = true;
            for (std::uint32_t own = 0; own < size; ++own) {
                if (all.is_here(own)) {
                    EXPECT_EQ(checked[own].outcome.presence, Presence::kSome);
                    EXPECT_FALSE(all.is_here(checked[own].outcome.missing));
                    EXPECT_TRUE(is_first || !checked[own].outcome.is_lowest_here);
                    num_naming += checked[own].outcome.is_lowest_here ? 1 : 0;
                    is_first = false;
                }
            }
            EXPECT_EQ(num_naming, 1);
        }
    }
}

TEST(PresenceCheck, one_that_is_missing_is_known_to_all) {
    for (const std::size_t size : {8, 13, 23}) {
        for (std::uint32_t missing = 0; missing < size; ++missing) {
            PresenceCase all{std::vector<std::string>(size, "a")};
            all.groups[missing] = "";
            const std::vector<Checked> checked = check(all);
            for (std::uint32_t own = 0; own < size; ++own) {
                EXPECT_TRUE(own == missing || checked[own].outcome.missing == missing) << own;
            }
        }
    }
}

}  // namespace
}  // namespace hitopo
