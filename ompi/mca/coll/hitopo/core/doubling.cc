// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/doubling.h"

#include <utility>

namespace hitopo::coll {
namespace {

// The tree inside the node, whose first process leads it, and nodes that join another.
Place place_in_node(const Groups& groups, const TreeShape& shape) {
    const std::vector<Group>& path = groups.path();
    const bool has_others = !path.empty() && path.back().level == kProcess;
    const int own = groups.own_position();
    const int leader = has_others ? path.back().whole().first : own;
    Place place;
    if (has_others) {
        find_place(groups, shape, {leader, kNobody, 0, static_cast<int>(path.size()) - 1}, place);
    }
    const NodePartners& partners = groups.partners();
    if (own == leader && partners.joins >= 0) {
        place.parent = groups.rank_of(partners.joins);
    }
    if (own == leader && partners.joined >= 0) {
        place.children.push_back(groups.rank_of(partners.joined));
    }
    return place;
}

}  // namespace

Doubling::Doubling(Wire& wire, const Groups& groups, const TreeShape& shape, const char* input,
                   char* output, std::size_t count)
    : wire_(wire),
      groups_(groups),
      place_(place_in_node(groups, shape)),
      input_(input),
      output_(output),
      count_(count),
      block_bytes_(aligned_block_bytes(wire.element, count)),
      memory_(new char[(place_.children.size() + 1) * block_bytes_]),
      sum_(output),
      spare_(block(place_.children.size())),
      has_arrived_(place_.children.size()) {}

void Doubling::advance() {
    if (has_begun_) {
        return;
    }
    has_begun_ = true;
    error_ = input_ == output_ ? 0 : wire_.copy(input_, output_, count_);
    for (std::size_t child = 0; child < place_.children.size(); ++child) {
        receive(block(child), place_.children[child], Ticket::For::kChild, static_cast<int>(child));
    }
    merge_children();
}

void Doubling::complete(std::vector<Ticket>& tickets) {
    for (const Ticket& ticket : tickets) {
        --num_open_;
        has_failed_ = has_failed_ || ticket.has_failed;
        if (ticket.what == Ticket::For::kChild) {
            has_arrived_[static_cast<std::size_t>(ticket.child)] = 1;
            merge_children();
        } else if (!is_down_ && --num_awaited_ == 0) {
            merge_partner();
        }
    }
}

// In the tree's order, whatever came first: the same numbers give the same sum.
void Doubling::merge_children() {
    while (error_ == 0 && num_merged_ < has_arrived_.size() && has_arrived_[num_merged_] != 0) {
        error_ = has_failed_ ? 0 : wire_.reduce(block(num_merged_), sum_, count_);
        ++num_merged_;
    }
    if (error_ == 0 && num_merged_ == has_arrived_.size()) {
        exchange();
    }
}

// With the partner of this round, or the parent, whose message is the result.
void Doubling::exchange() {
    const std::vector<int>& partners = groups_.partners().by_round;
    const bool has_parent = place_.parent != kNobody;
    if (!has_parent && round_ == partners.size()) {
        go_down();
        return;
    }
    const int peer = has_parent ? place_.parent : groups_.rank_of(partners[round_]);
    num_awaited_ = 2;
    receive(spare_, peer, Ticket::For::kReceived);
    send(peer, Ticket::For::kSentUp);
}

// The lower position is the left operand at both, so that both have the same.
void Doubling::merge_partner() {
    if (place_.parent != kNobody) {
        std::swap(sum_, spare_);
        go_down();
        return;
    }
    const bool is_lower = groups_.own_position() < groups_.partners().by_round[round_++];
    if (!has_failed_) {
        error_ = is_lower ? wire_.reduce(sum_, spare_, count_) : wire_.reduce(spare_, sum_, count_);
    }
    if (is_lower) {
        std::swap(sum_, spare_);
    }
    if (error_ == 0) {
        exchange();
    }
}

void Doubling::go_down() {
    is_down_ = true;
    for (const int child : place_.children) {
        send(child, Ticket::For::kSentDown);
    }
    if (sum_ != output_ && error_ == 0) {
        error_ = wire_.copy(sum_, output_, count_);
    }
}

void Doubling::send(int peer, Ticket::For what) {
    error_ =
        error_ != 0 ? error_ : wire_.send(sum_, has_failed_ ? 0 : count_, peer, 0, false, {0, what, 0});
    num_open_ += error_ == 0 ? 1 : 0;
}

void Doubling::receive(char* to, int peer, Ticket::For what, int child) {
    error_ = error_ != 0 ? error_ : wire_.receive(to, count_, peer, 0, {0, what, child});
    num_open_ += error_ == 0 ? 1 : 0;
}

char* Doubling::block(std::size_t index) {
    return memory_.get() + index * block_bytes_ - wire_.element.true_lb;
}

}  // namespace hitopo::coll
