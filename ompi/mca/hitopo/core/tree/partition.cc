// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/partition.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/tree/inner_division.h"
#include "ompi/mca/hitopo/core/tree/inner_instances.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

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
std::int32_t find(const std::vector<T>& sorted, T value) {
    return static_cast<std::int32_t>(std::lower_bound(sorted.begin(), sorted.end(), value) -
                                     sorted.begin());
}

// Ends of the nodes from `node` on, below `end`, that have its number at the level.
std::uint32_t end_of_instance(const AddressTree& tree, Level level, std::uint32_t node,
                              std::uint32_t end) {
    const std::int32_t own = tree.network_number(node, level);
    while (node < end && tree.network_number(node, level) == own) {
        ++node;
    }
    return node;
}

}  // namespace

// ---- slots ----

// slots: by layout, then by its seats.
void Partition::take_slots(const std::vector<std::vector<std::int32_t>>& slots) {
    slot_of_seat_.clear();
    std::vector<std::uint32_t> num_slots;
    for (const std::vector<std::int32_t>& own : slots) {
        slot_of_seat_.insert(slot_of_seat_.end(), own.begin(), own.end());
        is_whole_.push_back(
            std::all_of(own.begin(), own.end(), [](std::int32_t slot) { return slot == 0; }));
        num_slots.push_back(static_cast<std::uint32_t>(num_instances(own)));
    }
    first_slot_.reserve(tree_->nodes().size() + 1);
    first_slot_.push_back(0);
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        first_slot_.push_back(first_slot_.back() + num_slots[tree_->layout_number(node)]);
    }
    num_groups_ = first_slot_.back();
}

void Partition::take_nodes() {
    std::vector<std::vector<std::int32_t>> slots;
    for (const TreeLayout& layout : tree_->layouts()) {
        slots.emplace_back(layout.num_seats, 0);
    }
    take_slots(slots);
}

// ---- the kinds of splits ----

Partition Partition::by_type(const AddressTree& tree, const ResourceType& type) {
    Partition out(tree);
    if (type.is_network() && tree.known(type.level) == AddressTree::Known::kNone) {
        return out;
    }
    out.types_ = {type.uri()};
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
        const InnerInstances instances(tree.facts(), type);
        std::vector<std::vector<std::int32_t>> slots;
        for (const TreeLayout& layout : tree.layouts()) {
            slots.push_back(instances.in_layout(tree, layout));
        }
        out.take_slots(slots);
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
    std::vector<std::vector<std::int32_t>> slots;
    for (const TreeLayout& layout : tree_->layouts()) {
        std::vector<std::uint32_t> own;
        for (std::uint32_t i = 0; i < layout.num_seats; ++i) {
            own.push_back(tree_->place(layout.first_seat + i).sharing);
        }
        sharings.push_back(distinct(own));
        slots.emplace_back();
        for (const std::uint32_t sharing : own) {
            slots.back().push_back(find(sharings.back(), sharing));
        }
    }
    take_slots(slots);
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
        group_of_slot_.push_back(id < 0 ? Split::kNone : find(sorted, id));
    }
    num_groups_ = sorted.size();
}

Partition Partition::unguided(const AddressTree& tree) {
    Partition out(tree);
    if (tree.nodes().size() > 1) {
        out.take_parts_of_nodes();
    } else if (tree.size() > 0) {
        out.take_parts_of_node();
    }
    return out;
}

void Partition::take_parts_of_nodes() {
    take_nodes();
    const auto num_nodes = static_cast<std::uint32_t>(tree_->nodes().size());
    parts_ = parts_of_nodes(*tree_, 0, num_nodes);
    for (std::size_t part = 0; part + 1 < parts_.size(); ++part) {
        group_of_slot_.resize(parts_[part + 1], static_cast<std::int32_t>(part));
    }
    num_groups_ = parts_.size() - 1;
}

// Each part is a slot.
void Partition::take_parts_of_node() {
    const std::vector<ResourceType> types = nesting_types(*tree_);
    const InnerDivision division(*tree_, types, 0);
    const SeatList all = division.all();
    std::vector<std::int32_t> slots(all.size(), Split::kNone);
    for (const SeatList& part : division.divide(all)) {
        for (const std::uint32_t seat : part) {
            slots[seat] = static_cast<std::int32_t>(types_.size());
        }
        types_.push_back(division.type_of(all, part));
    }
    take_slots({slots});
}

void Partition::fill_with_singles() {
    has_singles_ = true;
    num_singles_ = num_singles_below(tree_->size());
}

// ---- questions ----

