// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/bundles.h"

#include <algorithm>
#include <cstring>

namespace hitopo::coll {

Bundles::Bundles(Messages& messages, const Groups& groups, const char* out, char* in,
                 std::size_t block_bytes, int num_sharing)
    : messages_(messages),
      groups_(groups),
      out_(out),
      in_(in),
      block_bytes_(block_bytes),
      num_sharing_(num_sharing),
      nodes_(groups.nodes()),
      members_(nodes_.child(nodes_.own)),
      num_members_(members_.size()),
      own_(groups.own_position() - members_.first) {
    for (std::size_t step = 0; step < kDone; ++step) {
        sent_[step].resize(
            static_cast<std::size_t>(step == kExchange ? nodes_.num_children() : num_members_));
        received_[step].resize(sent_[step].size());
    }
    const std::size_t num_own = num_blocks_of(own_), num_members = sent_[kHandIn].size();
    for (std::size_t member = 0; member < num_members; ++member) {
        const std::size_t num_others = num_blocks_of(static_cast<int>(member));
        sent_[kHandIn][member].reserve(num_others * block_bytes);
        received_[kHandIn][member].reserve(num_own * block_bytes);
        sent_[kHandOut][member].reserve(num_own * block_bytes);
        received_[kHandOut][member].reserve(num_others * block_bytes);
    }
    for_each_node_of(own_, [&](int node) {
        const std::size_t num_blocks = static_cast<std::size_t>(nodes_.child(node).size()) * num_members;
        sent_[kExchange][static_cast<std::size_t>(node)].reserve(num_blocks * block_bytes);
        received_[kExchange][static_cast<std::size_t>(node)].reserve(num_blocks * block_bytes);
    });
}

template <class Visit>
void Bundles::for_each_node_of(int member, Visit visit) const {
    const int num_sharing = std::min(num_sharing_, num_members_);
    for (int node = member; member < num_sharing && node < nodes_.num_children(); node += num_sharing) {
        visit(node);
    }
}

int Bundles::peer_in(int node) const {
    const Interval members = nodes_.child(node);
    return members.first + nodes_.own % std::min(num_sharing_, members.size());
}

std::size_t Bundles::num_blocks_of(int member) const {
    std::size_t num = 0;
    for_each_node_of(member,
                     [&](int node) { num += static_cast<std::size_t>(nodes_.child(node).size()); });
    return num;
}

void Bundles::send(Step step, const std::vector<char>& message, int position) {
    error_ = error_ != 0 ? error_
                         : messages_.send(message.data(), message.size(), groups_.rank_of(position), 0,
                                          false, {step, Posted::For::kSentDown, 0});
    num_open_ += error_ == 0 ? 1 : 0;
}

void Bundles::receive(Step step, std::vector<char>& message, std::size_t num_blocks, int position) {
    message.resize(num_blocks * block_bytes_);
    error_ = error_ != 0 ? error_
                         : messages_.receive(message.data(), message.size(), groups_.rank_of(position),
                                             0, {step, Posted::For::kReceived, 0});
    num_open_ += error_ == 0 ? 1 : 0;
    ++num_awaited_[step];
}

// Called before any send. Of two messages from one process, the one that is handed in is first.
void Bundles::receive_all() {
    const int first = members_.first;
    const std::size_t num_own = num_blocks_of(own_);
    for (int member = 0; member < num_members_ && num_own > 0; ++member) {
        if (member != own_) {
            receive(kHandIn, received_[kHandIn][static_cast<std::size_t>(member)], num_own,
                    first + member);
        }
    }
    for_each_node_of(own_, [&](int node) {
        if (node != nodes_.own) {
            receive(kExchange, received_[kExchange][static_cast<std::size_t>(node)],
                    static_cast<std::size_t>(nodes_.child(node).size()) *
                        static_cast<std::size_t>(num_members_),
                    peer_in(node));
        }
    });
    for (int member = 0; member < num_members_; ++member) {
        const std::size_t num_blocks = num_blocks_of(member);
        if (member != own_ && num_blocks > 0) {
            receive(kHandOut, received_[kHandOut][static_cast<std::size_t>(member)], num_blocks,
                    first + member);
        }
    }
}

// Sends each process that exchanges the blocks for the processes of its nodes.
void Bundles::hand_in() {
    for (int member = 0; member < num_members_; ++member) {
        std::vector<char>& message = sent_[kHandIn][static_cast<std::size_t>(member)];
        for_each_node_of(member, [&](int node) {
            for (int position = nodes_.child(node).first; position < nodes_.child(node).last;
                 ++position) {
                const char* block =
                    out_ + static_cast<std::size_t>(groups_.rank_of(position)) * block_bytes_;
                message.insert(message.end(), block, block + block_bytes_);
            }
        });
        if (member != own_ && !message.empty()) {
            send(kHandIn, message, members_.first + member);
        }
    }
    received_[kHandIn][static_cast<std::size_t>(own_)].swap(
        sent_[kHandIn][static_cast<std::size_t>(own_)]);
}

// A bundle has the blocks of each process of the sending node in turn.
void Bundles::exchange() {
    std::size_t at = 0;  // in the blocks that each process handed in
    for_each_node_of(own_, [&](int node) {
        std::vector<char>& message = sent_[kExchange][static_cast<std::size_t>(node)];
        const std::size_t num_bytes = static_cast<std::size_t>(nodes_.child(node).size()) * block_bytes_;
        for (const std::vector<char>& handed_in : received_[kHandIn]) {
            const char* blocks = handed_in.data() + at;
            message.insert(message.end(), blocks, blocks + num_bytes);
        }
        at += num_bytes;
    });
    // Each node begins with the one behind it: else all would send to the first one at once.
    for (const bool is_behind : {true, false}) {
        for_each_node_of(own_, [&](int node) {
            if (node != nodes_.own && (node > nodes_.own) == is_behind) {
                send(kExchange, sent_[kExchange][static_cast<std::size_t>(node)], peer_in(node));
            }
        });
    }
    const auto own = static_cast<std::size_t>(nodes_.own);
    received_[kExchange][own].swap(sent_[kExchange][own]);
}

// Sends each process of the node its blocks, in the order of nodes and their processes.
void Bundles::hand_out() {
    const std::size_t num_blocks = num_blocks_of(own_);
    for (int member = 0; member < num_members_ && num_blocks > 0; ++member) {
        std::vector<char>& message = sent_[kHandOut][static_cast<std::size_t>(member)];
        for_each_node_of(own_, [&](int node) {
            const std::vector<char>& bundle = received_[kExchange][static_cast<std::size_t>(node)];
            for (int from = 0; from < nodes_.child(node).size(); ++from) {
                const char* block =
                    bundle.data() +
                    static_cast<std::size_t>(from * num_members_ + member) * block_bytes_;
                message.insert(message.end(), block, block + block_bytes_);
            }
        });
        if (member != own_) {
            send(kHandOut, message, members_.first + member);
        }
    }
    received_[kHandOut][static_cast<std::size_t>(own_)].swap(
        sent_[kHandOut][static_cast<std::size_t>(own_)]);
}

void Bundles::deliver() {
    for (int member = 0; member < num_members_; ++member) {
        const char* block = received_[kHandOut][static_cast<std::size_t>(member)].data();
        for_each_node_of(member, [&](int node) {
            for (int position = nodes_.child(node).first; position < nodes_.child(node).last;
                 ++position) {
                char* to = in_ + static_cast<std::size_t>(groups_.rank_of(position)) * block_bytes_;
                std::memcpy(to, block, block_bytes_);
                block += block_bytes_;
            }
        });
    }
}

void Bundles::advance() {
    if (!has_begun_) {
        has_begun_ = true;
        receive_all();
        hand_in();
    }
    for (; error_ == 0 && step_ != kDone && num_awaited_[step_] == 0;
         step_ = static_cast<Step>(step_ + 1)) {
        step_ == kHandIn ? exchange() : step_ == kExchange ? hand_out() : deliver();
    }
}

void Bundles::restart() {
    for (std::vector<std::vector<char>>& messages : sent_) {
        for (std::vector<char>& message : messages) {
            message.clear();
        }
    }
    step_ = kHandIn;
    has_begun_ = false;
}

void Bundles::complete(std::vector<Posted>& completed) {
    for (const Posted& posted : completed) {
        --num_open_;
        if (posted.what == Posted::For::kReceived) {
            --num_awaited_[static_cast<std::size_t>(posted.slot)];
        }
    }
}

}  // namespace hitopo::coll
