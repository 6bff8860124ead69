// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/rank_map.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>
#include <utility>

namespace hitopo {
namespace {

using Place = RankMap::Place;

int bits_for(std::uint32_t value) {
    int bits = 0;
    for (; value != 0; value >>= 1) {
        ++bits;
    }
    return bits;
}

std::pair<int, int> bits_of(std::size_t num_nodes, const Sequences& seats) {
    const std::vector<std::uint32_t>& all = seats.all();
    const auto highest = std::max_element(all.begin(), all.end());
    return {num_nodes == 0 ? 0 : bits_for(static_cast<std::uint32_t>(num_nodes - 1)),
            highest == all.end() ? 0 : bits_for(*highest)};
}

// visit(first rank, count) for all ranks that follow each other.
template <class Visit>
void for_each_block(const RankRuns& ranks, Visit visit) {
    std::uint32_t first = 0, count = 0;
    const auto add = [&](std::uint32_t rank, std::uint32_t more) {
        if (count > 0 && rank != first + count) {
            visit(first, count);
            count = 0;
        }
        first = count == 0 ? rank : first;
        count += more;
    };
    for (std::size_t number = 0; number < ranks.num_runs(); ++number) {
        const RankRun& run = ranks.run(number);
        for (std::uint32_t i = 0; run.stride != 1 && i < run.count; ++i) {
            add(run.first + i * run.stride, 1);
        }
        if (run.stride == 1) {
            add(run.first, run.count);
        }
    }
    if (count > 0) {
        visit(first, count);
    }
}

std::size_t num_blocks_of(const std::vector<RankMap::Occupied>& nodes) {
    std::size_t num = 0;
    for (const RankMap::Occupied& node : nodes) {
        for_each_block(*node.ranks, [&](std::uint32_t, std::uint32_t) { ++num; });
    }
    return num;
}

// Whether with each rank that far below num_ranks the one `period` above is there too, and from it on
// none else.
bool is_periodic(const RankRuns& ranks, std::size_t period, std::size_t num_ranks) {
    const RankRun& first = ranks.run(0);
    if (ranks.num_runs() == 1) {
        return first.first < period && first.last() + period >= num_ranks &&
               (first.count == 1 || first.stride == period);
    }
    const std::vector<std::uint32_t> all = ranks.to_vector();
    std::size_t next = 0;  // that of the period before comes again
    for (const std::uint32_t rank : all) {
        if (rank >= period && all[next++] + period != rank) {
            return false;
        }
    }
    return next == all.size() || all[next] + period >= num_ranks;
}

// After how many ranks their nodes come again, in the same order; 0: they do not.
std::size_t period_of(const std::vector<RankMap::Occupied>& nodes, std::size_t num_ranks) {
    const auto first = std::find_if(nodes.begin(), nodes.end(), [](const RankMap::Occupied& node) {
        return !node.ranks->empty() && node.ranks->front() == 0;
    });
    const RankRuns& ranks = *first->ranks;
    const std::size_t period = ranks.size() == 1 ? num_ranks : ranks.run(0).stride;
    const bool is_one = std::all_of(nodes.begin(), nodes.end(), [&](const RankMap::Occupied& node) {
        return node.ranks->empty() || is_periodic(*node.ranks, period, num_ranks);
    });
    return is_one ? period : 0;
}

// Extends by `count` ranks, which ascend.
void extend(RankMap::Extent& extent, std::size_t lowest, std::size_t highest, std::size_t count) {
    extent.lowest = std::min(extent.lowest, static_cast<std::uint32_t>(lowest));
    extent.highest = std::max(extent.highest, static_cast<std::uint32_t>(highest));
    extent.count += static_cast<std::uint32_t>(count);
}

// Writes node and seat of each rank. Of a width that the compiler knows, since this is one of the few
// things done for each.
template <std::size_t kWidth>
void fill(const std::vector<RankMap::Occupied>& nodes, const Sequences& seats, int node_bits,
          std::uint8_t* bytes) {
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        const std::uint32_t* seat = seats.begin(nodes[node].seats);
        nodes[node].ranks->for_each([&](std::uint32_t rank) {
            const std::uint64_t value = std::uint64_t{*seat++} << node_bits | node;
            for (std::size_t i = 0; i < kWidth; ++i) {
                bytes[rank * kWidth + i] = static_cast<std::uint8_t>(value >> 8 * i);
            }
        });
    }
}
constexpr std::array kFills = {fill<0>, fill<1>, fill<2>, fill<3>, fill<4>,
                               fill<5>, fill<6>, fill<7>, fill<8>};

}  // namespace

