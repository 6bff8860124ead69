// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/address_tree.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace hitopo {
namespace {

// Seat: TreeSeat, constant or not.
template <class Seat>
auto& number_of(Seat& seat, Level level) {
    return seat.numbers[static_cast<std::size_t>(level - kL2Numa)];
}

}  // namespace

// Seats the processes of one node after the other.
class AddressTree::Seater {
public:
    explicit Seater(AddressTree& tree) : tree_(tree) {}

    // places: by rank. Processes of one core are seated by hardware thread, those of none last, and then
    // by rank; those without a core by place.
    Seating seat(const std::uint32_t* places, std::size_t num_processes) {
        const auto instance_numbers = [&](std::uint32_t index) -> const InstanceNumbers& {
            return tree_.facts_->places[places[index]].instance_numbers;
        };
        const auto key = [&](std::uint32_t index) {
            const InstanceNumbers& own = instance_numbers(index);
            return std::tuple(own[kSocket], own[kCore], static_cast<std::uint32_t>(own[kHwThread]),
                              own[kCore] < 0 ? places[index] : 0, index);
        };
        std::vector<std::uint32_t> sorted(num_processes);
        std::iota(sorted.begin(), sorted.end(), 0U);
        std::sort(sorted.begin(), sorted.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
        std::vector<TreeSeat> seats(num_processes);  // by rank
        const TreeSeat* last = nullptr;
        for (const std::uint32_t index : sorted) {
            seats[index] = {places[index], instance_numbers(index).numbers};
            number_of(seats[index], kHwThread) = thread_behind(last, seats[index]);
            last = &seats[index];
        }
        std::stable_sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
            return number_of(seats[a], kL2Numa) < number_of(seats[b], kL2Numa);
        });
        std::vector<std::uint32_t> order(num_processes);
        for (std::uint32_t seat = 0; seat < num_processes; ++seat) {
            order[sorted[seat]] = seat;
        }
        return {layout_of(seats, sorted), orders_.start(orders_.number_of(order))};
    }

    std::vector<std::uint32_t> take_orders() { return orders_.take_all(); }

private:
    // Hardware threads number the processes of a core. last: the seat before; NULL: none.
    static std::int32_t thread_behind(const TreeSeat* last, const TreeSeat& seat) {
        if (number_of(seat, kCore) < 0) {
            return -1;
        }
        const bool is_on_last_core = last != nullptr &&
                                     number_of(seat, kSocket) == number_of(*last, kSocket) &&
                                     number_of(seat, kCore) == number_of(*last, kCore);
        return is_on_last_core ? number_of(*last, kHwThread) + 1 : 0;
    }

    // The number of the layout that has these places and hardware threads.
    std::uint32_t layout_of(const std::vector<TreeSeat>& seats,
                            const std::vector<std::uint32_t>& order) {
        std::vector<std::uint32_t> key;
        for (const std::uint32_t index : order) {
            key.push_back(seats[index].place);
            key.push_back(static_cast<std::uint32_t>(number_of(seats[index], kHwThread)));
        }
        const std::uint32_t number = layouts_.number_of(key);
        if (number == tree_.layouts_.size()) {
            tree_.layouts_.push_back({static_cast<std::uint32_t>(tree_.seats_.size()),
                                      static_cast<std::uint32_t>(order.size()),
                                      tree_.facts_->places[key[0]].machine});
            for (const std::uint32_t index : order) {
                tree_.seats_.push_back(seats[index]);
            }
        }
        return number;
    }

    AddressTree& tree_;
    Sequences layouts_, orders_;
};

AddressTree::AddressTree(std::shared_ptr<const JobFacts> facts, ProcessMap process_map)
    : facts_(std::move(facts)), size_(process_map.node_of.size()) {
    seat_processes(std::exchange(process_map.sequences, {}));
    list_nodes(process_map);
    ranks_ = RankMap(std::move(process_map.node_of), nodes_.size());
    number_levels();
    list_intervals();
}

void AddressTree::seat_processes(const Sequences& sequences) {
    Seater seater(*this);
    seatings_.reserve(sequences.size());
    for (std::uint32_t number = 0; number < sequences.size(); ++number) {
        seatings_.push_back(seater.seat(sequences.begin(number), sequences.length(number)));
    }
    seats_.shrink_to_fit();
    orders_ = seater.take_orders();
    orders_.shrink_to_fit();
}

