// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/exchange.h"

#include <algorithm>
#include <new>
#include <set>
#include <stdexcept>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

// Of the news: then all processes gather once more, for what some have yet to say.
enum Flag : std::uint32_t {
    kIsUnspoken = 1,  // of some host no member of its group speaks
    kMayLead = 2,
    kIsUnsettled = 4  // or ends the exchange
};

template <class T>
T taken(Result<T> result) {
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    return std::move(*result);
}

class Summaries : public Collection {
public:
    void add(std::uint32_t process, std::string_view said) override {
        if (!said.empty()) {
            members_.emplace_back(process, taken(decode_contribution(said)));
        }
    }

    std::uint32_t close_group() override {
        std::set<std::uint64_t> hosts, spoken;
        bool may_lead = false;
        for (const auto& [process, said] : members_) {
            hosts.insert(said.host_id);
            may_lead = may_lead || said.may_lead;
            if (said.speaks_for_node) {
                spoken.insert(said.host_id);
            }
        }
        all_ = Summary::of_group(members_);
        members_.clear();
        return (spoken.size() < hosts.size() ? kIsUnspoken : 0U) | (may_lead ? kMayLead : 0U);
    }

    std::string encode(std::size_t num_groups) override { return all_.encode(num_groups); }

    void append(std::string_view bytes) override {
        if (!bytes.empty()) {
            all_.append(taken(Summary::decode(bytes, News::kNobody)));
        }
    }

    std::string sum() override { return all_.in_order().encode(1); }

private:
    std::vector<std::pair<std::uint32_t, Contribution>> members_;
    Summary all_;
};

// What leaders of switches tell.
class Told : public Collection {
public:
    void add(std::uint32_t, std::string_view said) override {
        if (!said.empty()) {
            told_.emplace_back(said);
        }
    }

    std::uint32_t close_group() override {
        group_ends_.push_back(told_.size());
        return 0;
    }

    std::string encode(std::size_t num_groups) override {
        ByteWriter bytes;
        std::size_t begin = 0;
        for (std::size_t i = 0; i < std::min(num_groups, group_ends_.size()); ++i) {
            bytes.put_varint(group_ends_[i] - begin);
            for (; begin < group_ends_[i]; ++begin) {
                bytes.put_short(told_[begin]);
            }
        }
        return bytes.take();
    }

    void append(std::string_view bytes) override {
        ByteReader reader(bytes);
        while (reader.num_left() > 0) {
            for (std::size_t left = reader.get_count(); left > 0; --left) {
                add(0, reader.get_short());
            }
            (void)close_group();
        }
        if (reader.has_failed()) {
            throw std::runtime_error("what leaders told arrived damaged");
        }
    }

    std::string sum() override {
        std::sort(told_.begin(), told_.end());
        group_ends_ = {told_.size()};
        return encode(1);
    }

    static std::vector<std::string> read(std::string_view sum) {
        std::vector<std::string> told;
        ByteReader reader(sum);
        for (std::size_t left = reader.get_count(); left > 0; --left) {
            told.emplace_back(reader.get_short());
        }
        return told;
    }

private:
    std::vector<std::string> told_;
    std::vector<std::size_t> group_ends_;
};

Error unable(std::uint32_t rank) {
    return {Errc::kDisagree,
            "rank " + std::to_string(rank),
            "its HiTopo could not start; see its own message, or its node's memory",
            "",
            0,
            0};
}

std::string component_to_lead(const Plan& plan, std::uint32_t rank) {
    for (const NodePlan& node : plan.nodes) {
        for (const Choice& choice : {node.network[kSwitch], node.network[kIsland]}) {
            if (choice.is_led && choice.witness == rank) {
                return plan.names.component_name(choice.candidate.component);
            }
        }
    }
    return "";
}

bool contains(const std::vector<std::uint32_t>& ranks, std::uint32_t rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

}  // namespace

template <class Body>
void Exchange::attempt(Body body) {
    mine_.fail(wire_.own(), guarded([&] {
                   body();
                   return kSuccess;
               }));
}

