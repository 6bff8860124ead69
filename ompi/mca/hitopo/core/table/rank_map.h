// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which node and seat each rank has, in as little memory as the job's mapping allows: a few hundred
// bytes where ranks go by slot or by node over nodes that are alike, some bits a rank where they are
// shuffled.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_RANK_MAP_H
#define OMPI_MCA_HITOPO_CORE_TABLE_RANK_MAP_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/rank_runs.h"
#include "ompi/mca/hitopo/core/exchange/sequences.h"
#include "ompi/mca/hitopo/core/text/array.h"
#include "ompi/mca/hitopo/core/text/block.h"

namespace hitopo {

class RankMap {
public:
    struct Place {
        std::uint32_t node;
        std::uint32_t seat;
    };

    // A node's ranks, and the number of the sequence that their seats are.
    struct Occupied {
        const RankRuns* ranks;  // may be empty
        std::uint32_t seats;
    };

    RankMap() = default;
    // nodes: by node; together they have the ranks below num_ranks, each once. Time and memory O(nodes)
    // where ranks go by slot or by node, else O(num_ranks).
    RankMap(const std::vector<Occupied>& nodes, const Sequences& seats, std::size_t num_ranks);

    // As a part of a block, and back.
    void write(BlockWriter& block) const;
    static RankMap read(BlockReader& block);
    // Whether what was read has a place for each rank, on a node below num_nodes; the seat can be any
    // number. Nothing else may be asked before. Time O(nodes) where ranks go by slot or by node, else
    // O(P).
    bool is_sound(std::size_t num_nodes) const;

    std::size_t size() const { return size_; }
    // Time O(1), or O(log nodes) where ranks go by slot over nodes of different sizes.
    Place place(std::size_t rank) const {
        return is_packed_ ? packed_.place(rank) : groups_.place(rank);
    }
    // visit(rank, place) for all, in any order: several times as fast as one by one.
    template <class Visit>
    void for_each(Visit visit) const {
        for_each_on([](std::uint32_t) { return true; }, size_, visit);
    }
    // The same for the ranks below `end` on the nodes for which wants(node) is true. Time O(those ranks
    // + nodes) where ranks go by slot or by node, else O(end).
    template <class Wants, class Visit>
    void for_each_on(Wants wants, std::size_t end, Visit visit) const {
        if (!is_packed_) {
            groups_.for_each_on(wants, end, size_, visit);
            return;
        }
        for (std::size_t rank = 0; rank < std::min(end, size_); ++rank) {
            const Place at = packed_.place(rank);
            if (wants(at.node)) {
                visit(rank, at);
            }
        }
    }

    // The ranks of one node.
    struct Extent {
        std::uint32_t lowest = UINT32_MAX;
        std::uint32_t highest = 0;
        std::uint32_t count = 0;
    };
    // By node; the nodes of all places are below num_nodes. Time O(nodes) where ranks go by slot or by
    // node, else O(P); memory O(nodes).
    std::vector<Extent> extents(std::size_t num_nodes) const;

    std::size_t num_bytes() const;  // of memory, beside the object's own

private:
    class GroupMaker;

    // Ranks in groups, of which each is on one node: those that follow each other (by slot), or each
    // n-th (by node). What all groups have alike is kept once, or not at all.
    class Groups {
    public:
        Place place(std::size_t rank) const {
            const Position at = position(rank);
            return {node_of(at.group), seats_[start_of(at.group) + at.index]};
        }
        template <class Wants, class Visit>
        void for_each_on(Wants& wants, std::size_t limit, std::size_t size, Visit& visit) const {
            for (std::size_t group = 0; group < num_groups_; ++group) {
                const std::uint32_t node = node_of(group);
                if (!wants(node)) {
                    continue;
                }
                const std::uint32_t* seat = &seats_[start_of(group)];
                const Ranks ranks = ranks_of(group, size);
                const std::size_t end = std::min(ranks.end, limit);
                for (std::size_t rank = ranks.begin; rank < end; rank += ranks.stride) {
                    visit(rank, Place{node, *seat++});
                }
            }
        }
        void extend(std::vector<Extent>& extents, std::size_t size) const;
        std::size_t num_bytes() const;
        void write(BlockWriter& block) const;
        void read(BlockReader& block);
        bool is_sound(std::size_t size, std::size_t num_nodes) const;

    private:
        friend class GroupMaker;

        struct Position {
            std::size_t group, index;
        };
        struct Ranks {
            std::size_t begin, end, stride;
        };
        // In 32 bits, whose divisions are the quick ones.
        Position position(std::size_t rank) const {
            const auto number = static_cast<std::uint32_t>(rank);
            const auto period = static_cast<std::uint32_t>(is_by_node_ ? num_groups_ : length_);
            if (period == 0) {
                return position_by_begin(rank);
            }
            const std::size_t quotient = number / period, rest = number % period;
            return is_by_node_ ? Position{rest, quotient} : Position{quotient, rest};
        }
        Position position_by_begin(std::size_t rank) const;
        bool have_blocks(std::size_t size) const;
        Ranks ranks_of(std::size_t group, std::size_t size) const;
        std::uint32_t node_of(std::size_t group) const {
            return nodes_.empty() ? static_cast<std::uint32_t>(group) : nodes_[group];
        }
        std::size_t start_of(std::size_t group) const {
            return sequences_.empty() ? 0 : sequences_[group];
        }

        bool is_by_node_ = false;
        std::size_t num_groups_ = 0;
        std::size_t length_ = 0;          // of each block; 0: they differ
        Array<std::uint32_t> begins_;     // each block's first rank; empty: they are equally long
        Array<std::uint32_t> nodes_;      // of each group; empty: its number
        Array<std::uint32_t> sequences_;  // where each group's seats begin; empty: at 0
        Array<std::uint32_t> seats_;      // of the groups' members, each distinct sequence once
    };

    // Node and seat in as few bytes as hold both, rank after rank.
    class Packed {
    public:
        Packed() = default;
        Packed(const std::vector<Occupied>& nodes, const Sequences& seats, std::size_t num_ranks);
        static std::size_t num_bytes(std::size_t num_nodes, const Sequences& seats,
                                     std::size_t num_ranks);

        Place place(std::size_t rank) const {
            const std::uint64_t value = load(&bytes_[rank * width_]);
            return {low(value, node_bits_), low(value >> node_bits_, seat_bits_)};
        }
        std::size_t num_bytes() const { return bytes_.size(); }
        void write(BlockWriter& block) const;
        void read(BlockReader& block);
        bool is_sound(std::size_t size, std::size_t num_nodes) const;

    private:
        // Written so that compilers know one load in it.
        static std::uint64_t load(const std::uint8_t* b) {
            const auto at = [b](int i) { return std::uint64_t{b[i]} << 8 * i; };
            return at(0) | at(1) | at(2) | at(3) | at(4) | at(5) | at(6) | at(7);
        }
        static std::uint32_t low(std::uint64_t bits, int num) {
            return static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << num) - 1));
        }

        int node_bits_ = 0, seat_bits_ = 0;  // up to 32 each
        std::size_t width_ = 0;
        Array<std::uint8_t> bytes_;  // and eight more, so that as many can be read
    };

    std::size_t size_ = 0;
    bool is_packed_ = false;
    Groups groups_;
    Packed packed_;
};

}  // namespace hitopo

#endif