// Takes groups in any order.
class RankMap::GroupMaker {
public:
    GroupMaker(const std::vector<Occupied>& nodes, const Sequences& seats, std::size_t num_ranks)
        : nodes_(nodes), seats_(seats), num_ranks_(num_ranks) {}

    Groups blocks(std::size_t num_blocks) {
        groups_.reserve(num_blocks);
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            const std::uint32_t* seat = seats_.begin(nodes_[node].seats);
            for_each_block(*nodes_[node].ranks, [&](std::uint32_t first, std::uint32_t count) {
                add(first, node, count, [&](std::uint32_t i) { return seat[i]; });
                seat += count;
            });
        }
        return take(false);
    }

    Groups rounds(std::size_t period) {
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            const std::uint32_t* seat = seats_.begin(nodes_[node].seats);
            const auto num_firsts = static_cast<std::uint32_t>(num_below(*nodes_[node].ranks, period));
            const auto num_seats = static_cast<std::uint32_t>(nodes_[node].ranks->size());
            for (std::uint32_t i = 0; i < num_firsts; ++i) {
                add((*nodes_[node].ranks)[i], node, (num_seats - i - 1) / num_firsts + 1,
                    [&](std::uint32_t round) { return seat[i + round * num_firsts]; });
            }
        }
        return take(true);
    }

private:
    struct Group {
        std::uint32_t first, node, seats;
    };

    static std::size_t num_below(const RankRuns& ranks, std::size_t end) {
        if (ranks.num_runs() <= 1) {
            return ranks.size() == 0 ? 0 : 1;
        }
        const std::vector<std::uint32_t> all = ranks.to_vector();
        return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), end) - all.begin());
    }

    // Groups of one whole sequence are mostly those of the group before.
    template <class SeatAt>
    void add(std::uint32_t first, std::uint32_t node, std::uint32_t count, SeatAt seat_at) {
        const std::uint32_t whole = nodes_[node].seats;
        const bool is_whole = count == seats_.length(whole);
        if (!is_whole || whole != latest_whole_) {
            own_.clear();
            for (std::uint32_t i = 0; i < count; ++i) {
                own_.push_back(seat_at(i));
            }
            latest_whole_ = is_whole ? whole : UINT32_MAX;
            latest_ = sequences_.number_of(own_);
        }
        groups_.push_back({first, node, latest_});
    }

    Groups take(bool is_by_node) {
        const auto is_before = [](const Group& a, const Group& b) { return a.first < b.first; };
        if (!std::is_sorted(groups_.begin(), groups_.end(), is_before)) {
            std::sort(groups_.begin(), groups_.end(), is_before);
        }
        Groups out;
        out.is_by_node_ = is_by_node;
        out.num_groups_ = groups_.size();
        std::vector<std::uint32_t> nodes, starts;
        bool are_numbers = true;
        for (const Group& group : groups_) {
            are_numbers = are_numbers && group.node == nodes.size();
            nodes.push_back(group.node);
            starts.push_back(sequences_.start(group.seats));
        }
        if (!are_numbers) {
            out.nodes_ = std::move(nodes);
        }
        if (sequences_.size() > 1) {
            out.sequences_ = std::move(starts);
        }
        if (!is_by_node) {
            measure_blocks(out);
        }
        out.seats_ = sequences_.take_all();
        return out;
    }

    // The last one may be shorter.
    void measure_blocks(Groups& out) const {
        std::vector<std::uint32_t> begins;
        const std::size_t length = groups_.size() > 1 ? groups_[1].first : num_ranks_;
        bool are_alike = num_ranks_ - groups_.back().first <= length;
        for (const Group& group : groups_) {
            are_alike = are_alike && group.first == begins.size() * length;
            begins.push_back(group.first);
        }
        out.length_ = are_alike ? length : 0;
        if (!are_alike) {
            out.begins_ = std::move(begins);
        }
    }

    const std::vector<Occupied>& nodes_;
    const Sequences& seats_;
    const std::size_t num_ranks_;
    std::vector<Group> groups_;
    Sequences sequences_;
    std::vector<std::uint32_t> own_;  // seats of the group in hand
    std::uint32_t latest_whole_ = UINT32_MAX, latest_ = 0;
};

