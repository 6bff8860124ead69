// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/coll/simulated_network.h"

#include <algorithm>

namespace hitopo::coll {

class SimulatedNetwork::RankWire : public Wire {
public:
    RankWire(SimulatedNetwork& network, int rank, int tags) : network_(network), rank_(rank) {
        // Bytes without a place, so that thousands of engines need no memory for what they merge.
        element = {1, 0, 0, 0};
        num_tags = tags;
    }

    int send(const char*, std::size_t count, int peer, int tag, bool must_match,
             const Ticket& ticket) override {
        network_.send(rank_, peer, tag, count, must_match, ticket);
        return 0;
    }
    int receive(char*, std::size_t count, int peer, int tag, const Ticket& ticket) override {
        network_.receive(peer, rank_, tag, count, ticket);
        return 0;
    }
    int reduce(const char*, char*, std::size_t) override { return 0; }

private:
    SimulatedNetwork& network_;
    int rank_;
};

SimulatedNetwork::SimulatedNetwork(const SimulatedMachine& machine, int num_tags)
    : machine_(machine), process_free_us_(static_cast<std::size_t>(machine.num_processes())) {
    for (int rank = 0; rank < machine.num_processes(); ++rank) {
        wires_.push_back(std::make_unique<RankWire>(*this, rank, num_tags));
    }
    for (std::size_t tier = 0; tier < machine.tiers().size(); ++tier) {
        links_.emplace_back(2 * static_cast<std::size_t>(machine.num_groups(tier)));
    }
}

SimulatedNetwork::~SimulatedNetwork() = default;

Wire& SimulatedNetwork::wire(int rank) { return *wires_[static_cast<std::size_t>(rank)]; }

int SimulatedNetwork::create(int from, int to, std::size_t bytes) {
    if (unused_.empty()) {
        unused_.push_back(static_cast<int>(messages_.size()));
        messages_.emplace_back();
    }
    const int m = unused_.back();
    unused_.pop_back();
    Message created = {};
    created.from = from;
    created.to = to;
    created.bytes = static_cast<double>(bytes);
    created.is_long = bytes > machine_.eager_bytes();
    while (from / machine_.num_members(created.outermost) ==
           to / machine_.num_members(created.outermost)) {
        ++created.outermost;
    }
    message(m) = created;
    return m;
}

// The oldest message of the channel that lacks this call, or a new one. As MPI says, sends and receives
// match in the order of the calls.
int SimulatedNetwork::find(int from, int to, int tag, std::size_t bytes, bool is_send) {
    const auto num = static_cast<std::uint64_t>(machine_.num_processes());
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
    const int m = create(from, to, bytes);
    (is_new ? channel.first : message(channel.last).next) = m;
    channel.last = m;
    return m;
}

void SimulatedNetwork::send(int from, int to, int tag, std::size_t bytes, bool must_match,
                            const Ticket& ticket) {
    const int m = find(from, to, tag, bytes, true);
    Message& sent = message(m);
    sent.is_sent = true;
    sent.sent = ticket;
    sent.must_match = must_match;
    const double us = occupy(from, sent);
    if (sent.is_long) {
        schedule(us + link_between(sent).latency_us, m, What::kAsked);
        return;
    }
    schedule(us, m, What::kHop);
    if (!must_match) {
        schedule(us, m, What::kSent);
    }
}

void SimulatedNetwork::receive(int from, int to, int tag, std::size_t bytes, const Ticket& ticket) {
    const int m = find(from, to, tag, bytes, false);
    Message& received = message(m);
    received.is_awaited = true;
    received.received = ticket;
    if (received.is_here) {
        arrive(m);
    }
}

// The process gets to it when it is done with what came before.
double SimulatedNetwork::occupy(int rank, const Message& message) {
    double& free_us = process_free_us_[static_cast<std::size_t>(rank)];
    const double us = std::max(free_us, now_us_);
    free_us = us + link_between(message).message_us / 2;
    return us;
}

// Both calls have been made, and the receiver has the message or what asks for it.
void SimulatedNetwork::arrive(int m) {
    Message& arrived = message(m);
    if (arrived.is_long && arrived.hop == 0) {
        schedule(now_us_ + link_between(arrived).latency_us, m, What::kHop);
    } else {
        schedule(occupy(arrived.to, arrived), m, What::kReceived);
    }
}

// Outwards from the innermost level, and inwards again.
void SimulatedNetwork::hop(int m) {
    Message& on_way = message(m);
    const std::size_t num_tiers = machine_.tiers().size(), ways = num_tiers - on_way.outermost;
    const bool is_inwards = on_way.hop >= ways;
    const std::size_t tier =
        is_inwards ? on_way.outermost + on_way.hop - ways : num_tiers - 1 - on_way.hop;
    const int child = (is_inwards ? on_way.to : on_way.from) / machine_.num_members(tier);
    LinkState& link = links_[tier][2 * static_cast<std::size_t>(child) + (is_inwards ? 1 : 0)];
    const double begin_us = std::max(link.free_us, now_us_);
    const double us = on_way.bytes / machine_.tiers()[tier].link.bytes_per_us;
    link.free_us = begin_us + us;
    link.busy_us += us;
    on_way.end_us = std::max(on_way.end_us, link.free_us);
    if (++on_way.hop < 2 * ways) {
        schedule(begin_us, m, What::kHop);
    } else {
        schedule(on_way.end_us + link_between(on_way).latency_us, m, What::kHere);
    }
}

void SimulatedNetwork::handle(const Event& event) {
    Message& of_event = message(event.message);
    switch (event.what) {
        case What::kHop:
            hop(event.message);
            break;
        case What::kAsked:
        case What::kHere:
            of_event.is_here = true;
            if (of_event.is_awaited) {
                arrive(event.message);
            }
            break;
        case What::kReceived:
            if (of_event.is_long) {
                schedule(now_us_, event.message, What::kSent);
            } else if (of_event.must_match) {
                schedule(now_us_ + link_between(of_event).latency_us, event.message, What::kSent);
            }
            settle(event.message, of_event.to, of_event.received);
            break;
        case What::kSent:
            settle(event.message, of_event.from, of_event.sent);
            break;
    }
}

void SimulatedNetwork::settle(int m, int rank, const Ticket& ticket) {
    tickets_.assign(1, ticket);
    if (--message(m).num_open == 0) {
        unused_.push_back(m);
    }
    Activity& activity = *(*activities_)[static_cast<std::size_t>(rank)];
    activity.complete(tickets_);
    activity.advance();
}

std::optional<double> SimulatedNetwork::run(std::vector<std::unique_ptr<Activity>>& activities) {
    activities_ = &activities;
    for (const auto& activity : activities) {
        activity->advance();
    }
    while (!events_.empty()) {
        const Event event = events_.top();
        events_.pop();
        now_us_ = event.us;
        handle(event);
    }
    const bool is_finished =
        channels_.empty() && std::all_of(activities.begin(), activities.end(), [](const auto& activity) {
            return activity->is_finished() && activity->error() == 0;
        });
    return is_finished ? std::optional<double>(now_us_) : std::nullopt;
}

SimulatedNetwork::Busiest SimulatedNetwork::busiest() const {
    Busiest busiest = {kProcess, 0};
    for (std::size_t tier = 0; tier < links_.size(); ++tier) {
        for (const LinkState& link : links_[tier]) {
            if (link.busy_us > busiest.us) {
                busiest = {machine_.tiers()[tier].level, link.busy_us};
            }
        }
    }
    return busiest;
}

}  // namespace hitopo::coll
