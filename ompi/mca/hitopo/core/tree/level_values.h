// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TREE_LEVEL_VALUES_H
#define OMPI_MCA_HITOPO_CORE_TREE_LEVEL_VALUES_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

namespace hitopo {

// The distinct values of a network level, and what leaf switches told of their uplinks.
class LevelValues {
public:
    // message: must outlive this.
    explicit LevelValues(const RecordMessage& message);

    // Adds what stands for a node: gives a number for the time being, or -1.
    std::int32_t add(Level level, const Selected& selected);
    // All that were added, in their order: by priority, component, and value. places: by number, where
    // it stands now.
    std::vector<NamedValue> in_order(Level level, std::vector<std::int32_t>& places) const;

private:
    struct Origin {
        std::uint32_t component;  // index into RecordMessage::names
        std::uint32_t value;      // as of text_of
        std::int32_t priority;
    };
    struct Settled {
        std::uint32_t value, island;  // as of text_of
    };

    std::optional<std::uint32_t> value_of(Level level, const Selected& selected) const;
    const std::string& text_of(std::uint32_t value) const {
        const std::size_t num_names = message_.names.size();
        return value < num_names ? message_.names[value] : more_names_[value - num_names];
    }

    const RecordMessage& message_;
    std::vector<std::string> more_names_;                                 // that uplinks brought
    std::map<std::pair<std::uint32_t, std::uint32_t>, Settled> settled_;  // by component and value
    std::array<FlatMap, kNode> numbers_;                                  // by component and value
    std::array<std::vector<Origin>, kNode> origins_;
};

}  // namespace hitopo

#endif
