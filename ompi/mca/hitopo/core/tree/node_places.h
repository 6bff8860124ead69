// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where the processes of a node lie in it: by its machine and their CPUs, or by explicit values.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_NODE_PLACES_H
#define OMPI_MCA_HITOPO_CORE_TREE_NODE_PLACES_H

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/tree/job_facts.h"

namespace hitopo {

class NodePlaces {
public:
    struct Process {
        std::uint32_t rank;
        std::uint32_t place;    // index into RecordMessage::places
        std::uint32_t sharing;  // as of InnerPlace
    };
    struct OneMachine {
        std::int32_t index = -1;      // into JobFacts::machines; -1: none
        std::uint32_t component = 0;  // that found it: index into RecordMessage::names
        std::int32_t priority = 0;
    };
    // Which components fill l2numa, and socket, core and hwthread, by explicit values; 0: the machine's.
    struct Explicit {
        std::uint32_t l2numa = 0, inner = 0;
    };

    // Both must outlive this; facts: with the machines, gets the places.
    NodePlaces(const RecordMessage& message, JobFacts& facts);

    // Whether some process of the job has explicit values.
    bool have_values() const { return has_values_; }

    // The component that rank 0 names for l2numa, or socket, fills these levels, or else the one of the
    // highest priority, of equals that of the lowest name. Where there is a machine, it stands with
    // them, and a component counts only if each process has a value of it. node: by rank.
    Explicit select(const std::vector<Process>& node, const OneMachine& machine) const;

    // Indices into JobFacts::places, by rank.
    std::vector<std::uint32_t> of_node(const std::vector<Process>& node, const OneMachine& machine,
                                       const Explicit& filling);

private:
    using Numbers = std::array<std::int32_t, kNumLevels>;

    std::uint32_t select(const std::vector<Process>& node, const OneMachine& machine, Level first,
                         Level last, std::string_view forced) const;
    std::optional<std::uint32_t> value_of(const Process& process, Level level,
                                          const Explicit& filling) const;
    void number_level(const std::vector<Process>& node, Level level, const Explicit& filling,
                      std::vector<Numbers>& numbers) const;
    InnerPlace make_place(const Process& process, const OneMachine& machine, std::size_t index,
                          const Explicit& filling, const Numbers& numbers) const;

    const RecordMessage& message_;
    JobFacts& facts_;
    bool has_values_;
    const std::string_view forced_l2numa_, forced_inner_;
    FlatMap numbers_;  // of places, by all that decides
};

}  // namespace hitopo

#endif
