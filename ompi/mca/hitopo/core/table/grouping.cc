// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/grouping.h"

#include <algorithm>
#include <bitset>
#include <numeric>
#include <utility>

#include "ompi/mca/hitopo/core/table/division.h"

namespace hitopo {
namespace {

// Values each once, in their order.
template <class T>
std::vector<T> distinct(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

template <class T>
std::size_t find(const std::vector<T>& sorted, T value) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                                    sorted.begin());
}

// They are in order where ranks go by slot, or are shuffled.
void put_in_order(Ranks& ranks) {
    if (!std::is_sorted(ranks.begin(), ranks.end())) {
        std::sort(ranks.begin(), ranks.end());
    }
}

}  // namespace

// A set of numbers, without a branch that depends on what is in it: ranks that are shuffled ask for any.
class Grouping::Marks {
public:
    explicit Marks(std::size_t end) : words_(end / 64 + 1, 0) {}
    void add(std::size_t number) { words_[number / 64] |= std::uint64_t{1} << number % 64; }
    std::size_t count() const {
        return std::accumulate(
            words_.begin(), words_.end(), std::size_t{0},
            [](std::size_t sum, std::uint64_t word) { return sum + std::bitset<64>(word).count(); });
    }

private:
    std::vector<std::uint64_t> words_;
};

// ---- slots ----

// num_slots: by layout, after slot_of_seat_ is known.
void Grouping::take_slots(const std::vector<std::int32_t>& num_slots) {
    const NodeLayouts& layouts = table_->layouts();
    for (const NodeLayout& layout : layouts.layouts()) {
        const auto seats = slot_of_seat_.begin() + layout.first_seat;
        is_even_.push_back(
            std::all_of(seats, seats + layout.num_seats, [](std::int32_t slot) { return slot == 0; }));
    }
    first_slot_.reserve(table_->num_nodes() + 1);
    std::uint32_t next = 0;
    for (std::size_t node = 0; node < table_->num_nodes(); ++node) {
        first_slot_.push_back(next);
        next += static_cast<std::uint32_t>(num_slots[layouts.of_node(node)]);
    }
    first_slot_.push_back(next);
    num_groups_ = next;
}

// One slot for each node.
void Grouping::take_nodes() {
    slot_of_seat_.assign(table_->layouts().seats().size(), 0);
    take_slots(std::vector<std::int32_t>(table_->layouts().layouts().size(), 1));
}

// ---- the kinds of splits ----

Grouping Grouping::by_type(const Table& table, const ResourceType& type) {
    Grouping grouping(table);
    const bool is_network = type.is_level && type.level <= kNode;
    if (is_network && table.known(type.level) == Table::Known::kNone) {
        return grouping;
    }
    grouping.types_ = {type.uri()};
    if (type.crosses_nodes()) {
        const auto side = static_cast<std::size_t>(type.side);
        grouping.take_cohorts([&](std::size_t node, std::uint32_t cohort) {
            return std::int64_t{table.side_of(node, cohort, side)};
        });
        return grouping;
    }
    if (!is_network) {
        grouping.take_instances(SeatInstances(table, type));
        return grouping;
    }
    grouping.take_nodes();
    if (type.level != kNode) {
        for (std::size_t node = 0; node < table.num_nodes(); ++node) {
            grouping.group_of_slot_.push_back(table.network_number(node, type.level));
        }
        grouping.num_groups_ = static_cast<std::size_t>(table.num_distinct(type.level));
    }
    return grouping;
}

void Grouping::take_instances(const SeatInstances& instances) {
    const NodeLayouts& layouts = table_->layouts();
    slot_of_seat_.resize(layouts.seats().size());
    std::vector<std::int32_t> num_slots;
    for (std::size_t i = 0; i < layouts.layouts().size(); ++i) {
        std::int32_t* const own = slot_of_seat_.data() + layouts.layouts()[i].first_seat;
        num_slots.push_back(instances.of_layout(i, own));
    }
    take_slots(num_slots);
}

// Containers give a node several ids, and simulated nodes can share one.
Grouping Grouping::by_shared_memory(const Table& table) {
    Grouping grouping(table);
    grouping.take_cohorts([&](std::size_t node, std::uint32_t cohort) {
        return static_cast<std::int64_t>(table.shared_of(node, cohort));
    });
    return grouping;
}

