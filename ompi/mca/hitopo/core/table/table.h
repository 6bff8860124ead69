// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The address table of one communicator: addresses renumbered densely. Compact: beside the job's
// dictionary what core/table/rank_map.h takes for the ranks, and 8 bytes a node where nodes are
// occupied in several ways or are left out here and there; everything else, domains
// (core/table/domain.h) too, is computed on demand.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_TABLE_H
#define OMPI_MCA_HITOPO_CORE_TABLE_TABLE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/occupancy.h"
#include "ompi/mca/hitopo/core/table/node_layout.h"
#include "ompi/mca/hitopo/core/table/rank_map.h"
#include "ompi/mca/hitopo/core/tree/address.h"

namespace hitopo {

class Table {
public:
    // The table of the communicator whose ranks are those of the occupancy. Time O(nodes) where ranks go
    // by slot or by node and nodes are occupied in few ways, else O(P).
    Table(std::shared_ptr<const Dictionary> dictionary, const Occupancy& occupancy);
    Table(DictionaryDraft dictionary, const Occupancy& occupancy)
        : Table(std::make_shared<const Dictionary>(std::move(dictionary)), occupancy) {}

    // With its dictionary as one block (core/text/block.h), and back: what comes uses the block where
    // it lies, which owner keeps and nobody changes. Empty where the bytes are none of num_processes
    // ranks: every index is checked here, once. Time O(P); memory beside Dictionary::read's a bit a
    // process, and 8 bytes a node for the time of the call.
    std::string to_block() const;
    static std::optional<Table> from_block(std::shared_ptr<const void> owner, std::string_view block,
                                           std::size_t num_processes);

    // The table of a communicator whose process i is this table's process ranks[i].
    Table restrict_to(const std::vector<std::uint32_t>& ranks) const;

    std::size_t size() const { return places_.size(); }
    const Dictionary& dictionary() const { return *dictionary_; }

    // The renumbered address: 0..n-1 among the n distinct values that the communicator's processes
    // have at that level; kUnknown where this process does not know the level but others do; 0 where
    // nobody does.
    Address address(std::size_t rank) const;
    // The same, into kNumLevels values.
    void read(std::size_t rank, std::int32_t* address) const;

    enum class Known { kNone, kSome, kAll };
    Known known(Level level) const { return known_[static_cast<std::size_t>(level)]; }
    // Distinct values at `level`; 0 where nobody knows it.
    std::int32_t num_distinct(Level level) const {
        return num_distinct_[static_cast<std::size_t>(level)];
    }

    NodeInfo node(std::size_t rank) const { return node_info(node_number(rank)); }
    std::size_t node_number(std::size_t rank) const { return places_.place(rank).node; }
    const Pattern& pattern(std::size_t rank) const {
        return dictionary_->patterns()[seat(rank).pattern];
    }

    // As Pattern::cohort.
    std::uint32_t cohort_of_seat(std::size_t seat) const {
        return dictionary_->patterns()[layouts_.seats()[seat].pattern].cohort;
    }
    // As Dictionary::shared_of.
    std::uint32_t shared_id(std::size_t rank) const {
        const RankMap::Place at = places_.place(rank);
        return shared_of(at.node, cohort_of_seat(at.seat));
    }
    std::uint32_t shared_of(std::size_t node, std::uint32_t cohort) const {
        return dictionary_->shared_of(listed(node), cohort);
    }
    // As Dictionary::side_of.
    std::int32_t side_of(std::size_t node, std::uint32_t cohort, std::size_t type) const {
        return dictionary_->side_of(listed(node), cohort, type);
    }

    // Where a process sits inside its node: an index into layouts().seats().
    std::uint32_t seat_number(std::size_t rank) const { return places_.place(rank).seat; }
    // The two of all ranks.
    const RankMap& places() const { return places_; }
    const NodeLayouts& layouts() const { return layouts_; }

    // Nodes of the communicator are numbered 0..num_nodes()-1 as at level node.
    std::size_t num_nodes() const { return num_nodes_; }
    NodeInfo node_info(std::size_t node) const { return dictionary_->node(listed(node)); }
    std::int32_t machine_of(std::size_t node) const { return dictionary_->machine_of(listed(node)); }
    // Its processes' number at level cluster, island, switch or node, as in address().
    std::int32_t network_number(std::size_t node, Level level) const;

    // The ranks of each node, ascending. Time and memory O(P).
    std::vector<std::vector<std::uint32_t>> members() const;

private:
    // The numbers of a level's raw values that occur: dense, ascending.
    struct Numbers {
        std::int32_t first = 0;           // the lowest that occurs
        std::int32_t unknown = kUnknown;  // what stands for the number of those who have none
        Array<std::int32_t> numbers;      // of it and those above; empty: each is one more

        std::int32_t operator[](std::int32_t value) const {
            if (!numbers.empty() && value >= 0) {
                return numbers[static_cast<std::size_t>(value - first)];
            }
            return value < 0 ? unknown : value - first;
        }
    };
    class Marks;

    Table() = default;
    void list_nodes(const Occupancy& occupancy);
    void seat_processes(const Occupancy& occupancy);
    void number_levels();
    void number_network();
    void number_inner();
    void number_hwthreads();
    void set_known(Level level, Known known);
    bool is_sound(std::size_t num_processes) const;
    bool are_nodes_listed() const;
    bool is_seat(const Seat& seat) const;
    bool do_seats_fit_nodes() const;
    bool do_seats_fit(const NodeLayout& layout, std::int32_t machine,
                      std::uint32_t& highest_cohort) const;
    bool are_seats_taken() const;
    std::int32_t lowest_value(Level level) const;
    const Seat& seat(std::size_t rank) const { return layouts_.seats()[seat_number(rank)]; }
    // Index of a node into the dictionary's.
    std::size_t listed(std::size_t node) const {
        return listed_.empty() ? first_listed_ + node : listed_[node];
    }

    std::shared_ptr<const Dictionary> dictionary_;
    RankMap places_;  // numbers of nodes, and seats, by rank
    std::size_t num_nodes_ = 0;
    std::size_t first_listed_ = 0;
    Array<std::uint32_t> listed_;  // by node; empty: they follow each other
    NodeLayouts layouts_;
    // Network: of the dictionary's values; inner: of sibling numbers.
    std::array<Numbers, kNumLevels> numbers_;
    std::array<Known, kNumLevels> known_ = {};
    std::array<std::int32_t, kNumLevels> num_distinct_ = {};
};

}  // namespace hitopo

#endif
