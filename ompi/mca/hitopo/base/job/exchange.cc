// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/exchange.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/job/collections.h"
#include "ompi/mca/hitopo/core/exchange/directory.h"
#include "ompi/mca/hitopo/core/table/table.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

Error unable(std::uint32_t rank) {
    return {Errc::kDisagree,
            "rank " + std::to_string(rank),
            "HiTopo could not start in this process; read the message of this process, and check the "
            "memory of its node",
            "",
            0,
            0};
}

// "": nobody's.
std::string_view component_to_lead(const Plan& plan, std::uint32_t rank) {
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

// The finished table.
std::string make_block(const Summary& summary, Plan& plan, const std::vector<std::string>& led) {
    Directory directory = make_directory(summary, plan, led);
    return Table(std::move(directory.dictionary), directory.occupancy).to_block();
}

}  // namespace

template <class Body>
void Exchange::attempt(Body body) {
    mine_.fail(wire_.own(), guarded(body));
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
    pass_orders(kIsUnsettled | kIsUnspoken | kMayLead);
    if ((all_.flags & kIsUnsettled) != 0) {
        Outcome out;
        out.is_unsettled = true;
        return out;
    }
    if ((all_.flags & kIsUnspoken) != 0) {
        if ((order_.news.flags & kMustSpeak) != 0) {
            say(me, true);
        }
        gather_summary();
        pass_orders(kMayLead);
    }
    if ((all_.flags & kMayLead) != 0) {
        gather_led(me);
        pass_orders(0);
    }
    sharing_.settle(
        wire_, groups_, order_,
        [&me](std::shared_ptr<const SharedBytes> block) { me.accept(std::move(block)); }, mine_);
    return finish();
}

// Collective.
Outcome Exchange::finish() {
    News last = mine_;
    last.flags = refused_ ? kIsRefused : 0U;
    const News agreed = gathering_.agree(last);
    Outcome out;
    out.status = agreed.failed == News::kNobody ? kSuccess : agreed.status;
    out.failed_rank = agreed.failed == News::kNobody ? -1 : static_cast<int>(agreed.failed);
    out.is_refused = out.status == kSuccess && (agreed.flags & kIsRefused) != 0;
    if (refused_) {
        out.refusal = std::move(*refused_);  // copies would take memory
    }
    if (plan_ && plan_->error) {
        out.error = std::move(plan_->error);
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
    });
    mine_.absent = said_.empty() ? wire_.own() : News::kNobody;
}

// Collective.
void Exchange::gather_summary() {
    NoCollection nothing;
    std::unique_ptr<Summaries> summaries;
    attempt([&] { summaries = std::make_unique<Summaries>(wire_.size()); });
    Collection& collection = summaries ? static_cast<Collection&>(*summaries) : nothing;
    hear(gathering_.gather(mine_, said_, collection));
    if (gathering_.is_leader() && (all_.flags & kIsUnsettled) == 0 && summaries) {
        attempt([&] {
            summary_ = summaries->in_order();
            plan_for();
        });
    }
}

void Exchange::plan_for() {
    refused_.reset();
    plan_.reset();
    if (all_.absent != News::kNobody) {
        refused_ = unable(all_.absent);
        return;
    }
    Result<Plan> plan = make_plan(summary_, wire_.size());
    if (plan) {
        plan_ = std::move(*plan);
    } else {
        refused_ = plan.error();
    }
}

// Collective.
void Exchange::gather_led(Participant& me) {
    std::string own;
    attempt([&] {
        if (!order_.bytes.empty()) {
            own = me.lead(order_.bytes);
        }
    });
    Told told;
    hear(gathering_.gather(mine_, own, told));
    led_ = told.take_in_order();
}

void Exchange::hear(const News& news) {
    all_ = news;
    mine_.hear({0, news.status, news.failed, News::kNobody});
}

// Orders go out after each gathering, the table's whereabouts after the last. may_follow: the flags of
// what can still come. Collective over the local group.
void Exchange::pass_orders(std::uint32_t may_follow) {
    if (!gathering_.is_leader()) {
        order_ = gathering_.take_order();
        hear(order_.news);
        return;
    }
    all_.flags &= may_follow;
    attempt([&] {
        if (all_.flags == 0 && plan_ && mine_.failed == News::kNobody) {
            sharing_.prepare(make_block(summary_, *plan_, led_), groups_);
        } else {
            const Order own = order_for(wire_.own());
            order_.news.flags = own.flags;
            order_.bytes = own.bytes;
        }
    });
    News told = all_;
    told.hear(mine_);
    mine_.fail(wire_.own(),
               gathering_.give_orders(told, [this](std::uint32_t member) { return order_for(member); }));
}

// A leader's, also to itself.
Order Exchange::order_for(std::uint32_t process) const {
    if ((all_.flags & kIsUnspoken) != 0) {
        return {plan_ && contains(plan_->unspoken, process) ? kMustSpeak : 0U, {}};
    }
    if ((all_.flags & kMayLead) != 0) {
        const bool leads = plan_ && contains(plan_->leaders, process);
        return {0, leads ? component_to_lead(*plan_, process) : std::string_view()};
    }
    return sharing_.order();
}

void decline_exchange(ompi_communicator_t* comm, const LocalGroups& groups) {
    const Wire wire(comm);
    const Gathering gathering(wire, groups);
    NoCollection nothing;
    News news;
    news.flags = kIsUnsettled;
    news = gathering.gather(news, {}, nothing);
    if (gathering.is_leader()) {
        (void)gathering.give_orders(news, [](std::uint32_t) { return Order(); });
    } else {
        (void)gathering.take_order();
    }
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
        out.is_refused = true;
        out.refusal = plan.error();
        return out;
    }
    std::vector<std::string> led;
    if (!plan->leaders.empty()) {
        led.push_back(me.lead(std::string(component_to_lead(*plan, 0))));
    }
    me.accept(std::make_shared<const SharedBytes>(make_block(summary, *plan, led)));
    return out;
}

}  // namespace hitopo
