// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All processes of a communicator in one, and messages between them that complete in any order that MPI
// allows: those of one sender, receiver and tag match in theirs.
#ifndef TEST_COLL_FAKE_NETWORK_H
#define TEST_COLL_FAKE_NETWORK_H

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "ompi/mca/coll/hitopo/core/engine.h"

namespace hitopo::coll {

class FakeNetwork {
public:
    // The operation is a sum of 64-bit integers, each first in an element; what lies between stays.
    FakeNetwork(int num_ranks, const Element& element, int num_tags, std::mt19937_64& random);
    ~FakeNetwork();

    Wire& wire(int rank);

    // Runs what each rank does. False if they wait for each other for ever, or leave messages.
    bool run(std::vector<std::unique_ptr<Activity>>& activities);

    // Whether a message came to the rank that was not of the length that it had asked for.
    bool has_failed(int rank) const { return has_failed_[static_cast<std::size_t>(rank)]; }

    // Messages of each sender to each receiver.
    const std::map<std::pair<int, int>, int>& num_sent() const { return num_sent_; }

    // Most sends of one process to one other that no receive had matched, at any time.
    int most_unmatched() const { return most_unmatched_; }

private:
    class RankWire;
    struct Send {
        std::vector<char> elements;  // as they lie in memory
        std::size_t count;
        Ticket ticket;
        bool is_complete;  // before it was matched
    };
    struct Receive {
        char* to;
        std::size_t count;
        Ticket ticket;
    };
    using Channel = std::tuple<int, int, int>;  // from, to, tag

    void post(const Channel& channel, Send send);
    void post(const Channel& channel, const Receive& receive);
    void match(const Channel& channel);
    void copy(const char* from, char* to, std::size_t count) const;

    Element element_;
    std::mt19937_64& random_;
    std::vector<std::unique_ptr<RankWire>> wires_;
    std::map<Channel, std::deque<Send>> sends_;
    std::map<Channel, std::deque<Receive>> receives_;
    std::vector<std::vector<Ticket>> completed_;  // by rank
    std::vector<bool> has_failed_;                // by rank
    std::map<std::pair<int, int>, int> unmatched_, num_sent_;
    int most_unmatched_ = 0;
};

}  // namespace hitopo::coll

#endif
