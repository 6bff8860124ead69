// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All processes of a communicator in one, and messages between them that take the time which the links
// of a machine on paper need. What the model estimates by formulas happens here one by one:
//
// - Each child of each level has a link outwards and one inwards. A message goes by those from its
//   sender outwards to the group that holds both, and inwards to its receiver. A link serves messages in
//   the order in which they get to it. What has left a link is on the next one already, as packets are.
// - The latency of the outermost level at which both differ comes on top.
// - A process is busy for half of a link's message_us with each message that it sends, and with each
//   that it receives: together that is what `hitopo tune` measures. The time of one message is latency.
// - Messages of up to the machine's eager_bytes leave at once. Longer ones ask first: one latency
//   until the receiver knows, and, once it has a place for them, another one back. They are sent when
//   they have arrived.
//
// Merging numbers takes no time, as in the model, and no data moves.
#ifndef TEST_COLL_SIMULATED_NETWORK_H
#define TEST_COLL_SIMULATED_NETWORK_H

#include <cstdint>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "test/coll/fake_network.h"
#include "test/coll/simulated_machine.h"

namespace hitopo::coll {

class SimulatedNetwork : public MatchingNetwork {
public:
    // Counts are bytes. machine: lives as long as this does.
    SimulatedNetwork(const SimulatedMachine& machine, int num_tags);

    // Runs what each rank does: microseconds until the last one has finished; none if they wait for each
    // other for ever. Once.
    std::optional<double> run(std::vector<std::unique_ptr<Algorithm>>& algorithms);

    // The link that was busy for the longest time, and for how long.
    struct Busiest {
        int level;
        double us;
    };
    Busiest busiest() const;
    double busiest_us(std::size_t tier) const;

    std::uint64_t num_messages() const { return num_messages_; }

private:
    // A message under way.
    struct Transfer {
        bool is_here = false;  // the message, or if it is long, what asks for it
        std::size_t hop = 0;
        double end_us = 0;  // when its last byte has left the links so far
        int num_open = 2;   // tickets
    };
    enum class What { kHop, kAsked, kHere, kReceived, kSent };
    struct Event {
        double us;
        std::uint64_t order;  // of events at the same time
        int message;
        What what;
        bool operator<(const Event& other) const {
            return us != other.us ? us > other.us : order > other.order;
        }
    };
    struct LinkState {
        double free_us = 0, busy_us = 0;
    };

    void sent(int m) override;
    void awaited(int m) override;
    void reduce(const char*, char*, std::size_t) override {}
    void copy(const char*, char*, std::size_t) override {}
    void handle(const Event& event);
    void hop(int m);
    void arrive(int m);
    void settle(int m, int rank, const Posted& posted);
    double occupy(int rank, const Message& message);
    std::size_t outermost(const Message& message) const;  // tier at which both differ
    const Link& link_between(const Message& message) const {
        return machine_.tiers()[outermost(message)].link;
    }
    bool is_long(const Message& message) const { return message.num_sent > machine_.eager_bytes(); }
    Transfer& transfer(int m);
    void schedule(double us, int m, What what) { events_.push({us, num_events_++, m, what}); }

    const SimulatedMachine& machine_;
    std::vector<std::vector<LinkState>> links_;  // by tier: of each child outwards and inwards
    std::vector<double> process_free_us_;
    std::vector<Transfer> transfers_;  // by message
    std::priority_queue<Event> events_;
    std::vector<std::unique_ptr<Algorithm>>* activities_ = nullptr;
    std::vector<Posted> completed_;
    double now_us_ = 0;
    std::uint64_t num_messages_ = 0;
    std::uint64_t num_events_ = 0;
};

}  // namespace hitopo::coll

#endif
