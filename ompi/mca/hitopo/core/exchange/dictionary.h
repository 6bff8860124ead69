// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What all tables of a job share: the nodes, the names of the levels, the machines, and the distinct
// places that processes have inside a node.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_DICTIONARY_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_DICTIONARY_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/machine/placement.h"
#include "ompi/mca/hitopo/core/text/array.h"
#include "ompi/mca/hitopo/core/text/block.h"

namespace hitopo {

// One distinct value of a network level.
struct LevelValue {
    std::string component;
    RawValue value;
};

struct NodeInfo {
    std::uint64_t identity = 0;
    std::string name;
    std::string component;  // that gave the name
    // Number among the dictionary's values of cluster, island and switch; -1: unknown.
    std::array<std::int32_t, kNode> values = {-1, -1, -1};
    std::int32_t machine = -1;       // index into the dictionary's machines; -1: none
    std::uint32_t first_cohort = 0;  // index into DictionaryDraft::cohorts
    // That fill l2numa, and socket, core and hwthread: by explicit values or by the machine; may be "".
    std::string l2numa_component;
    std::string inner_component;
};

// A distinct place inside a node.
struct Pattern {
    Placement placement;  // instances: of the node's machine
    CpuSet cpus;
    std::uint32_t cohort = 0;                   // counted from NodeInfo::first_cohort
    std::array<std::string, kNumLevels> names;  // inner levels with explicit values: what people see
};

// A type of side resources that cross nodes, and its distinct values in their order.
struct SideType {
    std::string uri;
    std::vector<LevelValue> values;
};

// A dictionary while it is put together.
struct DictionaryDraft {
    std::array<std::vector<LevelValue>, kNode> values;  // cluster, island, switch; in their order
    std::vector<NodeInfo> nodes;                        // in their order
    std::vector<Machine> machines;
    std::vector<std::string> machine_components;  // that told each
    std::vector<Pattern> patterns;
    std::vector<Cohort> cohorts;       // side: index into side_sets
    std::vector<SideType> side_types;  // outermost first
    // By type: the number of its value, or -1. None, or the first is of those who have no side resource.
    std::vector<std::vector<std::int32_t>> side_sets;
    std::vector<LayerClass> layers;     // as of the plan
    std::vector<std::string> warnings;  // what the job should be told, one sentence each
};

// Compact: some 40 bytes a node. What grows with the job lies in arrays that processes of one node can
// share; machines, patterns and the other things of which there are few are each process's own.
class Dictionary {
public:
    explicit Dictionary(DictionaryDraft draft);

    // As a part of a block, and back. Any bytes are refused, or every index in what comes is in range
    // but for a pattern's: its cohort is a node's (has_cohort), its instances are of a node's machine.
    // Takes at most 64 MiB for a machine (Machine::decode), 8 KiB for a set of CPUs (CpuSet::kMaxCpus),
    // and 32 times the bytes for the rest.
    void write(BlockWriter& block) const;
    static std::optional<Dictionary> read(BlockReader& block);

    std::size_t num_nodes() const { return rows_.size(); }
    NodeInfo node(std::size_t index) const;
    // NodeInfo::values, one of them, and NodeInfo::machine.
    const std::array<std::int32_t, kNode>& values_of(std::size_t node) const {
        return places_[rows_[node].place].values;
    }
    std::int32_t value_of(std::size_t node, Level level) const {
        return values_of(node)[static_cast<std::size_t>(level)];
    }
    std::int32_t machine_of(std::size_t node) const { return kinds_[rows_[node].kind].machine; }
    // Equal where processes run in one operating system instance, with one /dev/shm and IPC namespace.
    std::uint32_t shared_of(std::size_t node, std::uint32_t cohort) const {
        const std::uint32_t index = rows_[node].first_cohort + cohort;
        return shared_.empty() ? index : shared_[index];
    }

    // Whether there is such a cohort of the node.
    bool has_cohort(std::size_t node, std::uint32_t cohort) const;

    // URIs of the types of side resources that cross nodes, outermost first.
    const std::vector<std::string>& side_types() const { return side_types_; }
    std::size_t num_side_values(std::size_t type) const {
        return first_side_value_[type + 1] - first_side_value_[type];
    }
    LevelValue side_value(std::size_t type, std::size_t number) const {
        return value_at(side_values_, first_side_value_[type] + number);
    }
    // Which of its values the processes of a cohort have; -1: none.
    std::int32_t side_of(std::size_t node, std::uint32_t cohort, std::size_t type) const {
        const std::uint32_t set = sides_.empty() ? 0 : sides_[rows_[node].first_cohort + cohort];
        return side_numbers_[set * side_types_.size() + type];
    }

    // level: cluster, island or switch.
    std::size_t num_values(Level level) const { return values_[static_cast<std::size_t>(level)].size(); }
    LevelValue value(Level level, std::size_t number) const;

    const std::vector<Machine>& machines() const { return machines_; }
    const std::vector<std::string>& machine_components() const { return machine_components_; }
    const std::vector<Pattern>& patterns() const { return patterns_; }
    const std::vector<LayerClass>& layers() const { return layers_; }
    const std::vector<std::string>& warnings() const { return warnings_; }

private:
    class Maker;

    struct NodeRow {
        std::uint32_t name;          // where it begins in names_; it ends where the next begins
        std::uint32_t place;         // index into places_
        std::uint32_t kind;          // index into kinds_
        std::uint32_t first_cohort;  // index into shared_ and sides_
    };
    struct NodePlace {
        std::array<std::int32_t, kNode> values;
    };
    struct NodeKind {
        std::int32_t machine;
        std::uint32_t component, l2numa_component, inner_component;  // indices into components_
    };
    struct ValueRow {
        std::uint32_t component;  // index into components_
        std::uint32_t begin;      // of its value, in coded_values_
    };

    Dictionary() = default;
    LevelValue value_at(const Array<ValueRow>& rows, std::size_t index) const;
    std::string write_few() const;
    bool read_few(std::string_view bytes);
    bool is_sound() const;
    bool are_nodes_sound() const;
    bool are_values_sound() const;
    bool are_sides_sound() const;

    Array<NodeRow> rows_;
    Array<std::uint64_t> identities_;
    Array<NodePlace> places_;
    Array<NodeKind> kinds_;
    Array<std::uint32_t> shared_;       // by cohort: equal where it is the same; empty: its index
    Array<std::uint32_t> sides_;        // by cohort: which set; empty: all the first
    Array<std::int32_t> side_numbers_;  // set after set, by type
    Array<ValueRow> side_values_;       // type after type
    Array<char> names_;
    std::array<Array<ValueRow>, kNode> values_;
    Array<char> coded_values_;
    std::vector<std::uint32_t> first_side_value_;  // by type, and behind the last
    std::vector<std::string> side_types_;
    std::vector<std::string> components_;
    std::vector<Machine> machines_;
    std::vector<std::string> machine_components_;
    std::vector<Pattern> patterns_;
    std::vector<LayerClass> layers_;
    std::vector<std::string> warnings_;
};

// Where a layer above HiTopo is: the lowest ranks with and without it; empty where there is none.
struct LayerPresence {
    std::optional<std::uint32_t> present, missing;
};
LayerPresence presence_of(const Dictionary& dictionary, std::string_view layer);

}  // namespace hitopo

#endif