// id_of: by node and cohort, 0.. or -1 for those that are in no group.
template <class IdOf>
void Grouping::take_cohorts(IdOf id_of) {
    const NodeLayouts& layouts = table_->layouts();
    std::vector<std::vector<std::uint32_t>> cohorts;  // by layout and slot
    std::vector<std::int32_t> num_slots;
    for (const NodeLayout& layout : layouts.layouts()) {
        std::vector<std::uint32_t> own;
        for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
            own.push_back(table_->cohort_of_seat(layout.first_seat + i));
        }
        cohorts.push_back(distinct(own));
        for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
            slot_of_seat_[layout.first_seat + i] =
                static_cast<std::int32_t>(find(cohorts.back(), own[i]));
        }
        num_slots.push_back(static_cast<std::int32_t>(cohorts.back().size()));
    }
    take_slots(num_slots);
    std::vector<std::int64_t> ids;  // by slot
    ids.reserve(num_groups_);
    for (std::size_t node = 0; node < table_->num_nodes(); ++node) {
        for (const std::uint32_t cohort : cohorts[layouts.of_node(node)]) {
            ids.push_back(id_of(node, cohort));
        }
    }
    join_slots(ids);
}

// Those of one id are one group.
void Grouping::join_slots(const std::vector<std::int64_t>& ids) {
    const std::vector<std::int64_t> sorted = distinct(ids);
    const std::size_t num_without = !sorted.empty() && sorted[0] < 0 ? 1 : 0;
    if (sorted.size() == ids.size() && num_without == 0) {
        return;
    }
    group_of_slot_.resize(ids.size());
    std::transform(ids.begin(), ids.end(), group_of_slot_.begin(), [&](std::int64_t id) {
        return static_cast<std::int32_t>(find(sorted, id)) - static_cast<std::int32_t>(num_without);
    });
    num_groups_ = sorted.size() - num_without;
}

// Where there are two nodes, each of them is a domain at least, and nobody is left over.
Grouping Grouping::unguided(const Table& table) {
    Grouping grouping(table);
    if (table.size() == 0) {
        return grouping;
    }
    Division division(table);
    for (const ResourceType& type : division.types()) {
        grouping.types_.push_back(type.uri());
    }
    if (table.num_nodes() == 1) {
        grouping.take_parts_of_node(division);
        return grouping;
    }
    grouping.take_parts(division);
    return grouping;
}

// Each part is some nodes.
void Grouping::take_parts(Division& division) {
    take_nodes();
    group_of_slot_.resize(table_->num_nodes());
    const Items nodes = all_items(table_->num_nodes());
    const Parts parts = division.nodes().divide(nodes);
    const Division::Sizes sizes = Division::sizes_of(division.nodes(), nodes);
    for (std::size_t part = 0; part < parts.count(); ++part) {
        const Items own = parts.part(part);
        for (const std::uint32_t node : own) {
            group_of_slot_[node] = static_cast<std::int32_t>(part);
        }
        type_of_group_.push_back(static_cast<std::uint32_t>(division.type_of_nodes(sizes, own)));
    }
    num_groups_ = parts.count();
}

// Each part is a slot.
void Grouping::take_parts_of_node(const Division& division) {
    std::vector<std::uint32_t> weights(table_->layouts().seats().size(), 0);
    table_->places().for_each([&](std::size_t, RankMap::Place at) { ++weights[at.seat]; });
    const Items seats = all_items(weights.size());
    Divider divider = division.seats(0, std::move(weights));
    const Parts parts = divider.divide(seats);
    const Division::Sizes sizes = Division::sizes_of(divider, seats);
    slot_of_seat_.assign(seats.size(), Split::kNone);
    for (std::size_t part = 0; part < parts.count(); ++part) {
        const Items own = parts.part(part);
        for (const std::uint32_t seat : own) {
            slot_of_seat_[seat] = static_cast<std::int32_t>(part);
        }
        type_of_group_.push_back(
            static_cast<std::uint32_t>(division.type_of_seats(divider, 0, sizes, own)));
    }
    take_slots({static_cast<std::int32_t>(parts.count())});
}

void Grouping::fill_with_singles() {
    has_singles_ = true;
    num_singles_ = num_singles_below(table_->size());
}

// ---- questions ----

OwnGroup Grouping::own(std::uint32_t rank) const {
    const std::int32_t group = group_at(table_->places().place(rank));
    OwnGroup own;
    own.count = count();
    if (group < 0 && !has_singles_) {
        return own;
    }
    own.ranks = group < 0 ? Ranks{rank} : members(group);
    own.number = static_cast<std::int32_t>(num_groups_below(own.ranks[0]) +
                                           (has_singles_ ? num_singles_below(own.ranks[0]) : 0));
    if (!types_.empty() && num_groups_ > 0) {
        own.type = types_[group < 0 || type_of_group_.empty()
                              ? 0
                              : type_of_group_[static_cast<std::size_t>(group)]];
    }
    return own;
}

bool Grouping::has_slot_of(std::uint32_t node, std::int32_t group) const {
    const std::uint32_t first = first_slot_[node];
    const std::uint32_t end = first_slot_[node + 1];
    if (group_of_slot_.empty()) {
        return static_cast<std::uint32_t>(group) - first < end - first;
    }
    const auto slots = group_of_slot_.begin();
    return std::find(slots + first, slots + end, group) != slots + end;
}