// Lists nodes by branch, then by name, in the facts' order. Makes indices into nodes_ of node_of.
void AddressTree::list_nodes(ProcessMap& process_map) {
    std::vector<std::uint32_t> by_name, order;
    for (const ProcessMap::Node& node : process_map.nodes) {
        order.push_back(static_cast<std::uint32_t>(by_name.size()));
        by_name.push_back(node.node);
    }
    by_name = distinct(std::move(by_name));
    const auto key = [&](std::uint32_t index) {
        const std::uint32_t node = process_map.nodes[index].node;
        return std::tuple(facts_->branch_of(node), node);
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    std::vector<std::uint32_t> index_of(order.size());
    nodes_.reserve(order.size());
    std::uint32_t position = 0;
    for (const std::uint32_t one : order) {
        const auto [node, sequence] = process_map.nodes[one];
        if (branches_.empty() || branches_.back() != facts_->branch_of(node)) {
            branches_.push_back(facts_->branch_of(node));
        }
        index_of[one] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back({position, static_cast<std::uint32_t>(index_in(by_name, node)), node,
                          static_cast<std::uint32_t>(branches_.size()) - 1, sequence});
        position += layouts_[seatings_[sequence].layout].num_seats;
    }
    for (std::uint32_t& node : process_map.node_of) {
        node = index_of[node];
    }
}

void AddressTree::number_levels() {
    known_[kNode] = Known::kAll;
    num_distinct_[kNode] = static_cast<std::int32_t>(nodes_.size());
    for (const Level level : {kCluster, kIsland, kSwitch}) {
        std::vector<std::int32_t*> values;
        for (Branch& branch : branches_) {
            values.push_back(&branch[level]);
        }
        number_level(level, values);
    }
    for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
        std::vector<std::int32_t*> values;
        for (TreeSeat& seat : seats_) {
            values.push_back(&number_of(seat, level));
        }
        number_level(level, values);
    }
}

// Numbers the values that occur in their order; below 0: unknown.
void AddressTree::number_level(Level level, const std::vector<std::int32_t*>& values) {
    std::vector<std::int32_t> sorted = {kUnknown};
    for (const std::int32_t* value : values) {
        sorted.push_back(*value);
    }
    sorted = distinct(std::move(sorted));
    const bool is_known = sorted.size() > 1;
    bool has_unknown = false;
    for (std::int32_t* value : values) {
        has_unknown = has_unknown || *value < 0;
        *value = is_known ? index_in(sorted, *value) - 1 : 0;
    }
    num_distinct_[level] = static_cast<std::int32_t>(sorted.size()) - 1;
    known_[level] = !is_known ? Known::kNone : has_unknown ? Known::kSome : Known::kAll;
}

void AddressTree::list_intervals() {
    for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
        bool is_new = node == 0;
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            is_new = is_new || network_number(node, level) != network_number(node - 1, level);
            if (is_new) {
                intervals_[level].push_back(node);
            }
        }
    }
    for (std::vector<std::uint32_t>& first : intervals_) {
        first.shrink_to_fit();
    }
}

std::uint32_t AddressTree::interval_at(Level level, std::uint32_t position) const {
    const std::uint32_t node = node_at(position);
    if (level == kNode) {
        return node;
    }
    const auto after = std::upper_bound(intervals_[level].begin(), intervals_[level].end(), node);
    return static_cast<std::uint32_t>(after - intervals_[level].begin()) - 1;
}

AddressTree AddressTree::restrict_to(const std::vector<std::uint32_t>& ranks) const {
    ProcessMap part;
    FlatMap numbers;
    std::vector<std::vector<std::uint32_t>> places;  // by node of the part
    part.node_of.reserve(ranks.size());
    for (const std::uint32_t rank : ranks) {
        const At at = this->at(rank);
        const std::uint32_t node = numbers.number_of(at.node);
        if (node == places.size()) {
            part.nodes.push_back({static_cast<std::uint32_t>(listed(at.node)), 0});
            places.emplace_back();
        }
        part.node_of.push_back(node);
        places[node].push_back(seats_[at.seat].place);
    }
    for (std::size_t node = 0; node < places.size(); ++node) {
        part.nodes[node].sequence = part.sequences.number_of(places[node]);
    }
    return {facts_, std::move(part)};
}

AddressTree::At AddressTree::at(std::uint32_t rank) const {
    const RankMap::Member member = ranks_.member(rank);
    const Seating& own = seatings_[nodes_[member.node].seating];
    return {member.node, layouts_[own.layout].first_seat + orders_[own.first_order + member.index]};
}

std::uint32_t AddressTree::node_at(std::uint32_t position) const {
    const auto after = std::upper_bound(
        nodes_.begin(), nodes_.end(), position,
        [](std::uint32_t own, const TreeNode& node) { return own < node.first_position; });
    return static_cast<std::uint32_t>(after - nodes_.begin()) - 1;
}

std::uint32_t AddressTree::position_of(std::uint32_t rank) const {
    const RankMap::Member member = ranks_.member(rank);
    return nodes_[member.node].first_position + member.index;
}

std::uint32_t AddressTree::rank_at(std::uint32_t position) const {
    const std::uint32_t node = node_at(position);
    return ranks_.rank({node, position - nodes_[node].first_position});
}

void AddressTree::read(std::uint32_t rank, std::int32_t* address) const {
    const At at = this->at(rank);
    const TreeNode& node = nodes_[at.node];
    const Branch& branch = branches_[node.branch];
    std::copy(branch.begin(), branch.end(), address);
    address[kNode] = static_cast<std::int32_t>(node.number);
    const auto& numbers = seats_[at.seat].numbers;
    std::copy(numbers.begin(), numbers.end(), address + kL2Numa);
}

}  // namespace hitopo
