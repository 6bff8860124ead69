// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All processes of a communicator in one, and messages between them: those of one sender, receiver and
// tag match in the order of the calls. Of FakeNetwork they complete in any order that MPI allows.
#ifndef TEST_COLL_FAKE_NETWORK_H
#define TEST_COLL_FAKE_NETWORK_H

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ompi/mca/coll/hitopo/core/engine.h"

namespace hitopo::coll {

// Without a notion of when anything completes, which is a derived network's.
class MatchingNetwork {
public:
    virtual ~MatchingNetwork();

    Messages& messages(int rank);

protected:
    // One call has been made for it, or both.
    struct Message {
        int from, to;
        std::size_t num_sent, num_received;  // elements
        bool must_match;
        Posted sent, received;
        const char* source;  // while it is being sent
        char* target;
        bool is_sent = false, is_awaited = false;
        int next = -1;  // of those of one channel that wait for their like
    };

    MatchingNetwork(int num_ranks, const Element& element, int num_tags);

    const Element& element() const { return element_; }
    Message& message(int m) { return messages_[static_cast<std::size_t>(m)]; }
    bool all_have_matched() const { return channels_.empty(); }
    void drop(int m) { unused_.push_back(m); }

    // The call has been made. m is the message's until it is dropped.
    virtual void sent(int m) = 0;
    virtual void awaited(int m) = 0;
    virtual void reduce(const char* in, char* inout, std::size_t count) = 0;
    virtual void copy(const char* from, char* to, std::size_t count) = 0;

private:
    class RankMessages;
    // Sends without receives, or the other way round.
    struct Channel {
        int first = -1, last = -1;
    };

    int find(int from, int to, int tag, bool is_send);

    Element element_;
    std::vector<std::unique_ptr<RankMessages>> of_rank_;
    std::vector<Message> messages_;
    std::vector<int> unused_;
    std::unordered_map<std::uint64_t, Channel> channels_;
};

class FakeNetwork : public MatchingNetwork {
public:
    // The operation is a sum of 64-bit integers, each first in an element; what lies between stays.
    FakeNetwork(int num_ranks, const Element& element, int num_tags, std::mt19937_64& random);

    // If not, it depends on the order of operands.
    bool is_sum = true;

    // Runs what each rank does. False if they wait for each other for ever, or leave messages.
    bool run(std::vector<std::unique_ptr<Algorithm>>& algorithms);

    // Whether a message came to the rank that was not of the length that it had asked for.
    bool has_failed(int rank) const { return has_failed_[static_cast<std::size_t>(rank)]; }

    // Sender and receiver of each message, in their order.
    const std::vector<std::pair<int, int>>& ends() const { return ends_; }

    // Most sends of one process to one other that no receive had matched, at any time.
    int most_unmatched() const { return most_unmatched_; }

private:
    void sent(int m) override;
    void awaited(int m) override;
    void reduce(const char* in, char* inout, std::size_t count) override;
    void copy(const char* from, char* to, std::size_t count) override;
    void match(int m);

    std::mt19937_64& random_;
    std::map<int, std::vector<char>> elements_;   // of messages that wait, as they lie in memory
    std::vector<std::vector<Posted>> completed_;  // by rank
    std::vector<bool> has_failed_;                // by rank
    std::map<std::pair<int, int>, int> unmatched_;
    std::vector<std::pair<int, int>> ends_;
    int most_unmatched_ = 0;
};

}  // namespace hitopo::coll

#endif