Ranks Grouping::members(std::int32_t group) const {
    Ranks ranks;
    table_->places().for_each_on([&](std::uint32_t node) { return has_slot_of(node, group); },
                                 table_->size(),
                                 [&](std::size_t rank, RankMap::Place at) {
                                     if (group_at(at) == group) {
                                         ranks.push_back(static_cast<std::uint32_t>(rank));
                                     }
                                 });
    put_in_order(ranks);
    return ranks;
}

// How many groups have a rank below this, which is the lowest of one. Only nodes of which some ranks lie
// below and some not, in several slots, have to be looked at rank by rank. Where those are many, all
// are: a look costs less than not to know whether there will be one.
std::size_t Grouping::num_groups_below(std::uint32_t rank) const {
    if (num_groups_ == 0) {
        return 0;
    }
    const std::vector<RankMap::Extent> extents = table_->places().extents(table_->num_nodes());
    const auto num_cut = std::count_if(extents.begin(), extents.end(), [=](const auto& extent) {
        return extent.lowest < rank && extent.highest >= rank;
    });
    const bool are_many_cut = static_cast<std::size_t>(num_cut) > extents.size() / 16;
    const auto has_to_look = [&](std::uint32_t node) {
        return !is_even(node) && (are_many_cut || extents[node].highest >= rank);
    };
    Marks below(num_groups_);
    std::size_t num_more = 0;
    for (std::uint32_t node = 0; node < extents.size(); ++node) {
        if (extents[node].lowest < rank && !has_to_look(node)) {
            num_more += add_groups_of(node, below);
        }
    }
    table_->places().for_each_on(has_to_look, rank, [&](std::size_t, RankMap::Place at) {
        if (const std::int32_t group = group_at(at); group >= 0) {
            below.add(static_cast<std::size_t>(group));
        }
    });
    return num_more + below.count();
}

// Adds the groups of a node that is counted once. Returns how many of them are on no other.
std::size_t Grouping::add_groups_of(std::uint32_t node, Marks& marks) const {
    if (group_of_slot_.empty()) {
        return first_slot_[node + 1] - first_slot_[node];
    }
    for (std::uint32_t slot = first_slot_[node]; slot < first_slot_[node + 1]; ++slot) {
        if (group_of_slot_[slot] >= 0) {
            marks.add(static_cast<std::size_t>(group_of_slot_[slot]));
        }
    }
    return 0;
}

// Below `end`, the processes that are in no group.
std::size_t Grouping::num_singles_below(std::size_t end) const {
    if (num_groups_ == 0) {
        return end;
    }
    const auto may_have_some = [&](std::uint32_t node) {
        return !is_even(node) || group_of_slot(first_slot_[node]) < 0;
    };
    std::size_t count = 0;
    table_->places().for_each_on(
        may_have_some, end, [&](std::size_t, RankMap::Place at) { count += group_at(at) < 0 ? 1 : 0; });
    return count;
}

Ranks Grouping::lowest_ranks() const {
    Ranks ranks(num_groups_, UINT32_MAX);
    if (num_groups_ > 0) {
        add_lowest(ranks);
    }
    if (has_singles_) {
        table_->places().for_each([&](std::size_t rank, RankMap::Place at) {
            if (group_at(at) < 0) {
                ranks.push_back(static_cast<std::uint32_t>(rank));
            }
        });
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

// By group.
void Grouping::add_lowest(Ranks& lowest) const {
    const auto add = [&](std::int32_t group, std::uint32_t rank) {
        if (group >= 0) {
            std::uint32_t& own = lowest[static_cast<std::size_t>(group)];
            own = std::min(own, rank);
        }
    };
    const std::vector<RankMap::Extent> extents = table_->places().extents(table_->num_nodes());
    for (std::uint32_t node = 0; node < extents.size(); ++node) {
        if (is_even(node)) {
            add(group_of_slot(first_slot_[node]), extents[node].lowest);
        }
    }
    table_->places().for_each_on([&](std::uint32_t node) { return !is_even(node); }, table_->size(),
                                 [&](std::size_t rank, RankMap::Place at) {
                                     add(group_at(at), static_cast<std::uint32_t>(rank));
                                 });
}

Split Grouping::split() const {
    std::vector<std::int32_t> numbers(table_->size());
    table_->places().for_each(
        [&](std::size_t rank, RankMap::Place at) { numbers[rank] = group_at(at); });
    auto next = static_cast<std::int32_t>(num_groups_);
    for (std::int32_t& number : numbers) {
        if (has_singles_ && number < 0) {
            number = next++;
        }
    }
    return split_by_number(numbers);
}

}  // namespace hitopo
