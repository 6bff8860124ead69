// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The values of switches and islands of which leaders told more than processes knew.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_LED_SWITCHES_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_LED_SWITCHES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

class LedSwitches {
public:
    // told: of each leader, in any order, as encode(LedSwitch) gives it; any bytes. names: gets their
    // values.
    LedSwitches(const std::vector<std::string>& told, Names& names);

    // The number, in names, of the value that stands for a node's choice for the level; empty where
    // nobody told its name. A switch of which no leader told keeps its own.
    std::optional<std::uint32_t> value_for(Level level, const Choice& choice) const;

private:
    struct Settled {
        std::uint32_t value, island;
    };

    FlatMap numbers_;  // by component and value
    std::vector<Settled> settled_;
};

}  // namespace hitopo

#endif
