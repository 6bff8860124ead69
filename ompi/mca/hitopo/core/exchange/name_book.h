// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the gathered pieces say: names behind hashes, irregular CPU sets, machines.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_NAME_BOOK_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_NAME_BOOK_H

#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/exchange/record.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

class NameBook {
public:
    // bytes: all pieces of the plan, each at its offset; must outlive this.
    NameBook(const Record* records, const Plan& plan, std::string_view bytes);

    // NULL where the candidate is none, or its name did not arrive.
    const LevelValue* find(Level level, const Candidate& candidate) const;

    // As find of a candidate that is led: what its leader told of it, all leaders' words together. The
    // value itself for a switch of which nothing arrived, NULL for its island.
    const LevelValue* find_led(Level level, const Candidate& candidate) const;

    CpuSet cpus_of(std::uint32_t rank) const;

    // A machine piece; empty where it did not arrive.
    struct MachinePiece {
        std::string component;
        std::string encoded;
    };
    MachinePiece machine_of(std::uint64_t machine_hash) const;

    // "" where no piece names it.
    std::string component_name(std::uint32_t id) const;

    // Two different values with one hash were seen.
    bool has_collision() const { return has_collision_; }

private:
    void add_names(std::string_view bytes);
    void add_cpus(std::uint32_t rank, std::string_view bytes);
    void add_machine(std::uint64_t hash, std::string_view bytes);
    void add_led(std::string_view bytes);
    void settle_led();

    const Record* records_;
    FlatMap name_numbers_;
    std::vector<LevelValue> names_;
    std::vector<std::string_view> encoded_;  // each name's value
    FlatMap cpu_numbers_;                    // by rank + 1
    std::vector<CpuSet> cpus_;
    FlatMap machine_numbers_;
    std::vector<std::string_view> machines_;
    FlatMap led_numbers_;
    std::vector<LedSwitch> led_;
    std::vector<LevelValue> led_switches_, led_islands_;  // as settled
    bool has_collision_ = false;
};

}  // namespace hitopo

#endif
