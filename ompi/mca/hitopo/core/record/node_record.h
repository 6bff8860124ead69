// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Node records, which processes send each other. A record has the values that some processes of one node
// have in common, and their ranks. A message is records, and the items that they refer to, each distinct
// one once.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_NODE_RECORD_H
#define OMPI_MCA_HITOPO_CORE_RECORD_NODE_RECORD_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// Ascending ranks as runs with a stride: those of a node are one run where ranks go by slot or by node.
struct RankRun {
    std::uint32_t first, stride, count;

    std::uint32_t last() const { return first + (count - 1) * stride; }
};

class RankRuns {
public:
    // rank: above all others.
    void add(std::uint32_t rank) {
        if (runs_.empty() ||
            (runs_.back().count > 1 && rank != runs_.back().last() + runs_.back().stride)) {
            runs_.push_back({rank, 1, 1});
        } else {
            RankRun& own = runs_.back();
            own.stride = own.count == 1 ? rank - own.first : own.stride;
            ++own.count;
        }
        ++size_;
    }
    // All of its ranks: above all others.
    void add(const RankRun& run) {
        runs_.push_back(run);
        size_ += run.count;
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::uint32_t front() const { return runs_.front().first; }
    std::uint32_t back() const { return runs_.back().last(); }
    const std::vector<RankRun>& runs() const { return runs_; }

    // visit(rank) for all, ascending.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const RankRun& run : runs_) {
            for (std::uint32_t i = 0; i < run.count; ++i) {
                visit(run.first + i * run.stride);
            }
        }
    }

private:
    std::vector<RankRun> runs_;
    std::size_t size_ = 0;
};

// The answer of one component for one level.
struct LevelAnswer {
    std::uint32_t component = 0;  // index into RecordMessage::names; 0: no answer
    std::int32_t priority = 0;
    std::uint32_t value = 0;  // index into names, where it is ByteWriter::put(RawValue)
    bool is_named = false;    // else its uplinks will name it: an island is the value of its switch

    bool is_known() const { return component != 0; }
};

// The answer of one component for one type of side resource.
struct SideValue {
    std::uint32_t type = 0;  // index into names: a URI
    std::int32_t order = 0;  // among the types: smaller is further out
    std::uint32_t component = 0;
    std::int32_t priority = 0;
    std::uint32_t value = 0;   // as of LevelAnswer
    bool is_for_node = false;  // it counts for all processes of the node, of which one was to ask
};

// The machine that a process found, for all of its node.
struct MachineAnswer {
    std::uint32_t component = 0;  // 0: none
    std::int32_t priority = 0;
    std::uint32_t machine = 0;  // index into RecordMessage::machines
    std::uint32_t rank = 0;     // the lowest of the record that found one
};

// All that determines the place of a process in its node.
struct ProcessBinding {
    struct Inner {
        Level level;  // l2numa to hwthread
        LevelAnswer answer;
    };
    CpuSet cpus;               // empty where there is a rule
    std::string rule;          // of a simulated binding, as short_rule() gives it; "": none
    std::vector<Inner> inner;  // explicit values, all components'; by level, then best first
};

struct NodeRecord {
    using Answers = std::array<LevelAnswer, kNode + 1>;  // cluster, island, switch, node

    std::uint64_t host_id = 0;    // of the operating system instance
    std::uint64_t node_id = 0;    // the same, unless the node is simulated
    std::uint64_t shared_id = 0;  // equal where processes can share memory
    Answers best;                 // of the highest priority
    Answers forced;  // of the component that hitopo_base_level_<level> names here, if it is another
    std::uint32_t uplinks_component = 0;  // it can report the uplinks of its switch; 0: none
    bool begins_group = false;            // it is the first of those that one leader gathered
    bool is_host_asked = false;   // one of these processes asked its components for all of the host
    std::uint32_t settings = 0;   // index into RecordMessage::settings
    std::uint32_t layout = 0;     // index into RecordMessage::layouts, of one as long as ranks
    std::vector<SideValue> side;  // by type's name, best first; a second only if it is for the node
    MachineAnswer machine;
    RankRuns ranks;  // never empty
};

// Settings that should be equal in all processes, by key, ascending: MCA variables of the framework
// ("hitopo_base_level_switch", "slurm"), of which the tree warns, and settings of layers above it.
using AgreedSettings = std::vector<std::pair<std::string, std::string>>;

inline std::optional<std::string_view> value_of(const AgreedSettings& settings, std::string_view key) {
    const auto found = std::find_if(settings.begin(), settings.end(),
                                    [&](const auto& setting) { return setting.first == key; });
    return found == settings.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

struct ReportedError {
    std::uint32_t rank = 0;
    std::string component;
    Error error;  // code kNone: there is none
};

// The records of some processes. The reader checks that each rank of a job is there once.
struct RecordMessage {
    std::vector<std::string> names;      // of components and types, and encoded values; the first is ""
    std::vector<std::string> machines;   // encoded
    std::vector<ProcessBinding> places;  // distinct
    std::vector<std::vector<std::uint32_t>> layouts;  // indices into places, in the order of ranks
    std::vector<AgreedSettings> settings;
    std::vector<NodeRecord> records;     // in any order
    std::vector<std::string> uplinks;    // encode(LedSwitch), of those that were asked; in any order
    std::optional<ReportedError> error;  // the one to show; none only without records
};

}  // namespace hitopo

#endif
