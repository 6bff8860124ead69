// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A table as a block, and back: what another process made is checked here, once, so that no question has
// to. How levels are numbered follows from the rest, and is not in the block.
#include <algorithm>
#include <functional>
#include <utility>

#include "ompi/mca/hitopo/core/table/table.h"

namespace hitopo {
namespace {

// That a block is one, and of this layout.
constexpr std::uint64_t kBlockMagic = 0x48695470626c6b03;

bool fits(const Placement& placement, const std::vector<MachineType>& types) {
    const std::vector<int>& instances = placement.instances;
    return instances.empty() ||
           std::equal(instances.begin(), instances.end(), types.begin(), types.end(),
                      [](int instance, const MachineType& type) {
                          return instance >= -1 && instance < static_cast<int>(type.instances.size());
                      });
}

}  // namespace

std::string Table::to_block() const {
    BlockWriter block;
    block.put_number(kBlockMagic);
    block.put_number(num_nodes_);
    block.put_number(first_listed_);
    block.put(listed_);
    layouts_.write(block);
    places_.write(block);
    dictionary_->write(block);
    return block.take();
}

std::optional<Table> Table::from_block(std::shared_ptr<const void> owner, std::string_view bytes,
                                       std::size_t num_processes) {
    BlockReader block(std::move(owner), bytes);
    Table table;
    if (block.get_number<std::uint64_t>() != kBlockMagic) {
        return std::nullopt;
    }
    table.num_nodes_ = block.get_number<std::size_t>();
    table.first_listed_ = block.get_number<std::size_t>();
    table.listed_ = block.get<std::uint32_t>();
    table.layouts_ = NodeLayouts::read(block);
    table.places_ = RankMap::read(block);
    std::optional<Dictionary> dictionary = Dictionary::read(block);
    if (!dictionary || block.has_failed() || block.num_left() > 0) {
        return std::nullopt;
    }
    table.dictionary_ = std::make_shared<const Dictionary>(std::move(*dictionary));
    if (!table.is_sound(num_processes)) {
        return std::nullopt;
    }
    table.number_levels();
    return table;
}

// Each asks only what those before it have found sound.
bool Table::is_sound(std::size_t num_processes) const {
    return size() == num_processes && are_nodes_listed() && layouts_.is_sound(num_nodes_) &&
           places_.is_sound(num_nodes_) &&
           std::all_of(layouts_.seats().begin(), layouts_.seats().end(),
                       [this](const Seat& seat) { return is_seat(seat); }) &&
           do_seats_fit_nodes() && are_seats_taken();
}

// In the order of the dictionary's.
bool Table::are_nodes_listed() const {
    const std::size_t num_all = dictionary_->num_nodes();
    if (listed_.empty()) {
        return num_nodes_ <= num_all && first_listed_ <= num_all - num_nodes_;
    }
    return listed_.size() == num_nodes_ && listed_.back() < num_all &&
           std::adjacent_find(listed_.begin(), listed_.end(), std::greater_equal<>()) == listed_.end();
}

bool Table::is_seat(const Seat& seat) const {
    const std::vector<Pattern>& patterns = dictionary_->patterns();
    return seat.pattern < patterns.size() &&
           (patterns[seat.pattern].placement[kCore] < 0
                ? seat.hwthread == -1
                : seat.hwthread >= 0 && static_cast<std::size_t>(seat.hwthread) < size());
}

// Mostly a node has the layout and the machine of the one before.
bool Table::do_seats_fit_nodes() const {
    const NodeLayout* layout = nullptr;
    std::int32_t machine = -1;
    std::uint32_t highest_cohort = 0;
    for (std::size_t node = 0; node < num_nodes_; ++node) {
        const NodeLayout* const own = &layouts_.layouts()[layouts_.of_node(node)];
        if (own != layout || machine_of(node) != machine) {
            layout = own;
            machine = machine_of(node);
            if (!do_seats_fit(*layout, machine, highest_cohort)) {
                return false;
            }
        }
        if (!dictionary_->has_cohort(listed(node), highest_cohort)) {
            return false;
        }
    }
    return true;
}

bool Table::do_seats_fit(const NodeLayout& layout, std::int32_t machine,
                         std::uint32_t& highest_cohort) const {
    const std::vector<MachineType> none;
    const std::vector<MachineType>& types =
        machine < 0 ? none : dictionary_->machines()[static_cast<std::size_t>(machine)].types();
    const Seat* const seats = layouts_.seats().data() + layout.first_seat;
    highest_cohort = 0;
    return std::all_of(seats, seats + layout.num_seats, [&](const Seat& seat) {
        const Pattern& pattern = dictionary_->patterns()[seat.pattern];
        highest_cohort = std::max(highest_cohort, pattern.cohort);
        return fits(pattern.placement, types);
    });
}

// Whether each process has a seat of its node's layout, and each seat of each node a process.
bool Table::are_seats_taken() const {
    std::vector<std::size_t> first(num_nodes_);  // of its marks, by node
    std::size_t num_seats = 0;
    for (std::size_t node = 0; node < num_nodes_; ++node) {
        const std::size_t own = layouts_.layouts()[layouts_.of_node(node)].num_seats;
        if (own == 0) {
            return false;
        }
        first[node] = num_seats;
        num_seats += own;
    }
    if (num_seats > size()) {
        return false;
    }
    std::vector<bool> is_taken(num_seats, false);
    std::size_t num_taken = 0;
    bool are_in_layouts = true;
    places_.for_each([&](std::size_t, RankMap::Place at) {
        const NodeLayout& layout = layouts_.layouts()[layouts_.of_node(at.node)];
        const std::size_t seat = std::size_t{at.seat} - layout.first_seat;
        if (seat >= layout.num_seats) {
            are_in_layouts = false;
        } else if (!is_taken[first[at.node] + seat]) {
            is_taken[first[at.node] + seat] = true;
            ++num_taken;
        }
    });
    return are_in_layouts && num_taken == num_seats;
}

}  // namespace hitopo