RankMap::RankMap(const std::vector<Occupied>& nodes, const Sequences& seats, std::size_t num_ranks)
    : size_(num_ranks) {
    if (num_ranks == 0) {
        return;
    }
    const std::size_t num_blocks = num_blocks_of(nodes);
    const std::size_t period = period_of(nodes, num_ranks);
    const std::size_t packed_bytes = Packed::num_bytes(nodes.size(), seats, num_ranks);
    const bool is_by_node = period != 0 && period < num_blocks + (period == size_ ? 1 : 0);
    // Those that are too many need not be looked at.
    if (is_by_node || num_blocks * sizeof(std::uint32_t) <= packed_bytes) {
        GroupMaker maker(nodes, seats, num_ranks);
        groups_ = is_by_node ? maker.rounds(period) : maker.blocks(num_blocks);
    }
    is_packed_ = groups_.num_bytes() == 0 || groups_.num_bytes() > packed_bytes;
    if (is_packed_) {
        groups_ = {};
        packed_ = Packed(nodes, seats, num_ranks);
    }
}

void RankMap::write(BlockWriter& block) const {
    block.put_number(size_);
    block.put_number(is_packed_);
    groups_.write(block);
    packed_.write(block);
}

RankMap RankMap::read(BlockReader& block) {
    RankMap map;
    map.size_ = block.get_number<std::size_t>();
    map.is_packed_ = block.get_number<bool>();
    map.groups_.read(block);
    map.packed_.read(block);
    return map;
}

bool RankMap::is_sound(std::size_t num_nodes) const {
    return size_ <= UINT32_MAX &&
           (is_packed_ ? packed_.is_sound(size_, num_nodes) : groups_.is_sound(size_, num_nodes));
}

std::size_t RankMap::num_bytes() const { return is_packed_ ? packed_.num_bytes() : groups_.num_bytes(); }

std::vector<RankMap::Extent> RankMap::extents(std::size_t num_nodes) const {
    std::vector<Extent> extents(num_nodes);
    if (!is_packed_) {
        groups_.extend(extents, size_);
        return extents;
    }
    for (std::size_t rank = 0; rank < size_; ++rank) {
        extend(extents[packed_.place(rank).node], rank, rank, 1);
    }
    return extents;
}

// ---- groups ----

RankMap::Groups::Position RankMap::Groups::position_by_begin(std::size_t rank) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), rank);
    return {static_cast<std::size_t>(after - begins_.begin()) - 1, rank - *(after - 1)};
}

RankMap::Groups::Ranks RankMap::Groups::ranks_of(std::size_t group, std::size_t size) const {
    if (is_by_node_) {
        return {group, size, num_groups_};
    }
    if (length_ != 0) {
        return {group * length_, std::min((group + 1) * length_, size), 1};
    }
    return {begins_[group], group + 1 < num_groups_ ? begins_[group + 1] : size, 1};
}

void RankMap::Groups::extend(std::vector<Extent>& extents, std::size_t size) const {
    for (std::size_t group = 0; group < num_groups_; ++group) {
        const Ranks ranks = ranks_of(group, size);
        const std::size_t count = (ranks.end - ranks.begin - 1) / ranks.stride + 1;
        hitopo::extend(extents[node_of(group)], ranks.begin, ranks.begin + (count - 1) * ranks.stride,
                       count);
    }
}

