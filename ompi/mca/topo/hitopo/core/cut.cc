// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/cut.h"

#include <algorithm>
#include <queue>

namespace hitopo::topo {
namespace {

constexpr int kMaxPasses = 4;
constexpr std::size_t kMaxInVain = 100;  // exchanges that did not make it less than before

}  // namespace

// The cell whose move gains most, the lowest of equal ones. Entries whose gain is no longer true are
// dropped when they come up.
class Cutter::Queue {
public:
    Queue(const Cutter& cutter, Side side) : cutter_(cutter), side_(side) {}

    void add(std::uint32_t cell) { entries_.push({cutter_.gain_[cell], ~cell}); }

    std::uint32_t take() {
        for (;;) {
            const auto [gain, key] = entries_.top();
            entries_.pop();
            if (cutter_.side_[~key] == side_ && cutter_.gain_[~key] == gain) {
                return ~key;
            }
        }
    }

    Side side() const { return side_; }

private:
    const Cutter& cutter_;
    const Side side_;
    std::priority_queue<std::pair<std::int64_t, std::uint32_t>> entries_;
};

void Cutter::set_sides(const Cells& cells, std::size_t num_first) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        side_[cells[i]] = i < num_first ? kFirst : kSecond;
    }
}

bool Cutter::are_together(std::uint32_t cell, std::uint32_t other) const {
    const auto is_first = [](Side side) { return side == kFirst || side == kFirstMoved; };
    return is_first(side_[cell]) == is_first(side_[other]);
}

void Cutter::compute_gains(const Cells& cells) {
    for (const std::uint32_t cell : cells) {
        gain_[cell] = 0;
        for (const Neighbour& other : neighbours_.of(cell)) {
            if (side_[other.cell] != kOutside) {
                const auto bytes = static_cast<std::int64_t>(other.bytes);
                gain_[cell] += are_together(cell, other.cell) ? -bytes : bytes;
            }
        }
    }
}

// The cell that moved stays there until the end of the pass. Returns the gain.
std::int64_t Cutter::move_best(Queue& from, Queue& to, Cells& moved) {
    const std::uint32_t cell = from.take();
    const std::int64_t gain = gain_[cell];
    side_[cell] = from.side() == kFirst ? kSecondMoved : kFirstMoved;
    moved.push_back(cell);
    for (const Neighbour& other : neighbours_.of(cell)) {
        const Side side = side_[other.cell];
        if (side != kFirst && side != kSecond) {
            continue;
        }
        const auto bytes = static_cast<std::int64_t>(other.bytes);
        gain_[other.cell] += are_together(cell, other.cell) ? -2 * bytes : 2 * bytes;
        (side == from.side() ? from : to).add(other.cell);
    }
    return gain;
}

bool Cutter::improve_once(Cells& cells, std::size_t num_first) {
    set_sides(cells, num_first);
    compute_gains(cells);
    Queue first(*this, kFirst), second(*this, kSecond);
    for (const std::uint32_t cell : cells) {
        (side_[cell] == kFirst ? first : second).add(cell);
    }
    Cells moved;
    std::int64_t gain = 0, best = 0;
    std::size_t num_kept = 0;
    const std::size_t most = 2 * std::min(num_first, cells.size() - num_first);
    while (moved.size() < most && moved.size() < num_kept + 2 * kMaxInVain) {
        gain += move_best(first, second, moved);
        gain += move_best(second, first, moved);
        if (gain > best) {
            best = gain;
            num_kept = moved.size();
        }
    }
    set_sides(cells, num_first);
    for (std::size_t i = 0; i < num_kept; ++i) {
        side_[moved[i]] = side_[moved[i]] == kFirst ? kSecond : kFirst;
    }
    std::stable_partition(cells.begin(), cells.end(),
                          [this](std::uint32_t cell) { return side_[cell] == kFirst; });
    return num_kept > 0;
}

std::uint64_t Cutter::improve(Cells& cells, std::size_t num_first) {
    for (int pass = 0; pass < kMaxPasses && improve_once(cells, num_first); ++pass) {
    }
    return bytes_across(cells, num_first);
}

std::uint64_t Cutter::bytes_across(const Cells& cells, std::size_t num_first) {
    set_sides(cells, num_first);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < num_first; ++i) {
        for (const Neighbour& other : neighbours_.of(cells[i])) {
            bytes += side_[other.cell] == kSecond ? other.bytes : 0;
        }
    }
    for (const std::uint32_t cell : cells) {
        side_[cell] = kOutside;
    }
    return bytes;
}

}  // namespace hitopo::topo
