// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/exchange.h"

#include <algorithm>

namespace hitopo::coll {

// The way through each child has as many parts as it has members; where all have as many, a step (turn,
// distance) leads to member `own index + turn` of the child that is `distance` further.
std::vector<int> exchange_order(const Groups& groups) {
    struct Stop {
        double at;  // 0 .. 1: the beginning and the end of the way
        int position;
    };
    std::vector<Stop> stops;
    if (groups.path().empty()) {
        return {};
    }
    const Group& group = groups.path().front();
    const int own = groups.own_position(), own_index = own - group.child(group.own).first;
    const int num_children = group.num_children();
    for (int distance = 1; distance <= num_children; ++distance) {
        const Interval child = group.child((group.own + distance) % num_children);
        for (int turn = 0; turn < child.size(); ++turn) {
            const int position = child.first + (own_index + turn) % child.size();
            if (position != own) {
                stops.push_back({(turn + distance / (num_children + 1.0)) / child.size(), position});
            }
        }
    }
    std::sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.at < b.at; });
    std::vector<int> order(stops.size());
    std::transform(stops.begin(), stops.end(), order.begin(),
                   [](const Stop& stop) { return stop.position; });
    return order;
}

Exchange::Exchange(Messages& messages, const Groups& groups, const BlockOfEach<const char>& out,
                   const BlockOfEach<char>& in, int window)
    : messages_(messages),
      groups_(groups),
      out_(out),
      in_(in),
      window_(static_cast<std::size_t>(std::max(1, window))),
      order_(exchange_order(groups)) {}

// All receives are there before anything is sent: in any order of the others, no process waits for ever.
void Exchange::advance() {
    if (!has_begun_) {
        has_begun_ = true;
        receive_all();
    }
    // The receive has begun at the other side: it is not flooded.
    const bool must_match = order_.size() > window_;
    for (; error_ == 0 && num_sending_ < window_ && num_unsent() > 0; ++num_posted_, ++num_sending_) {
        const int rank = groups_.rank_of(order_[num_posted_]);
        error_ = messages_.send(advanced(out_.first, static_cast<std::size_t>(rank), out_.step),
                                out_.count, rank, 0, must_match, {0, Posted::For::kSentDown, 0});
        num_open_ += error_ == 0 ? 1 : 0;
    }
}

void Exchange::receive_all() {
    for (const int position : order_) {
        const int rank = groups_.rank_of(position);
        error_ = error_ != 0
                     ? error_
                     : messages_.receive(advanced(in_.first, static_cast<std::size_t>(rank), in_.step),
                                         in_.count, rank, 0, {0, Posted::For::kReceived, 0});
        num_open_ += error_ == 0 ? 1 : 0;
    }
}

void Exchange::complete(std::vector<Posted>& completed) {
    num_open_ -= completed.size();
    num_sending_ -= static_cast<std::size_t>(
        std::count_if(completed.begin(), completed.end(),
                      [](const Posted& posted) { return posted.what == Posted::For::kSentDown; }));
}

}  // namespace hitopo::coll
