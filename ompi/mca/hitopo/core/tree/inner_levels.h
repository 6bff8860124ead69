// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The places of a node's processes: by its machine and their CPUs, or by explicit values.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_INNER_LEVELS_H
#define OMPI_MCA_HITOPO_CORE_TREE_INNER_LEVELS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

namespace hitopo {

class InnerLevels {
public:
    struct Process {
        std::uint32_t rank;
        std::uint32_t place;    // index into RecordMessage::places
        std::uint32_t sharing;  // as of PlaceInNode
    };
    struct OneMachine {
        std::int32_t index = -1;      // into JobFacts::machines; -1: none
        std::uint32_t component = 0;  // that found it: index into RecordMessage::names
        std::int32_t priority = 0;
    };
    // By level, the component that fills it by explicit values: one fills socket, core and hwthread; 0:
    // the machine's.
    using Filling = std::array<std::uint32_t, kNumLevels>;

    // Both must outlive this; facts: with the machines, gets the places.
    InnerLevels(const RecordMessage& message, JobFacts& facts);

    // Whether some process of the job has explicit values.
    bool have_values() const { return has_values_; }

    // The places of a node's processes, which stand by rank: indices into JobFacts::places. A place with
    // CPUs that the machine does not have is warned of. filling: gets the components.
    std::vector<std::uint32_t> of_node(const std::vector<Process>& node, const OneMachine& machine,
                                       Filling& filling);

private:
    using Numbers = std::array<std::int32_t, kNumLevels>;

    std::uint32_t select(const std::vector<Process>& node, const OneMachine& machine, Level first,
                         Level last, std::string_view forced) const;
    std::optional<std::uint32_t> value_of(const Process& process, Level level,
                                          const Filling& filling) const;
    void number_level(const std::vector<Process>& node, Level level, const Filling& filling,
                      std::vector<Numbers>& numbers) const;
    PlaceInNode make_place(const Process& process, const OneMachine& machine, std::size_t index,
                           const Filling& filling, const Numbers& numbers) const;

    const RecordMessage& message_;
    JobFacts& facts_;
    bool has_values_;
    const std::string_view forced_l2numa_, forced_inner_;
    FlatMap numbers_;  // of places, by all that decides
};

}  // namespace hitopo

#endif
