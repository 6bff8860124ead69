// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TREE_LEVEL_VALUES_H
#define OMPI_MCA_HITOPO_CORE_TREE_LEVEL_VALUES_H

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

    // For each of cluster, island and switch: the level, then what stands for each node. add() gives a
    // number for the time being, or -1; finish() all values in their order: by priority, component, and
    // value; in_order() the place there of a number.
    void begin(Level level);
    std::int32_t add(const Selected& selected);
    std::vector<NamedValue> finish();
    std::int32_t in_order(std::int32_t number) const {
        return number < 0 ? -1 : places_[static_cast<std::size_t>(number)];
    }

private:
    struct Origin {
        std::uint32_t component;  // index into RecordMessage::names
        std::uint32_t value;      // as of text_of
        std::int32_t priority;
    };
    struct Settled {
        std::uint32_t value, island;  // as of text_of
    };

    std::optional<std::uint32_t> value_of(const Selected& selected) const;
    const std::string& text_of(std::uint32_t value) const {
        const std::size_t num_names = message_.names.size();
        return value < num_names ? message_.names[value] : more_names_[value - num_names];
    }

    const RecordMessage& message_;
    std::vector<std::string> more_names_;                                 // that uplinks brought
    std::map<std::pair<std::uint32_t, std::uint32_t>, Settled> settled_;  // by component and value
    Level level_ = kCluster;
    FlatMap numbers_;  // by component and value
    std::vector<Origin> origins_;
    std::vector<std::int32_t> places_;
};

}  // namespace hitopo

#endif
