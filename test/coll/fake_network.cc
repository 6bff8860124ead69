// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/coll/fake_network.h"

#include <algorithm>
#include <cstring>

namespace hitopo::coll {

class MatchingNetwork::RankMessages : public Messages {
public:
    RankMessages(MatchingNetwork& network, int rank, int tags) : network_(network), rank_(rank) {
        element = network.element_;
        num_tags = tags;
    }

    int send(const char* from, std::size_t count, int peer, int tag, bool must_match,
             const Posted& posted) override {
        const int m = network_.find(rank_, peer, tag, true);
        Message& message = network_.message(m);
        message.is_sent = true;
        message.source = from;
        message.num_sent = count;
        message.must_match = must_match;
        message.sent = posted;
        network_.sent(m);
        return 0;
    }
    int receive(char* to, std::size_t count, int peer, int tag, const Posted& posted) override {
        const int m = network_.find(peer, rank_, tag, false);
        Message& message = network_.message(m);
        message.is_awaited = true;
        message.target = to;
        message.num_received = count;
        message.received = posted;
        network_.awaited(m);
        return 0;
    }
    int reduce(const char* in, char* inout, std::size_t count) override {
        network_.reduce(in, inout, count);
        return 0;
    }
    int copy(const char* from, char* to, std::size_t count) override {
        network_.copy(from, to, count);
        return 0;
    }

private:
    MatchingNetwork& network_;
    int rank_;
};

MatchingNetwork::MatchingNetwork(int num_ranks, const Element& element, int num_tags)
    : element_(element) {
    for (int rank = 0; rank < num_ranks; ++rank) {
        of_rank_.push_back(std::make_unique<RankMessages>(*this, rank, num_tags));
    }
}

MatchingNetwork::~MatchingNetwork() = default;

Messages& MatchingNetwork::messages(int rank) { return *of_rank_[static_cast<std::size_t>(rank)]; }

// The oldest message of the channel that lacks this call, or a new one.
int MatchingNetwork::find(int from, int to, int tag, bool is_send) {
    const auto num = static_cast<std::uint64_t>(of_rank_.size());
    const std::uint64_t key =
        (static_cast<std::uint64_t>(tag) * num + static_cast<std::uint64_t>(from)) * num +
        static_cast<std::uint64_t>(to);
    const auto [at, is_new] = channels_.try_emplace(key);
    Channel& channel = at->second;
    const int first = channel.first;
    if (!is_new && (is_send ? !message(first).is_sent : !message(first).is_awaited)) {
        channel.first = message(first).next;
        if (channel.first < 0) {
            channels_.erase(at);
        }
        return first;
    }
    if (unused_.empty()) {
        drop(static_cast<int>(messages_.size()));
        messages_.emplace_back();
    }
    const int m = unused_.back();
    unused_.pop_back();
    message(m) = {};
    message(m).from = from;
    message(m).to = to;
    (is_new ? channel.first : message(channel.last).next) = m;
    channel.last = m;
    return m;
}

FakeNetwork::FakeNetwork(int num_ranks, const Element& element, int num_tags, std::mt19937_64& random)
    : MatchingNetwork(num_ranks, element, num_tags),
      random_(random),
      completed_(static_cast<std::size_t>(num_ranks)),
      has_failed_(static_cast<std::size_t>(num_ranks)) {}

// It may be complete before it has matched.
void FakeNetwork::sent(int m) {
    Message& sent = message(m);
    const std::pair<int, int> pair(sent.from, sent.to);
    if (sent.num_sent > 0) {
        const char* begin = sent.source + element().true_lb;
        elements_[m].assign(begin, begin + element().covered_bytes(sent.num_sent));
    }
    sent.must_match = sent.must_match || random_() % 2 == 0;
    if (!sent.must_match) {
        completed_[static_cast<std::size_t>(sent.from)].push_back(sent.sent);
    }
    ends_.push_back(pair);
    most_unmatched_ = std::max(most_unmatched_, ++unmatched_[pair]);
    if (sent.is_awaited) {
        match(m);
    }
}

void FakeNetwork::awaited(int m) {
    if (message(m).is_sent) {
        match(m);
    }
}

// Copies data alone: gaps between elements belong to the receiver.
void FakeNetwork::match(int m) {
    Message& matched = message(m);
    const auto to = static_cast<std::size_t>(matched.to);
    const std::vector<char>& elements = elements_[m];
    for (std::size_t i = 0; i < std::min(matched.num_sent, matched.num_received); ++i) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * element().extent;
        std::memcpy(matched.target + element().true_lb + at, elements.data() + at, element().size);
    }
    if (matched.num_sent != matched.num_received) {
        matched.received.has_failed = has_failed_[to] = true;
    }
    completed_[to].push_back(matched.received);
    if (matched.must_match) {
        completed_[static_cast<std::size_t>(matched.from)].push_back(matched.sent);
    }
    --unmatched_[{matched.from, matched.to}];
    elements_.erase(m);
    drop(m);
}

void FakeNetwork::reduce(const char* in, char* inout, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * element().extent + element().true_lb;
        std::int64_t a, b;
        std::memcpy(&a, in + at, sizeof a);
        std::memcpy(&b, inout + at, sizeof b);
        b += is_sum ? a : a / 2;
        std::memcpy(inout + at, &b, sizeof b);
    }
}

void FakeNetwork::copy(const char* from, char* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) * element().extent + element().true_lb;
        std::memcpy(to + at, from + at, sizeof(std::int64_t));
    }
}

bool FakeNetwork::run(std::vector<std::unique_ptr<Algorithm>>& algorithms) {
    std::vector<std::size_t> order(algorithms.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        order[rank] = rank;
        algorithms[rank]->advance();
    }
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        std::shuffle(order.begin(), order.end(), random_);
        for (const std::size_t rank : order) {
            std::vector<Posted> completed;
            std::shuffle(completed_[rank].begin(), completed_[rank].end(), random_);
            const std::size_t kept = completed_[rank].empty() ? 0 : random_() % completed_[rank].size();
            while (completed_[rank].size() > kept) {
                completed.push_back(completed_[rank].back());
                completed_[rank].pop_back();
            }
            is_moving = is_moving || !completed.empty();
            algorithms[rank]->complete(completed);
            algorithms[rank]->advance();
        }
    }
    return all_have_matched() && std::all_of(algorithms.begin(), algorithms.end(),
                                             [](const auto& e) { return e->is_finished(); });
}

}  // namespace hitopo::coll