Outcome Exchange::run(LocalGroups groups, Participant& me, bool is_settled) {
    groups_ = std::move(groups);
    mine_ = {};
    if (is_settled) {
        say(me, false);
    } else {
        mine_.flags = kIsUnsettled;
    }
    gather_summary();
    if ((all_.flags & kIsUnsettled) != 0) {
        Outcome out;
        out.is_unsettled = true;
        return out;
    }
    if ((all_.flags & kIsUnspoken) != 0) {
        if (plan_ && contains(plan_->unspoken, wire_.own())) {
            say(me, true);
        }
        gather_summary();
    }
    if ((all_.flags & kMayLead) != 0) {
        gather_led(me);
    }
    settle(me);
    const News agreed = agree(wire_, groups_, mine_);  // collective
    Outcome out;
    out.status = agreed.failed == News::kNobody ? kSuccess : agreed.status;
    out.failed_rank = agreed.failed == News::kNobody ? -1 : static_cast<int>(agreed.failed);
    out.refused = std::move(refused_);
    if (plan_ && plan_->error) {
        out.error = std::move(plan_->error);  // copies would take memory
        out.error_rank = plan_->error_rank;
    }
    return out;
}

// One that has nothing to say makes all refuse: no process leaves before the end.
void Exchange::say(Participant& me, bool must_speak) {
    said_.clear();
    (void)guarded([&] {
        const Contribution mine = me.contribute(must_speak);
        said_ = mine.node_card.empty() ? "" : encode(mine);
        return kSuccess;
    });
    mine_.absent = said_.empty() ? wire_.own() : News::kNobody;
}

// Collective.
void Exchange::gather_summary() {
    NoCollection nothing;
    std::optional<Summaries> summaries;  // which take memory
    attempt([&] { summaries.emplace(); });
    Collection& collection = summaries ? static_cast<Collection&>(*summaries) : nothing;
    const Message all = gather(wire_, groups_, mine_, said_, collection);
    all_ = all.news;
    mine_.hear({0, all.news.status, all.news.failed, News::kNobody});
    refused_.reset();
    attempt([&] {
        plan_.reset();
        if (all_.absent != News::kNobody) {
            refused_ = unable(all_.absent);
            return;
        }
        Result<Summary> summary = Summary::decode(all.bytes, wire_.size());
        if (!summary) {
            refused_ = summary.error();
            return;
        }
        summary_ = std::move(*summary);
        Result<Plan> plan = make_plan(summary_, wire_.size());
        if (plan) {
            plan_ = std::move(*plan);
        } else {
            refused_ = plan.error();
        }
    });
}

// Collective.
void Exchange::gather_led(Participant& me) {
    std::string told;
    attempt([&] {
        if (plan_ && contains(plan_->leaders, wire_.own())) {
            told = me.lead(component_to_lead(*plan_, wire_.own()));
        }
    });
    Told collection;
    const Message all = gather(wire_, groups_, mine_, told, collection);
    mine_.hear({0, all.news.status, all.news.failed, News::kNobody});
    attempt([&] { led_ = Told::read(all.bytes); });
}

void Exchange::settle(Participant& me) {
    if (plan_ && mine_.failed == News::kNobody) {
        attempt([&] { me.accept(make_directory(summary_, *plan_, led_)); });
    }
}

void decline_exchange(ompi_communicator_t* comm, const LocalGroups& groups) {
    NoCollection nothing;
    News news;
    news.flags = kIsUnsettled;
    (void)gather(Wire(comm), groups, news, {}, nothing);
}

bool have_all_succeeded(ompi_communicator_t* comm, int status, std::uint32_t my_index, Outcome& out) {
    constexpr std::int64_t kNobody = INT64_MIN;
    constexpr std::int64_t kFailure = std::int64_t{1} << 32;  // codes are negative, MPI's own positive
    const bool is_well = status == kSuccess;
    const std::int64_t mine[2] = {is_well ? 0 : kFailure + status,
                                  is_well ? kNobody : -std::int64_t{my_index}};
    std::int64_t all[2] = {0, kNobody};
    const int agreed = hitopo_glue_max64(comm, mine, all, 2);  // collective
    if (agreed != kSuccess) {
        out.status = status != kSuccess ? status : agreed;
        out.failed_rank = static_cast<int>(my_index);
        return false;
    }
    out.status = all[0] == 0 ? kSuccess : static_cast<int>(all[0] - kFailure);
    out.failed_rank = all[1] == kNobody ? -1 : static_cast<int>(-all[1]);
    return out.status == kSuccess;
}

Outcome derive_alone(Participant& me) {
    Outcome out;
    const Summary summary = Summary::of_group({{0, me.contribute(true)}});
    Result<Plan> plan = make_plan(summary, 1);
    if (!plan) {
        out.refused = plan.error();
        return out;
    }
    std::vector<std::string> led;
    if (!plan->leaders.empty()) {
        led.push_back(me.lead(component_to_lead(*plan, 0)));
    }
    me.accept(make_directory(summary, *plan, led));
    return out;
}

}  // namespace hitopo