OwnGroup Partition::own(std::uint32_t rank) const {
    OwnGroup own;
    own.count = count();
    own.ranks = members(rank);
    if (own.ranks.empty()) {
        return own;
    }
    own.number =
        static_cast<std::int32_t>(num_groups_below(own.ranks[0]) + num_singles_below(own.ranks[0]));
    const AddressTree::At at = tree_->at(rank);
    const std::int32_t group = group_at(at.node, at.seat);
    if (!parts_.empty()) {
        own.type = type_of_nodes(*tree_, nesting_types(*tree_), parts_, static_cast<std::size_t>(group));
    } else if (!types_.empty() && num_groups_ > 0) {
        own.type = types_[types_.size() == 1 || group < 0 ? 0 : static_cast<std::size_t>(group)];
    }
    return own;
}

Ranks Partition::members(std::uint32_t rank) const {
    const AddressTree::At at = tree_->at(rank);
    const std::int32_t group = group_at(at.node, at.seat);
    return group >= 0 ? ranks_of(group) : has_singles_ ? Ranks{rank} : Ranks();
}

bool Partition::has_slot_of(std::size_t node, std::int32_t group) const {
    const std::uint32_t first = first_slot_[node];
    const std::uint32_t end = first_slot_[node + 1];
    if (group_of_slot_.empty()) {
        return static_cast<std::uint32_t>(group) - first < end - first;
    }
    const auto slots = group_of_slot_.begin();
    return std::find(slots + first, slots + end, group) != slots + end;
}

Ranks Partition::ranks_of(std::int32_t group) const {
    Ranks ranks;
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        if (has_slot_of(node, group)) {
            tree_->for_each_in(node, [&](std::uint32_t rank, std::uint32_t seat) {
                if (group_at(node, seat) == group) {
                    ranks.push_back(rank);
                }
            });
        }
    }
    put_in_order(ranks, tree_->size());
    return ranks;
}

// How many groups have a rank below this, which is the lowest of one.
std::size_t Partition::num_groups_below(std::uint32_t rank) const {
    if (num_groups_ == 0) {
        return 0;
    }
    std::vector<bool> is_below(num_groups_, false);
    const auto add = [&](std::int32_t group) {
        if (group >= 0) {
            is_below[static_cast<std::size_t>(group)] = true;
        }
    };
    for (std::size_t node = 0; node < tree_->nodes().size(); ++node) {
        const AddressTree::Extent extent = tree_->extent(node);
        if (extent.lowest < rank && (is_whole(node) || extent.highest < rank)) {
            for (std::uint32_t slot = first_slot_[node]; slot < first_slot_[node + 1]; ++slot) {
                add(group_of_slot(slot));
            }
        } else if (extent.lowest < rank) {
            tree_->for_each_in(node, [&](std::uint32_t other, std::uint32_t seat) {
                if (other < rank) {
                    add(group_at(node, seat));
                }
            });
        }
    }
    return static_cast<std::size_t>(std::count(is_below.begin(), is_below.end(), true));
}

// Below `end`, the processes that are in no group.
std::size_t Partition::num_singles_below(std::size_t end) const {
    std::size_t count = 0;
    for (std::size_t node = 0; has_singles_ && node < tree_->nodes().size(); ++node) {
        if (num_groups_ == 0 || !is_whole(node) || group_of_slot(first_slot_[node]) < 0) {
            tree_->for_each_in(node, [&](std::uint32_t rank, std::uint32_t seat) {
                count += rank < end && group_at(node, seat) < 0 ? 1 : 0;
            });
        }
    }
    return count;
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
        if (num_groups_ > 0 && is_whole(node) && group_of_slot(first_slot_[node]) >= 0) {
            add(tree_->extent(node).lowest, tree_->layout_of(node).first_seat);
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

// ---- nodes ----

// Levels nest: what the nodes of an instance know of outer levels is the same.
std::vector<std::uint32_t> parts_of_nodes(const AddressTree& tree, std::uint32_t begin,
                                          std::uint32_t end) {
    std::vector<std::uint32_t> parts;
    for (std::uint32_t node = begin; node < end;) {
        parts.push_back(node);
        std::uint32_t next = node + 1;
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            const std::int32_t own = tree.network_number(node, level);
            const bool is_strict =
                own != tree.network_number(begin, level) || own != tree.network_number(end - 1, level);
            if (own >= 0 && is_strict) {
                next = end_of_instance(tree, level, node, end);
                break;
            }
        }
        node = next;
    }
    parts.push_back(end);
    return parts;
}

std::string type_of_nodes(const AddressTree& tree, const std::vector<ResourceType>& types,
                          const std::vector<std::uint32_t>& parts, std::size_t part) {
    const std::uint32_t node = parts[part];
    const std::uint32_t end = parts[part + 1];
    if (end - node == 1) {
        return InnerDivision(tree, types, tree.layout_number(node)).type_of_node();
    }
    Level deepest = kCluster;
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        if (tree.network_number(node, level) >= 0 &&
            end_of_instance(tree, level, node, parts.back()) == end &&
            (node == parts.front() ||
             tree.network_number(node, level) != tree.network_number(node - 1, level))) {
            deepest = level;
        }
    }
    return "hitopo://" + std::string(level_type(deepest));
}

}  // namespace hitopo
