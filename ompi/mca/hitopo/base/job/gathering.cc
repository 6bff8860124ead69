// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/gathering.h"

#include <algorithm>
#include <vector>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

News Gathering::gather(const News& mine, std::string_view said, Collection& collection) const {
    const std::uint32_t own = wire_.own();
    if (!is_leader()) {
        News news;
        news.fail(own, wire_.send(groups_.members[0], mine, said));
        return news;
    }
    News news = mine;
    news.fail(own, guarded([&] { collection.add(own, said); }));
    for (std::size_t i = 1; i < groups_.members.size(); ++i) {
        Message heard;
        news.fail(own, wire_.receive(groups_.members[i], heard));
        news.hear(heard.news);
        news.fail(own, guarded([&] { collection.add(groups_.members[i], heard.bytes); }));
    }
    news.fail(own, guarded([&] { news.flags |= collection.close_group(); }));
    news.fail(own, tell_leaders(news, collection));
    return news;
}

int Gathering::tell_leaders(News& news, Collection& collection) const {
    const std::vector<std::uint32_t>& leaders = groups_.leaders;
    const auto own = std::lower_bound(leaders.begin(), leaders.end(), wire_.own());
    LeaderRounds rounds(static_cast<std::size_t>(own - leaders.begin()), leaders.size());
    int status = kSuccess;
    for (; !rounds.is_over(); rounds.end_round()) {
        std::string sent;
        Message heard;
        news.fail(wire_.own(), guarded([&] { sent = collection.encode(rounds.num_sent()); }));
        const Wire::Passed passed =
            wire_.pass(leaders[rounds.to()], news, sent, leaders[rounds.from()], heard);
        status = status == kSuccess ? passed.sent : status;
        news.fail(wire_.own(), passed.received);
        news.hear(heard.news);
        news.fail(wire_.own(), guarded([&] { collection.append(heard.bytes); }));
    }
    return status;
}

Message Gathering::take_order() const {
    Message order;
    order.news.fail(wire_.own(), wire_.receive(groups_.members[0], order));
    return order;
}

// Who has the leader's word knows that the leader has this process's: what it sent did arrive. And after
// that word nobody could tell of a failure.
News Gathering::agree(News mine) const {
    if (!is_leader()) {
        return take_order().news;
    }
    NoCollection nothing;
    (void)tell_leaders(mine, nothing);
    (void)give_orders(mine, [](std::uint32_t) { return Order(); });
    return mine;
}

}  // namespace hitopo
