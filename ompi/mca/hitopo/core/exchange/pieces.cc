// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/pieces.h"

#include <algorithm>

namespace hitopo {
namespace {

void want(std::vector<Piece>& pieces, std::uint32_t rank, Piece::Part part) {
    if (!pieces.empty() && pieces.back().rank == rank) {
        pieces.back().parts |= part;
    } else {
        pieces.push_back({rank, part, 0, 0});
    }
}

void merge(std::vector<Piece>& pieces) {
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& a, const Piece& b) { return a.rank < b.rank; });
    std::size_t num_pieces = 0;
    for (const Piece& piece : pieces) {
        if (num_pieces > 0 && pieces[num_pieces - 1].rank == piece.rank) {
            pieces[num_pieces - 1].parts |= piece.parts;
        } else {
            pieces[num_pieces++] = piece;
        }
    }
    pieces.resize(num_pieces);
}

// Where each begins, and how many bytes they are together.
std::uint64_t measure(const Record* records, std::vector<Piece>& pieces) {
    std::uint64_t num_bytes = 0;
    for (Piece& piece : pieces) {
        const Record& record = records[piece.rank];
        piece.offset = num_bytes;
        piece.num_bytes += (piece.parts & Piece::kNames) != 0 ? record.names_bytes : 0;
        piece.num_bytes += (piece.parts & Piece::kCpus) != 0 ? record.cpus_bytes : 0;
        piece.num_bytes += (piece.parts & Piece::kMachine) != 0 ? record.machine_bytes : 0;
        piece.num_bytes += (piece.parts & Piece::kUplinks) != 0 ? record.uplinks_bytes : 0;
        piece.num_bytes = (piece.num_bytes + 3) / 4 * 4;
        num_bytes += piece.num_bytes;
    }
    return num_bytes;
}

}  // namespace

void list_pieces(const Record* records, const Senders& senders, Plan& plan) {
    std::vector<Piece>& pieces = plan.pieces;
    for (const NodePlan& node : plan.nodes) {
        for (const Choice& choice : node.network) {
            if (choice.candidate.component != 0) {
                want(pieces, choice.witness, Piece::kNames);
            }
        }
    }
    for (const std::uint32_t rank : senders.machines) {
        want(pieces, rank, Piece::kMachine);
    }
    for (const std::uint32_t rank : senders.uplinks) {
        want(pieces, rank, Piece::kUplinks);
    }
    for (const PlacementClass& placement : plan.placements) {
        if ((records[placement.first_rank].flags & Record::kHasIrregularCpus) != 0) {
            want(pieces, placement.first_rank, Piece::kCpus);
        }
    }
    for (const std::uint32_t rank : senders.inner_values) {
        want(pieces, rank, Piece::kNames);
    }
    merge(pieces);
    plan.num_bytes = measure(records, pieces);
}

}  // namespace hitopo
