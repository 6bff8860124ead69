// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/coll/simulated_network.h"

#include <algorithm>

namespace hitopo::coll {

// Bytes without a place, so that thousands of engines need no memory for what they merge.
SimulatedNetwork::SimulatedNetwork(const SimulatedMachine& machine, int num_tags)
    : MatchingNetwork(machine.num_processes(), {1, 0, 0, 0}, num_tags),
      machine_(machine),
      process_free_us_(static_cast<std::size_t>(machine.num_processes())) {
    for (std::size_t tier = 0; tier < machine.tiers().size(); ++tier) {
        links_.emplace_back(2 * static_cast<std::size_t>(machine.num_groups(tier)));
    }
}

std::size_t SimulatedNetwork::outermost(const Message& message) const {
    std::size_t tier = 0;
    while (message.from / machine_.num_members(tier) == message.to / machine_.num_members(tier)) {
        ++tier;
    }
    return tier;
}

SimulatedNetwork::Transfer& SimulatedNetwork::transfer(int m) {
    const auto i = static_cast<std::size_t>(m);
    if (i >= transfers_.size()) {
        transfers_.resize(i + 1);
    }
    return transfers_[i];
}

void SimulatedNetwork::sent(int m) {
    const Message& sent = message(m);
    ++num_messages_;
    const double us = occupy(sent.from, sent);
    transfer(m) = {};
    if (is_long(sent)) {
        schedule(us + link_between(sent).latency_us, m, What::kAsked);
        return;
    }
    schedule(us, m, What::kHop);
    if (!sent.must_match) {
        schedule(us, m, What::kSent);
    }
}

void SimulatedNetwork::awaited(int m) {
    if (message(m).is_sent && transfer(m).is_here) {
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
    const Message& arrived = message(m);
    if (is_long(arrived) && transfer(m).hop == 0) {
        schedule(now_us_ + link_between(arrived).latency_us, m, What::kHop);
    } else {
        schedule(occupy(arrived.to, arrived), m, What::kReceived);
    }
}

// Outwards from the innermost level, and inwards again.
void SimulatedNetwork::hop(int m) {
    const Message& on_way = message(m);
    Transfer& transfer = this->transfer(m);
    const std::size_t num_tiers = machine_.tiers().size(), common = outermost(on_way);
    const std::size_t ways = num_tiers - common;
    const bool is_inwards = transfer.hop >= ways;
    const std::size_t tier = is_inwards ? common + transfer.hop - ways : num_tiers - 1 - transfer.hop;
    const int child = (is_inwards ? on_way.to : on_way.from) / machine_.num_members(tier);
    LinkState& link = links_[tier][2 * static_cast<std::size_t>(child) + (is_inwards ? 1 : 0)];
    const double begin_us = std::max(link.free_us, now_us_);
    const double us = static_cast<double>(on_way.num_sent) / machine_.tiers()[tier].link.bytes_per_us;
    link.free_us = begin_us + us;
    link.busy_us += us;
    transfer.end_us = std::max(transfer.end_us, link.free_us);
    if (++transfer.hop < 2 * ways) {
        schedule(begin_us, m, What::kHop);
    } else {
        schedule(transfer.end_us + link_between(on_way).latency_us, m, What::kHere);
    }
}

void SimulatedNetwork::handle(const Event& event) {
    const Message& of_event = message(event.message);
    switch (event.what) {
        case What::kHop:
            hop(event.message);
            break;
        case What::kAsked:
        case What::kHere:
            transfer(event.message).is_here = true;
            if (of_event.is_awaited) {
                arrive(event.message);
            }
            break;
        case What::kReceived:
            if (is_long(of_event)) {
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

void SimulatedNetwork::settle(int m, int rank, const Posted& posted) {
    completed_.assign(1, posted);
    if (--transfer(m).num_open == 0) {
        drop(m);
    }
    Algorithm& algorithm = *(*activities_)[static_cast<std::size_t>(rank)];
    algorithm.complete(completed_);
    algorithm.advance();
}

std::optional<double> SimulatedNetwork::run(std::vector<std::unique_ptr<Algorithm>>& algorithms) {
    activities_ = &algorithms;
    for (const auto& algorithm : algorithms) {
        algorithm->advance();
    }
    while (!events_.empty()) {
        const Event event = events_.top();
        events_.pop();
        now_us_ = event.us;
        handle(event);
    }
    const bool is_finished =
        all_have_matched() &&
        std::all_of(algorithms.begin(), algorithms.end(), [](const auto& algorithm) {
            return algorithm->is_finished() && algorithm->error() == 0;
        });
    return is_finished ? std::optional<double>(now_us_) : std::nullopt;
}

double SimulatedNetwork::busiest_us(std::size_t tier) const {
    double us = 0;
    for (const LinkState& link : links_[tier]) {
        us = std::max(us, link.busy_us);
    }
    return us;
}

SimulatedNetwork::Busiest SimulatedNetwork::busiest() const {
    Busiest busiest = {kProcess, 0};
    for (std::size_t tier = 0; tier < links_.size(); ++tier) {
        if (busiest_us(tier) > busiest.us) {
            busiest = {machine_.tiers()[tier].level, busiest_us(tier)};
        }
    }
    return busiest;
}

}  // namespace hitopo::coll
