// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/coll/fake_network.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace hitopo::coll {

class FakeNetwork::RankWire : public Wire {
public:
    RankWire(FakeNetwork& network, int rank, int tags) : network_(network), rank_(rank) {
        element = network.element_;
        num_tags = tags;
    }

    int send(const char* from, std::size_t count, int peer, int tag, bool must_match,
             const Ticket& ticket) override {
        Send send;
        if (count > 0) {
            const char* begin = from + element.true_lb;
            send.elements.assign(begin, begin + element.covered_bytes(count));
        }
        send.count = count;
        send.ticket = ticket;
        send.is_complete = !must_match && network_.random_() % 2 == 0;
        network_.post({rank_, peer, tag}, std::move(send));
        return 0;
    }
    int receive(char* to, std::size_t count, int peer, int tag, const Ticket& ticket) override {
        network_.post({peer, rank_, tag}, Receive{to, count, ticket});
        return 0;
    }
    int reduce(const char* in, char* inout, std::size_t count) override {
        for (std::size_t i = 0; i < count; ++i) {
            const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * element.extent + element.true_lb;
            std::int64_t a, b;
            std::memcpy(&a, in + at, sizeof a);
            std::memcpy(&b, inout + at, sizeof b);
            b += a;
            std::memcpy(inout + at, &b, sizeof b);
        }
        return 0;
    }

private:
    FakeNetwork& network_;
    int rank_;
};

FakeNetwork::FakeNetwork(int num_ranks, const Element& element, int num_tags, std::mt19937_64& random)
    : element_(element),
      random_(random),
      completed_(static_cast<std::size_t>(num_ranks)),
      has_failed_(static_cast<std::size_t>(num_ranks)) {
    for (int rank = 0; rank < num_ranks; ++rank) {
        wires_.push_back(std::make_unique<RankWire>(*this, rank, num_tags));
    }
}

FakeNetwork::~FakeNetwork() = default;

Wire& FakeNetwork::wire(int rank) { return *wires_[static_cast<std::size_t>(rank)]; }

void FakeNetwork::post(const Channel& channel, Send send) {
    const auto [from, to, tag] = channel;
    if (send.is_complete) {
        completed_[static_cast<std::size_t>(from)].push_back(send.ticket);
    }
    ++num_sent_[{from, to}];
    int& unmatched = unmatched_[{from, to}];
    most_unmatched_ = std::max(most_unmatched_, ++unmatched);
    sends_[channel].push_back(std::move(send));
    match(channel);
}

void FakeNetwork::post(const Channel& channel, const Receive& receive) {
    receives_[channel].push_back(receive);
    match(channel);
}

void FakeNetwork::match(const Channel& channel) {
    const auto [from, to, tag] = channel;
    std::deque<Send>& sends = sends_[channel];
    std::deque<Receive>& receives = receives_[channel];
    while (!sends.empty() && !receives.empty()) {
        const Send& send = sends.front();
        Receive& receive = receives.front();
        copy(send.elements.data(), receive.to, std::min(send.count, receive.count));
        if (send.count != receive.count) {
            receive.ticket.has_failed = has_failed_[static_cast<std::size_t>(to)] = true;
        }
        completed_[static_cast<std::size_t>(to)].push_back(receive.ticket);
        if (!send.is_complete) {
            completed_[static_cast<std::size_t>(from)].push_back(send.ticket);
        }
        --unmatched_[{from, to}];
        sends.pop_front();
        receives.pop_front();
    }
}

// Data alone: gaps between elements belong to the receiver.
void FakeNetwork::copy(const char* from, char* to, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * element_.extent;
        std::memcpy(to + element_.true_lb + at, from + at, element_.size);
    }
}

bool FakeNetwork::run(std::vector<std::unique_ptr<Activity>>& activities) {
    std::vector<std::size_t> order(activities.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        order[rank] = rank;
        activities[rank]->advance();
    }
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        std::shuffle(order.begin(), order.end(), random_);
        for (const std::size_t rank : order) {
            std::vector<Ticket> tickets;
            std::shuffle(completed_[rank].begin(), completed_[rank].end(), random_);
            const std::size_t kept = completed_[rank].empty() ? 0 : random_() % completed_[rank].size();
            while (completed_[rank].size() > kept) {
                tickets.push_back(completed_[rank].back());
                completed_[rank].pop_back();
            }
            is_moving = is_moving || !tickets.empty();
            activities[rank]->complete(tickets);
            activities[rank]->advance();
        }
    }
    const auto is_empty = [](const auto& channel) { return channel.second.empty(); };
    return std::all_of(activities.begin(), activities.end(),
                       [](const auto& e) { return e->is_finished(); }) &&
           std::all_of(sends_.begin(), sends_.end(), is_empty) &&
           std::all_of(receives_.begin(), receives_.end(), is_empty);
}

}  // namespace hitopo::coll
