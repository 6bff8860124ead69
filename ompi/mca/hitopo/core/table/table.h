// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The address table of one communicator: addresses renumbered densely. Compact: beside the job's
// dictionary 8 bytes a node, and what core/table/rank_map.h takes for the ranks; everything else,
// domains (core/table/domain.h) too, is computed on demand.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_TABLE_H
#define OMPI_MCA_HITOPO_CORE_TABLE_TABLE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/table/node_layout.h"
#include "ompi/mca/hitopo/core/table/rank_map.h"

namespace hitopo {

inline constexpr std::int32_t kUnknown = -1;
using Address = std::array<std::int32_t, kNumLevels>;

class Table {
public:
    // processes: by rank of the communicator. Time O(P + dictionary).
    Table(std::shared_ptr<const Dictionary> dictionary, const std::vector<Process>& processes);

    // The table of a communicator whose process i is this table's process ranks[i].
    Table restrict_to(const std::vector<std::uint32_t>& ranks) const;

    std::size_t size() const { return places_.size(); }
    const Dictionary& dictionary() const { return *dictionary_; }

    // The renumbered address: 0..n-1 among the n distinct values that the communicator's processes
    // have at that level; kUnknown where this process does not know the level but others do; 0 where
    // nobody does.
    Address address(std::size_t rank) const;

    enum class Known { kNone, kSome, kAll };
    Known known(Level level) const { return known_[static_cast<std::size_t>(level)]; }
    // Distinct values at `level`; 0 where nobody knows it.
    std::int32_t num_distinct(Level level) const {
        return num_distinct_[static_cast<std::size_t>(level)];
    }

    const NodeInfo& node(std::size_t rank) const;
    std::size_t node_number(std::size_t rank) const { return places_.place(rank).node; }
    const Pattern& pattern(std::size_t rank) const { return dictionary_->patterns[seat(rank).pattern]; }

    // Equal where processes run in one operating system instance with one /dev/shm and IPC namespace.
    std::uint64_t shared_id(std::size_t rank) const { return shared_id(places_.place(rank)); }
    std::uint64_t shared_id(RankMap::Place at) const {
        const std::uint32_t pattern = layouts_.seats()[at.seat].pattern;
        return dictionary_
            ->shared_ids[node_info(at.node).first_shared + dictionary_->patterns[pattern].shared];
    }

    // Where a process sits inside its node: an index into layouts().seats().
    std::uint32_t seat_number(std::size_t rank) const { return places_.place(rank).seat; }
    // The two of all ranks.
    const RankMap& places() const { return places_; }
    const NodeLayouts& layouts() const { return layouts_; }

    // Nodes of the communicator are numbered 0..num_nodes()-1 as at level node.
    std::size_t num_nodes() const { return nodes_.size(); }
    const NodeInfo& node_info(std::size_t node) const { return dictionary_->nodes[nodes_[node]]; }
    // Its processes' number at level cluster, island, switch or node, as in address().
    std::int32_t network_number(std::size_t node, Level level) const;

    // The ranks of each node, ascending. Time and memory O(P).
    std::vector<std::vector<std::uint32_t>> members() const;

private:
    void number_nodes(const std::vector<Process>& processes);
    void seat_processes(const std::vector<Process>& processes);
    void number_network();
    void number_inner();
    void number_hwthreads();
    std::int32_t number_of(Level level, std::int32_t value) const;
    const Seat& seat(std::size_t rank) const { return layouts_.seats()[seat_number(rank)]; }

    std::shared_ptr<const Dictionary> dictionary_;
    RankMap places_;                    // nodes_ and seats by rank
    std::vector<std::uint32_t> nodes_;  // indices into the dictionary's nodes
    NodeLayouts layouts_;
    // Per level: the number of each raw value that occurs (network: index of the dictionary's value;
    // inner: sibling number).
    std::array<std::vector<std::int32_t>, kNumLevels> numbers_;
    std::array<Known, kNumLevels> known_ = {};
    std::array<std::int32_t, kNumLevels> num_distinct_ = {};
};

}  // namespace hitopo

#endif
