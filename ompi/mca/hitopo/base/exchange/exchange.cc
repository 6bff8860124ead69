// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/exchange.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

Error missing(std::uint32_t rank, const char* why) {
    return {Errc::kDisagree, "rank " + std::to_string(rank), why, "", 0, 0};
}

// Why what all processes said makes no sense.
std::optional<Error> refusal_of(const RecordMessage& all, std::size_t num_processes,
                                std::uint32_t absent) {
    if (absent != StatusHeader::kNobody) {
        return missing(absent,
                       "HiTopo could not start in this process; read the message of this process, and "
                       "check the memory of its node");
    }
    if (const std::optional<std::uint32_t> rank = first_not_once(all.records, num_processes)) {
        return missing(*rank,
                       "HiTopo in this process sent no record, or several; start all processes with one "
                       "installation");
    }
    return std::nullopt;
}

void add_uplinks(const std::string& component, ExchangeSide& side, RecordMessage& own) {
    std::string told = side.uplinks(component);
    if (!told.empty()) {
        own.uplinks.push_back(std::move(told));
    }
}

// One process in one exchange.
class Exchanging {
public:
    Exchanging(Channel& channel, const LocalGroups& groups, ExchangeSide& side, std::int64_t identity)
        : channel_(channel), gather_(channel, groups), side_(side) {
        mine_.identity = channel.own() == 0 ? identity : 0;
    }

    ExchangeOutcome run() {
        say(false);
        gather_records();
        if ((mine_.flags & kIsHostUnasked) != 0) {
            ask_hosts();
        }
        if ((mine_.flags & kHasUplinks) != 0) {
            ask_switches();
        }
        accept();
        return finish();
    }

private:
    template <class Body>
    void attempt(Body body) {
        if (!mine_.has_failed()) {
            mine_.fail(channel_.own(), guarded(body));
        }
    }

    void say(bool must_ask) {
        own_ = {};
        attempt([&] { own_ = side_.say(must_ask); });
        if (own_.records.empty()) {
            mine_.absent = std::min(mine_.absent, channel_.own());
        }
    }

    // Collective.
    void gather_records() {
        mine_.flags = 0;
        all_ = gather_.all_say(own_, mine_);
    }

    // Collective.
    void ask_hosts() {
        bool is_mine = false;
        attempt([&] {
            const std::vector<std::uint32_t> ranks = hosts_to_ask(all_.records);
            is_mine = std::find(ranks.begin(), ranks.end(), channel_.own()) != ranks.end();
        });
        if (is_mine) {
            say(true);
        }
        gather_records();
    }

    // Collective.
    void ask_switches() {
        RecordMessage own;
        attempt([&] {
            for (const SwitchToAsk& leaf : switches_to_ask(all_)) {
                if (leaf.rank == channel_.own()) {
                    add_uplinks(all_.names[leaf.component], side_, own);
                }
            }
        });
        RecordMessage told = gather_.all_say(own, mine_);
        all_.uplinks = std::move(told.uplinks);
    }

    void accept() {
        attempt([&] {
            refusal_ = refusal_of(all_, channel_.size(), mine_.absent);
            if (!refusal_) {
                refusal_ = side_.accept(std::move(all_), mine_.identity);
            }
        });
    }

    // Collective.
    ExchangeOutcome finish() {
        mine_.flags = refusal_ ? kIsRefused : 0U;
        const StatusHeader agreed = gather_.agree(mine_);
        ExchangeOutcome out;
        out.status = agreed.has_failed() ? agreed.status : kSuccess;
        out.failed_rank = agreed.has_failed() ? static_cast<int>(agreed.failed) : -1;
        out.is_refused = out.status == kSuccess && (agreed.flags & kIsRefused) != 0;
        out.reason = std::move(refusal_);  // a copy would take memory
        return out;
    }

    Channel& channel_;
    Gather gather_;
    ExchangeSide& side_;
    StatusHeader mine_;  // of this process, and what it heard of others
    RecordMessage own_, all_;
    std::optional<Error> refusal_;
};

}  // namespace

ExchangeOutcome exchange(Channel& channel, const LocalGroups& groups, ExchangeSide& side,
                         std::int64_t identity) {
    return Exchanging(channel, groups, side, identity).run();
}

ExchangeOutcome exchange_alone(ExchangeSide& side, std::int64_t identity) {
    RecordMessage all = side.say(true);
    for (const SwitchToAsk& leaf : switches_to_ask(all)) {
        add_uplinks(all.names[leaf.component], side, all);
    }
    ExchangeOutcome out;
    out.reason = refusal_of(all, 1, StatusHeader::kNobody);
    if (!out.reason) {
        out.reason = side.accept(std::move(all), identity);
    }
    out.is_refused = out.reason.has_value();
    return out;
}

}  // namespace hitopo
