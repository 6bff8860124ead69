// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/partition.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

// is_in: whether a process with such a value is in a group.
template <class Value, class IsIn>
Split split_by(const std::vector<Value>& values, IsIn is_in) {
    FlatMap groups;
    Split split;
    split.group.reserve(values.size());
    for (const Value value : values) {
        split.group.push_back(
            is_in(value) ? static_cast<std::int32_t>(groups.number_of(static_cast<std::uint64_t>(value)))
                         : Split::kNone);
    }
    split.count = groups.size();
    return split;
}

}  // namespace

// ---- splits by rank ----

OwnGroup Split::own(std::uint32_t rank) const {
    OwnGroup own;
    own.number = group[rank];
    own.count = count;
    for (std::uint32_t other = 0; own.number >= 0 && other < group.size(); ++other) {
        if (group[other] == own.number) {
            own.ranks.push_back(other);
        }
    }
    return own;
}

Split split_by_color(const std::vector<std::int64_t>& colors) {
    return split_by(colors, [](std::int64_t color) { return color != 0; });
}

Split split_by_number(const std::vector<std::int32_t>& numbers) {
    return split_by(numbers, [](std::int32_t number) { return number >= 0; });
}

// ---- the kinds of partitions ----

std::vector<std::int32_t> domains_in_layout(const AddressTree& tree, const ResourceType& type,
                                            const TreeLayout& layout) {
    const int index = index_in_machine(tree.facts(), layout.machine, type);
    std::vector<std::int64_t> instances;
    instances.reserve(layout.num_seats + std::size_t{1});
    for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
        instances.push_back(
            instance_of(type, index, tree.place(layout.first_seat + i).instance_numbers));
    }
    if (are_equal(instances)) {  // as of most types
        return std::vector<std::int32_t>(layout.num_seats, instances[0] < 0 ? -1 : 0);
    }
    instances.push_back(-1);
    const std::vector<std::int64_t> sorted = distinct(instances);
    std::vector<std::int32_t> numbers(layout.num_seats);
    for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
        numbers[i] = index_in(sorted, instances[i]) - 1;
    }
    return numbers;
}

// slots_of: of a layout. Each slot is a group.
void Partition::take_slots(const std::function<Slots(const TreeLayout&)>& slots_of) {
    slot_of_seat_.clear();
    std::vector<std::uint32_t> num_slots;  // by layout
    for (const TreeLayout& layout : tree_->layouts()) {
        const Slots own = slots_of(layout);
        slot_of_seat_.insert(slot_of_seat_.end(), own.begin(), own.end());
        const auto [lowest, highest] = std::minmax_element(own.begin(), own.end());
        is_whole_.push_back(*lowest == 0 && *highest == 0);
        num_slots.push_back(static_cast<std::uint32_t>(*highest + 1));
    }
    first_slot_.reserve(tree_->nodes().size() + 1);
    first_slot_.push_back(0);
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        first_slot_.push_back(first_slot_.back() + num_slots[tree_->layout_number(node)]);
    }
    num_groups_ = first_slot_.back();
}

// Each node is a slot.
void Partition::take_nodes() {
    take_slots([](const TreeLayout& layout) { return Slots(layout.num_seats, 0); });
}

Partition Partition::by_type(const AddressTree& tree, const ResourceType& type) {
    Partition out(tree);
    if (type.is_network() && tree.known(type.level) == AddressTree::Known::kNone) {
        return out;
    }
    out.type_ = type.uri();
    if (type.crosses_nodes()) {
        const auto side = static_cast<std::size_t>(type.side);
        out.take_sharings([&](const JobFacts::Sharing& sharing) {
            return std::int64_t{tree.facts().side_sets[sharing.sides][side]};
        });
    } else if (type.is_network()) {
        out.take_nodes();
        for (std::size_t node = 0; node < tree.nodes().size(); ++node) {
            out.group_of_slot_.push_back(tree.network_number(node, type.level));
        }
        out.num_groups_ = static_cast<std::size_t>(tree.num_distinct(type.level));
    } else {
        out.take_slots([&](const TreeLayout& layout) { return domains_in_layout(tree, type, layout); });
    }
    return out;
}

// Containers give a node several ids, and simulated nodes can share one.
Partition Partition::by_shared_memory(const AddressTree& tree) {
    Partition out(tree);
    out.take_sharings([](const JobFacts::Sharing& sharing) { return std::int64_t{sharing.memory}; });
    return out;
}

