// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/engine.h"

#include <algorithm>

namespace hitopo::coll {
namespace {

constexpr std::size_t kAlignment = 64;

bool is_in_place(const Segment& segment) {
    return segment.has_output && segment.input == segment.output;
}

}  // namespace

Engine::Engine(Messages& messages, const Groups& groups, const TreeShape& shape,
               const Segments& segments, int window)
    : messages_(messages),
      groups_(groups),
      shape_(shape),
      segments_(segments),
      slots_(static_cast<std::size_t>(
          std::max(1, std::min({window, segments.num_segments, messages.num_tags})))) {}

// Segment i is in slot i % window, so that its tag is free again when the slot is.
void Engine::prepare() {
    for (int index = 0; index < segments_.num_segments; ++index) {
        assign(slot(index % static_cast<int>(slots_.size())), index);
    }
}

void Engine::advance() {
    const int window = static_cast<int>(slots_.size());
    while (error_ == 0 && next_ < segments_.num_segments && !slot(next_ % window).is_busy) {
        const int index = next_++;
        start(index % window, index);
    }
}

void Engine::complete(std::vector<Posted>& completed) {
    std::sort(completed.begin(), completed.end(), [this](const Posted& a, const Posted& b) {
        return slot(a.slot).index < slot(b.slot).index;
    });
    for (const Posted& posted : completed) {
        --slot(posted.slot).num_open;
        handle(posted);
        settle(posted.slot);
    }
}

// Takes the memory that the segment needs here. The contribution that is merged first is received where
// the sum will be, if that is not this process's own.
void Engine::assign(Slot& at, int index) {
    at.index = index;
    at.segment = segments_.segment(index);
    find_tree_position(groups_, shape_, at.segment.route, at.tree_position);
    const std::size_t num_children = at.tree_position.children.size();
    if (segments_.goes_up && num_children > 0) {
        const std::size_t num_apart = num_children - (is_in_place(at.segment) ? 0 : 1);
        at.has_arrived.assign(num_children, 0);
        take_memory(at, num_apart + (at.segment.has_output ? 0 : 1));
        at.sum = at.segment.has_output ? at.segment.output : scratch(at, num_apart);
    } else if (!segments_.goes_up && messages_.packing != nullptr) {
        take_memory(at, 1);
    }
    if (shape_.rounds && at.tree_position.parent == kNobody) {
        const auto num_peers = static_cast<std::size_t>(shape_.rounds->radices().front() - 1);
        take_memory(at, std::max(num_children, num_peers));
    }
}

void Engine::start(int s, int index) {
    Slot& at = slot(s);
    assign(at, index);
    at.is_busy = true;
    at.num_unmerged = at.tree_position.children.size();
    at.num_open = 0;
    at.awaits_down = false;
    at.next_round = 0;
    at.has_failed = false;
    at.result = at.segment.output;
    if (segments_.goes_up) {
        start_up(s);
    } else {
        start_down(s);
    }
    settle(s);
}

void Engine::start_up(int s) {
    Slot& at = slot(s);
    const std::size_t num_children = at.tree_position.children.size();
    if (num_children == 0) {
        if (at.tree_position.parent == kNobody) {
            if (shape_.rounds && !is_in_place(at.segment)) {
                error_ = messages_.copy(at.segment.input, at.segment.output, at.segment.count);
            }
            if (shape_.rounds && error_ == 0) {
                exchange(s);
            }
            return;  // of one process, its contribution is its result
        }
        at.sum = const_cast<char*>(at.segment.input);  // is sent only
        if (segments_.comes_down && !is_in_place(at.segment)) {
            receive_down(s);
        }
        send_up(s);
        return;
    }
    for (std::size_t i = 0; i < num_children && error_ == 0; ++i) {
        opened(s, messages_.receive(block_of(at, i), at.segment.count, at.tree_position.children[i],
                                    tag_of(at), {s, Posted::For::kChild, static_cast<int>(i)}));
    }
}

void Engine::start_down(int s) {
    Slot& at = slot(s);
    const bool is_root = at.tree_position.parent == kNobody;
    if (messages_.packing != nullptr) {
        at.result = at.memory.get();
        error_ = is_root ? messages_.packing->pack(at.segment.at, at.segment.count, at.result) : 0;
    }
    if (error_ == 0 && is_root) {
        send_down(s);
    } else if (error_ == 0) {
        receive_down(s);
    }
}

void Engine::handle(const Posted& posted) {
    Slot& at = slot(posted.slot);
    at.has_failed = at.has_failed || posted.has_failed;
    switch (posted.what) {
        case Posted::For::kChild:
            at.has_arrived[static_cast<std::size_t>(posted.child)] = 1;
            merge(posted.slot);
            break;
        case Posted::For::kSentUp:
            if (segments_.comes_down && !at.awaits_down) {
                receive_down(posted.slot);
            }
            break;
        case Posted::For::kExchanged:
            if (at.num_open == 0) {
                merge_round(posted.slot);
            }
            break;
        case Posted::For::kReceived:
            send_down(posted.slot);
            if (messages_.packing != nullptr && !at.has_failed && error_ == 0) {
                error_ = messages_.packing->unpack(at.result, at.segment.at, at.segment.count);
            }
            break;
        case Posted::For::kSentDown:
            break;
    }
}

// Merges in the tree's order, whatever came first: the same numbers give the same sum. The nearest ones
// come first, as the node stage, too, merges those of its node before the others.
void Engine::merge(int s) {
    Slot& at = slot(s);
    while (error_ == 0 && at.num_unmerged > 0 && at.has_arrived[at.num_unmerged - 1] != 0) {
        const char* in = block_of(at, --at.num_unmerged);
        error_ = messages_.reduce(in == at.sum ? at.segment.input : in, at.sum, count_of(at));
    }
    if (error_ != 0 || at.num_unmerged > 0) {
        return;
    }
    if (at.tree_position.parent != kNobody) {
        send_up(s);
    } else if (shape_.rounds) {
        exchange(s);
    } else if (segments_.comes_down) {
        send_down(s);
    }
}

// Posts the messages of the next round, whose sum is in the segment's output, or behind the last one
// sends that down. A process without messages in a round goes on.
void Engine::exchange(int s) {
    Slot& at = slot(s);
    const int level = shape_.exchanging,
              own = groups_.positions().group_at(level, groups_.own_position());
    while (shape_.rounds->find(own, at.next_round, at.round)) {
        ++at.next_round;
        for (std::size_t i = 0; i < at.round.peers.size() && error_ == 0; ++i) {
            const int peer = groups_.rank_of(groups_.positions().group_begin(level, at.round.peers[i]));
            if (at.round.receives) {
                char* const to = at.round.own == kNobody ? at.segment.output : scratch(at, i);
                opened(s, messages_.receive(to, at.segment.count, peer, tag_of(at),
                                            {s, Posted::For::kExchanged, 0}));
            }
            if (at.round.sends && error_ == 0) {
                opened(s, messages_.send(at.segment.output, count_of(at), peer, tag_of(at), false,
                                         {s, Posted::For::kExchanged, 0}));
            }
        }
        if (error_ != 0 || !at.round.peers.empty()) {
            return;
        }
    }
    send_down(s);
}

// All of a round merge its contributions in one order, of operands too: their sums have equal bits.
void Engine::merge_round(int s) {
    Slot& at = slot(s);
    const int last = static_cast<int>(at.round.peers.size()), own = at.round.own;
    const auto contribution = [&](int i) {
        return i == own ? at.segment.output : scratch(at, static_cast<std::size_t>(i < own ? i : i - 1));
    };
    if (at.round.receives && own != kNobody) {
        char* const sum = contribution(last);
        for (int i = last; i-- > 0 && error_ == 0;) {
            error_ = messages_.reduce(contribution(i), sum, count_of(at));
        }
        if (error_ == 0 && sum != at.segment.output) {
            error_ = messages_.copy(sum, at.segment.output, count_of(at));
        }
    }
    if (error_ == 0) {
        exchange(s);
    }
}

void Engine::send_up(int s) {
    Slot& at = slot(s);
    opened(s, messages_.send(at.sum, count_of(at), at.tree_position.parent, tag_of(at), is_gate(at),
                             {s, Posted::For::kSentUp, 0}));
}

void Engine::receive_down(int s) {
    Slot& at = slot(s);
    at.awaits_down = true;
    opened(s, messages_.receive(at.result, at.segment.count, at.tree_position.parent, tag_of(at),
                                {s, Posted::For::kReceived, 0}));
}

void Engine::send_down(int s) {
    Slot& at = slot(s);
    for (std::size_t i = 0; i < at.tree_position.children.size() && error_ == 0; ++i) {
        opened(s, messages_.send(at.result, count_of(at), at.tree_position.children[i], tag_of(at),
                                 is_gate(at), {s, Posted::For::kSentDown, 0}));
    }
}

// A segment without open messages is done.
void Engine::settle(int s) {
    Slot& at = slot(s);
    if (at.is_busy && at.num_open == 0) {
        at.is_busy = false;
        ++num_finished_;
    }
}

void Engine::opened(int s, int error) {
    if (error == 0) {
        ++slot(s).num_open;
    } else {
        error_ = error;
    }
}

// Where segments go one way only, a sender could run ahead of those behind it, whose memory and links
// would fill up. It waits for them twice in a window. Segments that come back need no such wait.
bool Engine::is_gate(const Slot& at) const {
    const int window = static_cast<int>(slots_.size());
    return segments_.goes_up != segments_.comes_down && segments_.num_segments > window &&
           at.index % std::max(1, window / 2) == 0;
}

std::size_t Engine::block_bytes() const {
    const std::size_t bytes = messages_.element.covered_bytes(segments_.max_count);
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Memory is kept for later segments, and not filled: messages do that. It has a byte at least: the
// address behind no elements is computed, too.
void Engine::take_memory(Slot& at, std::size_t num_blocks) {
    const std::size_t num_bytes = std::max(num_blocks * block_bytes(), std::size_t{1});
    if (at.num_bytes < num_bytes) {
        at.num_bytes = 0;
        at.memory.reset(new char[num_bytes]);
        at.num_bytes = num_bytes;
    }
}

char* Engine::scratch(Slot& at, std::size_t block) {
    return at.memory.get() + block * block_bytes() - messages_.element.true_lb;
}

// The memory in which the contribution of a child arrives.
char* Engine::block_of(Slot& at, std::size_t child) {
    if (is_in_place(at.segment)) {
        return scratch(at, child);
    }
    return child + 1 == at.tree_position.children.size() ? at.sum : scratch(at, child);
}

}  // namespace hitopo::coll
