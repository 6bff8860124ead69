// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Who sends what besides its record.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_PIECES_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_PIECES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

// The first rank that has each machine: it sends it.
class MachineSenders {
public:
    void add(std::uint64_t machine_hash, std::uint32_t rank) {
        if (numbers_.number_of(machine_hash) == ranks_.size()) {
            ranks_.push_back(rank);
        }
    }
    std::optional<std::uint32_t> of(std::uint64_t machine_hash) const {
        const std::uint32_t number = numbers_.look_up(machine_hash);
        return number == FlatMap::kAbsent ? std::nullopt : std::optional(ranks_[number]);
    }
    const std::vector<std::uint32_t>& ranks() const { return ranks_; }

private:
    FlatMap numbers_;
    std::vector<std::uint32_t> ranks_;
};

// Ranks; names are sent by each level's witness.
struct Senders {
    const std::vector<std::uint32_t>& machines;
    const std::vector<std::uint32_t>& uplinks;
    const std::vector<std::uint32_t>& inner_values;
};

// Fills the plan's pieces and num_bytes.
void list_pieces(const Record* records, const Senders& senders, Plan& plan);

}  // namespace hitopo

#endif