// id_of: 0.. or -1 for those that are in no group; those of one id are one.
template <class IdOf>
void Partition::take_sharings(IdOf id_of) {
    std::vector<std::vector<std::uint32_t>> sharings;  // by layout and slot
    take_slots([&](const TreeLayout& layout) {
        std::vector<std::uint32_t> own;
        own.reserve(layout.num_seats);
        for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
            own.push_back(tree_->place(layout.first_seat + i).sharing);
        }
        if (are_equal(own)) {
            sharings.push_back({own[0]});
            return Slots(own.size(), 0);
        }
        sharings.push_back(distinct(own));
        Slots slots;
        slots.reserve(own.size());
        for (const std::uint32_t sharing : own) {
            slots.push_back(index_in(sharings.back(), sharing));
        }
        return slots;
    });
    std::vector<std::int64_t> ids;  // by slot
    ids.reserve(num_groups_);
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        const std::uint32_t first = tree_->facts().nodes[tree_->listed(node)].first_sharing;
        for (const std::uint32_t sharing : sharings[tree_->layout_number(node)]) {
            ids.push_back(id_of(tree_->facts().sharings[first + sharing]));
        }
    }
    std::vector<std::int64_t> sorted = distinct(ids);
    sorted.erase(sorted.begin(), std::lower_bound(sorted.begin(), sorted.end(), 0));
    for (const std::int64_t id : ids) {
        group_of_slot_.push_back(id < 0 ? Split::kNone : index_in(sorted, id));
    }
    num_groups_ = sorted.size();
}

void Partition::fill_with_singles() {
    const std::vector<std::int32_t> groups = this->groups();
    num_singles_ = static_cast<std::size_t>(std::count(groups.begin(), groups.end(), Split::kNone));
    has_singles_ = true;
}

// ---- questions ----

bool Partition::has_group(std::size_t node, std::int32_t group) const {
    for (std::uint32_t slot = first_slot_[node]; slot < first_slot_[node + 1]; ++slot) {
        if (group_of_slot(slot) == group) {
            return true;
        }
    }
    return false;
}

OwnGroup Partition::own(std::uint32_t rank) const {
    OwnGroup own;
    own.count = count();
    own.ranks = members(rank);
    if (!own.ranks.empty()) {
        own.number = index_in(lowest_ranks(), own.ranks[0]);
        own.type = is_unguided_ ? min_domain(*tree_, own.ranks) : num_groups_ > 0 ? type_ : "";
    }
    return own;
}

Ranks Partition::members(std::uint32_t rank) const {
    const AddressTree::At at = tree_->at(rank);
    const std::int32_t group = group_at(at.node, at.seat);
    if (group < 0) {
        return has_singles_ ? Ranks{rank} : Ranks();
    }
    std::vector<bool> is_member(tree_->size(), false);
    std::size_t num = 0;
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        if (has_group(node, group)) {
            tree_->for_each_in(node, [&](std::uint32_t other, std::uint32_t seat) {
                is_member[other] = group_at(node, seat) == group;
                num += is_member[other] ? 1 : 0;
            });
        }
    }
    Ranks ranks;
    ranks.reserve(num);
    for (std::uint32_t other = 0; other < tree_->size(); ++other) {
        if (is_member[other]) {
            ranks.push_back(other);
        }
    }
    return ranks;
}

std::size_t Partition::num_around(const Ranks& ranks) const {
    const auto group_of = [this](std::uint32_t rank) {
        const AddressTree::At at = tree_->at(rank);
        return group_at(at.node, at.seat);
    };
    const std::int32_t group = group_of(ranks[0]);
    if (group < 0 || std::any_of(ranks.begin(), ranks.end(),
                                 [&](std::uint32_t rank) { return group_of(rank) != group; })) {
        return 0;
    }
    std::size_t num = 0;
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        if (has_group(node, group)) {
            const TreeLayout& layout = tree_->layout_of(node);
            for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
                num += group_at(node, layout.first_seat + i) == group ? 1 : 0;
            }
        }
    }
    return num;
}

Ranks Partition::lowest_ranks() const {
    Ranks ranks(num_groups_, UINT32_MAX);
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        const auto add = [&](std::uint32_t rank, std::uint32_t seat) {
            if (const std::int32_t group = group_at(node, seat); group >= 0) {
                std::uint32_t& own = ranks[static_cast<std::size_t>(group)];
                own = std::min(own, rank);
            } else if (has_singles_) {
                ranks.push_back(rank);
            }
        };
        if (is_whole(node)) {
            add(tree_->lowest_rank(node), tree_->layout_of(node).first_seat);
        } else {
            tree_->for_each_in(node, add);
        }
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

std::vector<std::int32_t> Partition::groups() const {
    std::vector<std::int32_t> groups(tree_->size(), Split::kNone);
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        tree_->for_each_in(
            node, [&](std::uint32_t rank, std::uint32_t seat) { groups[rank] = group_at(node, seat); });
    }
    auto next = static_cast<std::int32_t>(num_groups_);
    for (std::int32_t& group : groups) {
        group = has_singles_ && group < 0 ? next++ : group;
    }
    return groups;
}

std::string min_domain(const AddressTree& tree, const Ranks& ranks) {
    const PlaceInNode& place = tree.place(tree.at(ranks[0]).seat);
    std::string uri;
    std::pair<std::size_t, int> least;  // processes and CPUs
    for (const ResourceType& type : nesting_types(tree)) {
        const std::pair<std::size_t, int> size = {Partition::by_type(tree, type).num_around(ranks),
                                                  num_cpus(tree.facts(), type, place)};
        if (size.first > 0 && (uri.empty() || size <= least)) {
            uri = type.uri();
            least = size;
        }
    }
    return uri;
}

}  // namespace hitopo