std::size_t RankMap::Groups::num_bytes() const {
    return begins_.num_bytes() + nodes_.num_bytes() + sequences_.num_bytes() + seats_.num_bytes();
}

void RankMap::Groups::write(BlockWriter& block) const {
    block.put_number(num_groups_);
    block.put_number(length_);
    block.put_number(is_by_node_);
    block.put(begins_);
    block.put(nodes_);
    block.put(sequences_);
    block.put(seats_);
}

void RankMap::Groups::read(BlockReader& block) {
    num_groups_ = block.get_number<std::size_t>();
    length_ = block.get_number<std::size_t>();
    is_by_node_ = block.get_number<bool>();
    begins_ = block.get<std::uint32_t>();
    nodes_ = block.get<std::uint32_t>();
    sequences_ = block.get<std::uint32_t>();
    seats_ = block.get<std::uint32_t>();
}

// Whether each block begins behind the one before, and the last one has a rank.
bool RankMap::Groups::have_blocks(std::size_t size) const {
    if (length_ != 0) {
        return length_ <= size && num_groups_ == (size - 1) / length_ + 1;
    }
    return begins_.size() == num_groups_ && begins_[0] == 0 && begins_.back() < size &&
           std::adjacent_find(begins_.begin(), begins_.end(), std::greater_equal<>()) == begins_.end();
}

bool RankMap::Groups::is_sound(std::size_t size, std::size_t num_nodes) const {
    if (size == 0 || num_groups_ == 0) {
        return size == num_groups_;
    }
    if (num_groups_ > size || (!is_by_node_ && !have_blocks(size)) ||
        (nodes_.empty() ? num_groups_ > num_nodes : nodes_.size() != num_groups_) ||
        (!sequences_.empty() && sequences_.size() != num_groups_)) {
        return false;
    }
    for (std::size_t group = 0; group < num_groups_; ++group) {
        const Ranks ranks = ranks_of(group, size);
        const std::size_t count = (ranks.end - ranks.begin - 1) / ranks.stride + 1;
        if (node_of(group) >= num_nodes || start_of(group) + count > seats_.size()) {
            return false;
        }
    }
    return true;
}

// ---- packed ----

std::size_t RankMap::Packed::num_bytes(std::size_t num_nodes, const Sequences& seats,
                                       std::size_t num_ranks) {
    const auto [node_bits, seat_bits] = bits_of(num_nodes, seats);
    return num_ranks * static_cast<std::size_t>((node_bits + seat_bits + 7) / 8) + 8;
}

RankMap::Packed::Packed(const std::vector<Occupied>& nodes, const Sequences& seats,
                        std::size_t num_ranks) {
    std::tie(node_bits_, seat_bits_) = bits_of(nodes.size(), seats);
    width_ = static_cast<std::size_t>((node_bits_ + seat_bits_ + 7) / 8);
    std::vector<std::uint8_t> bytes(num_ranks * width_ + 8);
    kFills[width_](nodes, seats, node_bits_, bytes.data());
    bytes_ = std::move(bytes);
}

void RankMap::Packed::write(BlockWriter& block) const {
    block.put_number(node_bits_);
    block.put_number(seat_bits_);
    block.put_number(width_);
    block.put(bytes_);
}

void RankMap::Packed::read(BlockReader& block) {
    node_bits_ = block.get_number<int>();
    seat_bits_ = block.get_number<int>();
    width_ = block.get_number<std::size_t>();
    bytes_ = block.get<std::uint8_t>();
}

bool RankMap::Packed::is_sound(std::size_t size, std::size_t num_nodes) const {
    constexpr int kMaxBits = 32;
    const auto is_width = [](int bits) { return bits >= 0 && bits <= kMaxBits; };
    if (!is_width(node_bits_) || !is_width(seat_bits_) ||
        width_ != static_cast<std::size_t>((node_bits_ + seat_bits_ + 7) / 8) ||
        bytes_.size() != size * width_ + 8) {
        return false;
    }
    for (std::size_t rank = 0; rank < size; ++rank) {
        if (place(rank).node >= num_nodes) {
            return false;
        }
    }
    return true;
}

}  // namespace hitopo
