// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whole exchanges, and each allocation, message and process of one that fails in turn.
#include "ompi/mca/hitopo/base/exchange/exchange.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "test/base/exchange/simulated_wire.h"
#include "test/core/record/for_seeds.h"
#include "test/core/record/record_job.h"

namespace hitopo {
namespace {

constexpr std::int64_t kIdentity = 7000;  // of process 0; others give another

// A job, and how the exchange sees it.
struct ExchangeCase {
    FakeJob job;
    std::vector<int> group_of;                // of each rank
    std::vector<std::uint32_t> unasked = {};  // which do not ask for their host at first
    std::vector<std::uint32_t> absent = {};
    std::vector<std::uint32_t> throwing = {};    // a component fails
    std::optional<std::uint32_t> refusing = {};  // its tree makes no sense
};

bool contains(const std::vector<std::uint32_t>& ranks, std::uint32_t rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

class FakeSide : public ExchangeSide {
public:
    FakeSide(const ExchangeCase& all, std::uint32_t rank) : case_(all), rank_(rank) {}

    RecordMessage contribute(bool must_ask) override {
        if (contains(case_.absent, rank_)) {
            return {};
        }
        if (contains(case_.throwing, rank_)) {
            throw std::runtime_error("a component failed");
        }
        num_asked_ += must_ask ? 1 : 0;
        ProcessFacts facts = case_.job[rank_].facts;
        facts.is_host_asked = must_ask || (is_first_of_host() && !contains(case_.unasked, rank_));
        return make_record(rank_, facts, case_.job[rank_].answers);
    }

    std::string uplinks(const std::string& component) override {
        return uplinks_of(case_.job[rank_], component);
    }

    std::optional<Error> accept(RecordMessage all, std::int64_t identity) override {
        if (case_.refusing) {
            return Error{Errc::kDisagree, "rank " + std::to_string(*case_.refusing), "no", "", 0, 0};
        }
        all_ = std::make_unique<RecordMessage>(std::move(all));
        identity_ = identity;
        return std::nullopt;
    }

    const RecordMessage* accepted() const { return all_.get(); }
    std::int64_t identity() const { return identity_; }
    int num_asked() const { return num_asked_; }

private:
    // Compares with the processes of its group.
    bool is_first_of_host() const {
        for (std::uint32_t rank = 0; rank < rank_; ++rank) {
            if (case_.group_of[rank] == case_.group_of[rank_] &&
                case_.job[rank].facts.host_name == case_.job[rank_].facts.host_name) {
                return false;
            }
        }
        return true;
    }

    const ExchangeCase& case_;
    const std::uint32_t rank_;
    std::unique_ptr<RecordMessage> all_;
    std::int64_t identity_ = 0;
    int num_asked_ = 0;
};

struct Ended {
    SimulatedRun run;
    std::vector<std::optional<Error>> refusals;
    std::vector<std::unique_ptr<FakeSide>> sides;
};

Ended run(const ExchangeCase& all, const WireFault& fault = {}) {
    Ended result;
    const std::size_t num = all.job.size();
    result.refusals.resize(num);
    std::vector<LocalGroups> groups;
    for (std::uint32_t rank = 0; rank < num; ++rank) {
        result.sides.push_back(std::make_unique<FakeSide>(all, rank));
        groups.push_back(LocalGroups::of(rank, num, num, [&](std::uint32_t process) {
            return static_cast<std::size_t>(all.group_of[process]);
        }));
    }
    result.run = run_processes(num, fault, [&](ExchangeWire& wire) {
        const std::uint32_t own = wire.own();
        Channel channel(wire);
        result.refusals[own] = exchange(channel, groups[own], *result.sides[own], kIdentity + own);
    });
    return result;
}

std::vector<std::string> records_of_all(const FakeJob& job) {
    std::vector<std::string> records;
    for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
        records.push_back(contents_by_rank(record_of(job, rank), job.size())[rank]);
    }
    return records;
}

void expect_all_have_all(const ExchangeCase& all, const Ended& result) {
    ASSERT_EQ(result.run.end, std::nullopt);
    ASSERT_EQ(result.run.num_stranded, 0);
    for (std::size_t rank = 0; rank < all.job.size(); ++rank) {
        ASSERT_FALSE(result.refusals[rank].has_value()) << rank;
        ASSERT_EQ(contents_by_rank(*result.sides[rank]->accepted(), all.job.size()),
                  records_of_all(all.job));
        EXPECT_EQ(result.sides[rank]->identity(), kIdentity);
        EXPECT_TRUE(hosts_to_ask(result.sides[rank]->accepted()->records).empty());
    }
}

FakeJob job_on(const std::vector<std::string>& hosts) {
    FakeJob job;
    for (const std::string& host : hosts) {
        job.push_back(on_host(host).runs_on(std::to_string(job.size())));
    }
    return job;
}

TEST(Exchange, all_receive_all_records_in_any_job_and_groups) {
    for_seeds(20, [](std::mt19937_64& random) {
        ExchangeCase all{random_job(random, {true, true, 0, true}), {}};
        const std::uint64_t num_groups = 1 + random() % all.job.size();
        for (std::size_t rank = 0; rank < all.job.size(); ++rank) {
            all.group_of.push_back(static_cast<int>(random() % num_groups));
        }
        expect_all_have_all(all, run(all));
    });
}

TEST(Exchange, a_member_sends_a_message_and_receives_one) {
    const Ended ended = run({job_on({"a", "a", "a"}), {0, 0, 0}});
    EXPECT_EQ(ended.run.num_messages, (std::vector<long>{4, 2, 2}));
}

TEST(Exchange, leaders_need_log2_rounds) {
    const Ended ended = run({job_on({"a", "b", "c", "d", "e"}), {0, 1, 2, 3, 4}});
    EXPECT_EQ(ended.run.num_messages, std::vector<long>(5, 3));
}

TEST(Exchange, the_lowest_process_of_a_host_asks_where_none_did) {
    const ExchangeCase all = {job_on({"a", "b", "b", "c", "c"}), {0, 0, 0, 1, 2}, {1, 3}};
    const Ended ended = run(all);
    expect_all_have_all(all, ended);
    // Process 4 asked for host c in its own group.
    for (const std::size_t rank : {0, 1, 2, 3, 4}) {
        EXPECT_EQ(ended.sides[rank]->num_asked(), rank == 1 ? 1 : 0) << rank;
    }
}

Uplinks uplinks_named(const std::string& name) {
    Uplinks uplinks;
    uplinks.name = name;
    uplinks.switches = {1};
    return uplinks;
}

ExchangeCase with_uplinks() {
    ExchangeCase all{job_on({"a", "a", "b", "c"}), {0, 0, 1, 2}};
    all.job[0].leads("openib", Name("leaf1"), uplinks_named("L1"));
    all.job[2].leads("openib", Name("leaf1"), uplinks_named("of another process"));
    all.job[3].leads("openib", Name("leaf2"), uplinks_named("L2"));
    return all;
}

TEST(Exchange, one_process_below_each_switch_contributes_its_uplinks) {
    const ExchangeCase all = with_uplinks();
    const Ended ended = run(all);
    expect_all_have_all(all, ended);
    std::vector<std::string> expected = {uplinks_of(all.job[0], "openib"),
                                         uplinks_of(all.job[3], "openib")};
    std::sort(expected.begin(), expected.end());
    for (const std::unique_ptr<FakeSide>& side : ended.sides) {
        std::vector<std::string> uplinks = side->accepted()->uplinks;
        std::sort(uplinks.begin(), uplinks.end());
        EXPECT_EQ(uplinks, expected);
    }
}

void expect_all_refuse(std::uint32_t rank, const Ended& ended) {
    EXPECT_EQ(ended.run.end, std::nullopt);
    EXPECT_EQ(ended.run.num_stranded, 0);
    for (const std::optional<Error>& refusal : ended.refusals) {
        EXPECT_EQ(refusal.value().value, "rank " + std::to_string(rank));
    }
}

TEST(Exchange, all_refuse_where_one_cannot_take_part) {
    expect_all_refuse(1, run({job_on({"a", "a", "b", "c"}), {0, 0, 1, 2}, {}, {1, 3}}));
}

TEST(Exchange, all_refuse_where_one_fails_otherwise_than_by_memory) {
    expect_all_refuse(2, run({job_on({"a", "a", "b", "c"}), {0, 0, 1, 2}, {}, {}, {3, 2}}));
}

TEST(Exchange, all_refuse_where_the_record_of_one_cannot_be_read) {
    const ExchangeCase all = {job_on({"a", "a", "a", "b", "c"}), {0, 0, 0, 1, 2}};
    expect_all_refuse(2, run(all, {WireFault::kDamaged, 0, 2, 1}));
}

TEST(Exchange, all_refuse_what_makes_no_sense) {
    expect_all_refuse(1, run({job_on({"a", "b"}), {0, 1}, {}, {}, {}, 1}));
}

TEST(Exchange, a_process_alone_receives_its_own_record) {
    ExchangeCase all{job_on({"a"}), {0}};
    all.job[0].leads("openib", Name("leaf1"), uplinks_named("L1"));
    const Ended ended = run(all);
    expect_all_have_all(all, ended);
    EXPECT_EQ(ended.sides[0]->accepted()->uplinks.size(), 1U);
    EXPECT_EQ(ended.run.num_messages, std::vector<long>{0});
}

// One with every step: a host to ask once more, uplinks, messages in two parts.
ExchangeCase with_all() {
    ExchangeCase all = with_uplinks();
    all.unasked = {2};
    all.job[1].facts.settings = {{"layers", std::string(9000, 'x')}};
    return all;
}

TEST(Exchange, a_process_that_lacks_memory_ends_the_job) {
    const ExchangeCase all = with_all();
    const std::vector<long> num_allocations = run(all).run.num_allocations;
    int num_well = 0;
    for (std::uint32_t process = 0; process < all.job.size(); ++process) {
        ASSERT_GT(num_allocations[process], 50);
        for (long first = 1; first <= num_allocations[process] && !HasFailure(); ++first) {
            SCOPED_TRACE("allocation " + std::to_string(first) + " of process " +
                         std::to_string(process));
            const long num = first % 2 == 0 ? 1 : 1L << 30;
            const Ended ended = run(all, {WireFault::kAllocation, process, first, num});
            if (!ended.run.end) {  // std::stable_sort can do without
                ++num_well;
                expect_all_have_all(all, ended);
            } else {
                EXPECT_EQ(ended.run.end, (SimulatedRun::End{process, kErrorOutOfResource}));
            }
        }
    }
    EXPECT_LT(num_well, 10);
}

// What was accepted is whole.
void expect_nothing_wrong(const ExchangeCase& all, const Ended& ended) {
    for (std::size_t rank = 0; rank < all.job.size(); ++rank) {
        if (ended.sides[rank]->accepted() != nullptr) {
            EXPECT_EQ(contents_by_rank(*ended.sides[rank]->accepted(), all.job.size()),
                      records_of_all(all.job));
        }
    }
}

template <class Check>
void for_each_message(const ExchangeCase& all, WireFault::Kind kind, Check check) {
    const std::vector<long> num_messages = run(all).run.num_messages;
    for (std::uint32_t process = 0; process < all.job.size(); ++process) {
        for (long first = 1; first <= num_messages[process] && !testing::Test::HasFailure(); ++first) {
            SCOPED_TRACE("message " + std::to_string(first) + " of process " + std::to_string(process));
            check(process, first, run(all, {kind, process, first, 1}));
        }
    }
}

// One that only sends loses nothing.
TEST(Exchange, a_process_whose_message_fails_ends_the_job) {
    const ExchangeCase all = with_all();
    for (const WireFault::Kind kind : {WireFault::kUnsent, WireFault::kLost, WireFault::kCut}) {
        int num_ended = 0;
        for_each_message(all, kind, [&](std::uint32_t process, long, const Ended& ended) {
            if (ended.run.end) {
                ++num_ended;
                EXPECT_EQ(ended.run.end, (SimulatedRun::End{process, kErrorGeneric}));
                expect_nothing_wrong(all, ended);
            } else {
                expect_all_have_all(all, ended);
            }
        });
        EXPECT_GT(num_ended, 20);
    }
}

TEST(Exchange, what_leaders_send_ends_the_job_where_it_is_damaged) {
    const ExchangeCase all = {job_on({"a", "a", "b", "c"}), {0, 0, 1, 2}};
    // What the leader of another group sends, and what a member's own leader does.
    for (const std::uint32_t process : {2, 1}) {
        const Ended ended = run(all, {WireFault::kDamaged, process, process == 2 ? 1 : 2, 1});
        EXPECT_EQ(ended.run.end, (SimulatedRun::End{process, kErrorGeneric}));
        expect_nothing_wrong(all, ended);
    }
}

TEST(Exchange, where_a_process_dies_the_others_take_nothing_wrong) {
    const ExchangeCase all = with_all();
    for_each_message(all, WireFault::kDeath,
                     [&](std::uint32_t, long, const Ended& ended) { expect_nothing_wrong(all, ended); });
}

}  // namespace
}  // namespace hitopo
