// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/rank_map.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "ompi/mca/hitopo/core/address/name.h"

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

std::pair<int, int> bits_of(const std::vector<Place>& places) {
    std::uint32_t node = 0;
    std::uint32_t seat = 0;
    for (const Place& place : places) {
        node |= place.node;
        seat |= place.seat;
    }
    return {bits_for(node), bits_for(seat)};
}

std::size_t num_blocks_of(const std::vector<Place>& places) {
    std::size_t num = 1;
    for (std::size_t rank = 1; rank < places.size(); ++rank) {
        num += places[rank].node != places[rank - 1].node ? 1 : 0;
    }
    return num;
}

// After how many ranks their nodes come again, in the same order; 0: they do not.
std::size_t period_of(const std::vector<Place>& places) {
    std::size_t period = 1;
    while (period < places.size() && places[period].node != places[0].node) {
        ++period;
    }
    for (std::size_t rank = period; rank < places.size(); ++rank) {
        if (places[rank].node != places[rank - period].node) {
            return 0;
        }
    }
    return period;
}

std::size_t bytes_of(const std::vector<std::uint32_t>& numbers) {
    return numbers.size() * sizeof numbers[0];
}

// Of `count` ranks, which ascend.
void extend(RankMap::Extent& extent, std::size_t lowest, std::size_t highest, std::size_t count) {
    extent.lowest = std::min(extent.lowest, static_cast<std::uint32_t>(lowest));
    extent.highest = std::max(extent.highest, static_cast<std::uint32_t>(highest));
    extent.count += static_cast<std::uint32_t>(count);
}

// Gives its memory back.
void clear(std::vector<std::uint32_t>& numbers) { std::vector<std::uint32_t>().swap(numbers); }

}  // namespace

RankMap::RankMap(const std::vector<Place>& places) : size_(places.size()) {
    if (places.empty()) {
        return;
    }
    const std::size_t num_blocks = num_blocks_of(places);
    const std::size_t period = period_of(places);
    const std::size_t packed_bytes = Packed::num_bytes(places);
    const bool is_by_node = period != 0 && period < num_blocks + (period == size_ ? 1 : 0);
    // Those that are too many need not be looked at.
    if (is_by_node || num_blocks * sizeof(std::uint32_t) <= packed_bytes) {
        groups_ = is_by_node ? Groups::of_rounds(places, period) : Groups::of_blocks(places, num_blocks);
    }
    is_packed_ = groups_.num_bytes() == 0 || groups_.num_bytes() > packed_bytes;
    if (is_packed_) {
        groups_ = {};
        packed_ = Packed(places);
    }
}

RankMap::Place RankMap::place(std::size_t rank) const {
    return is_packed_ ? packed_.place(rank) : groups_.place(rank);
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

RankMap::Groups RankMap::Groups::of_blocks(const std::vector<Place>& places, std::size_t num_blocks) {
    Groups groups;
    std::vector<std::uint32_t> seats;
    groups.begins_.reserve(num_blocks);
    for (std::size_t begin = 0, end = 0; begin < places.size(); begin = end) {
        seats.clear();
        for (; end < places.size() && places[end].node == places[begin].node; ++end) {
            seats.push_back(places[end].seat);
        }
        groups.begins_.push_back(static_cast<std::uint32_t>(begin));
        groups.add(places[begin].node, seats);
    }
    // The last one may be shorter.
    groups.length_ = num_blocks > 1 ? groups.begins_[1] : places.size();
    for (std::size_t block = 0; block < num_blocks && groups.length_ != 0; ++block) {
        const bool is_in_step = groups.begins_[block] == block * groups.length_;
        groups.length_ = is_in_step ? groups.length_ : 0;
    }
    if (places.size() - groups.begins_.back() > groups.length_) {
        groups.length_ = 0;
    }
    if (groups.length_ != 0) {
        clear(groups.begins_);
    }
    groups.drop_what_is_alike();
    return groups;
}

RankMap::Groups RankMap::Groups::of_rounds(const std::vector<Place>& places, std::size_t num_groups) {
    Groups groups;
    groups.is_by_node_ = true;
    std::vector<std::uint32_t> seats;
    for (std::size_t first = 0; first < num_groups; ++first) {
        seats.clear();
        for (std::size_t rank = first; rank < places.size(); rank += num_groups) {
            seats.push_back(places[rank].seat);
        }
        groups.add(places[first].node, seats);
    }
    groups.drop_what_is_alike();
    return groups;
}

void RankMap::Groups::add(std::uint32_t node, const std::vector<std::uint32_t>& seats) {
    ++num_groups_;
    nodes_.push_back(node);
    const std::string_view bytes(reinterpret_cast<const char*>(seats.data()), bytes_of(seats));
    for (std::uint64_t hash = hash_bytes(bytes);; hash = combine(hash, 1)) {
        const std::uint32_t number = numbers_.number_of(hash);
        if (number == starts_.size()) {
            starts_.push_back(static_cast<std::uint32_t>(seats_.size()));
            seats_.insert(seats_.end(), seats.begin(), seats.end());
        }
        const std::uint32_t start = starts_[number];
        if (seats_.size() - start >= seats.size() &&
            std::equal(seats.begin(), seats.end(), seats_.begin() + start)) {
            sequences_.push_back(start);
            return;
        }
    }
}

void RankMap::Groups::drop_what_is_alike() {
    bool are_numbers = true;
    for (std::size_t group = 0; group < nodes_.size(); ++group) {
        are_numbers = are_numbers && nodes_[group] == group;
    }
    if (are_numbers) {
        clear(nodes_);
    }
    if (starts_.size() == 1) {
        clear(sequences_);
    }
    clear(starts_);
    numbers_ = {};
}

RankMap::Groups::Position RankMap::Groups::position(std::size_t rank) const {
    if (is_by_node_) {
        return {rank % num_groups_, rank / num_groups_};
    }
    if (length_ != 0) {
        return {rank / length_, rank % length_};
    }
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
    return bytes_of(begins_) + bytes_of(nodes_) + bytes_of(sequences_) + bytes_of(seats_);
}

// ---- packed ----

std::size_t RankMap::Packed::num_bytes(const std::vector<Place>& places) {
    const auto [node_bits, seat_bits] = bits_of(places);
    return places.size() * static_cast<std::size_t>((node_bits + seat_bits + 7) / 8) + 8;
}

RankMap::Packed::Packed(const std::vector<Place>& places) {
    std::tie(node_bits_, seat_bits_) = bits_of(places);
    width_ = static_cast<std::size_t>((node_bits_ + seat_bits_ + 7) / 8);
    bytes_.resize(places.size() * width_ + 8);
    std::uint8_t* byte = bytes_.data();
    for (const Place& place : places) {
        std::uint64_t value = std::uint64_t{place.seat} << node_bits_ | place.node;
        for (std::size_t i = 0; i < width_; ++i, value >>= 8) {
            *byte++ = static_cast<std::uint8_t>(value);
        }
    }
}

}  // namespace hitopo
