// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/positions.h"

using hitopo::Level;

namespace {

std::uint32_t unsigned_of(int number) { return static_cast<std::uint32_t>(number); }

}  // namespace

void hitopo_base_drop_positions(hitopo_base_positions_t* positions) noexcept { delete positions; }

int hitopo_base_num_positions(const hitopo_base_positions_t* positions) noexcept {
    return static_cast<int>(positions->tree->size());
}

int hitopo_base_rank_at(const hitopo_base_positions_t* positions, int position) noexcept {
    return static_cast<int>(positions->tree->rank_at(unsigned_of(position)));
}

int hitopo_base_position_of(const hitopo_base_positions_t* positions, int rank) noexcept {
    return static_cast<int>(positions->tree->position_of(unsigned_of(rank)));
}

void hitopo_base_address_of(const hitopo_base_positions_t* positions, int rank,
                            std::int32_t* address) noexcept {
    positions->tree->read(unsigned_of(rank), address);
}

int hitopo_base_num_intervals(const hitopo_base_positions_t* positions, int level) noexcept {
    return static_cast<int>(positions->tree->num_intervals(static_cast<Level>(level)));
}

int hitopo_base_interval_at(const hitopo_base_positions_t* positions, int level, int position) noexcept {
    return static_cast<int>(
        positions->tree->interval_at(static_cast<Level>(level), unsigned_of(position)));
}

int hitopo_base_interval_begin(const hitopo_base_positions_t* positions, int level,
                               int interval) noexcept {
    return static_cast<int>(
        positions->tree->interval_begin(static_cast<Level>(level), unsigned_of(interval)));
}
