// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What every process tells every other: one record of constant size, plus named pieces that only
// few processes have to send.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_RECORD_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_RECORD_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/machine/binding.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/network/uplinks.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// One component's value for one level. component 0: none.
struct Candidate {
    std::uint64_t value;      // hash_of(RawValue)
    std::uint32_t component;  // component_id() of its name
    std::int32_t priority;
};

// The component's identity in records: the low half of the hash of its name.
std::uint32_t component_id(std::string_view name);

inline constexpr int kNumCandidates = 2;  // of each level: the two that could win
inline constexpr int kErrorValueBytes = 44;
inline constexpr int kBindingRuleBytes = kMaxRuleLength + 1;

// Plain data in the byte order of the job; sent as 32-bit integers. The first cache line is all that
// numbering a million processes has to read of most of them.
struct alignas(64) Record {
    static constexpr std::uint32_t kMagic = 0x6f546948;  // "HiTo"
    static constexpr std::uint16_t kVersion = 3;
    enum Flag : std::uint32_t {
        kHasError = 1,
        kHasInnerValues = 2,    // explicit values for l2numa, socket, core or hwthread
        kSpeaksForNode = 4,     // it told of the whole node what it could: machine, network
        kHasBindingRule = 8,    // binding_rule holds, not cpus
        kHasIrregularCpus = 16  // the CPUs travel beside the record
    };
    // Bit kForNodeShift + kNumCandidates * level + slot of the flags, for the network levels: this
    // candidate counts for all processes of the node, of which only one was to ask.
    static constexpr int kForNodeShift = 8;

    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t num_words;       // of 32 bits
    std::uint64_t node_id;         // the node; equal in all its processes, different elsewhere
    std::uint64_t network_hash;    // of the candidates of cluster, island, switch and node
    std::uint64_t placement_hash;  // of all that decides the place inside the node
    std::uint64_t shared_id;       // of the operating system instance, /dev/shm and the IPC namespace
    std::uint64_t machine_hash;    // of this process's machine piece; 0: has none
    std::uint64_t settings_hash;
    std::uint32_t flags;
    std::uint32_t machine_bytes;  // lengths of the pieces

    std::uint32_t names_bytes;
    std::uint32_t cpus_bytes;
    std::uint64_t host_id;  // the operating system instance; node_id unless simulated
    Candidate candidates[kNumLevels][kNumCandidates];  // highest priority first
    std::uint32_t forced[kNumLevels];  // component_id of hitopo_base_level_<name>; 0: not set
    CpuRuns cpus;
    char binding_rule[kBindingRuleBytes];  // see short_rule; NUL-terminated
    std::uint32_t machine_component;
    std::int32_t machine_priority;

    std::uint32_t error_component;
    std::int32_t error_code;  // Errc
    std::int32_t error_line;
    std::int32_t error_column;
    std::uint32_t uplinks_component;  // that can tell the uplinks of its switch in this process; 0: none
    std::uint32_t uplinks_bytes;      // length of that piece
    char error_value[kErrorValueBytes];  // not terminated if full
    std::uint32_t unsent;                // 0 everywhere, see kNumSentWords

    // Of 32 bits. One less than there are: from 512 bytes on, Open MPI's allgather (coll/tuned) takes
    // P / 2 rounds at 64 to 255 processes, and log2 P below.
    static constexpr int kNumSentWords = 127;
};
static_assert(std::is_trivially_copyable_v<Record> && std::is_standard_layout_v<Record>);
static_assert(sizeof(Record) == 512, "no padding: every byte has a value");
static_assert(offsetof(Record, names_bytes) == 64, "the first cache line");
static_assert(offsetof(Record, unsent) == Record::kNumSentWords * sizeof(std::int32_t));

// What one component said in one process.
struct ComponentAnswer {
    std::string component;
    int priority = 0;
    unsigned levels = 0;  // that it can fill: bit l is level l
    int status = 0;       // its return code
    RawAddress values;
    bool replaces_node = false;
    unsigned node_levels = 0;        // whose values count for the whole node: bit l is level l
    std::optional<int> max_uplinks;  // it can tell at most so many uplinks of its switch, if asked
    std::optional<Uplinks> uplinks;  // that it told when it was
    std::array<std::string, kNumLevels> reasons;  // "" where it gave none for that level
    std::string reason;                           // for all of its levels
    std::optional<Error> error;
    std::optional<std::string> machine;  // encoded
    std::optional<std::string> binding;  // simulated: a rule or a list of CPUs
};

// What the framework itself knows of this process.
struct ProcessFacts {
    std::string host_name;
    std::string boot_id;  // "" where unreadable
    CpuSet cpus;          // all that it may run on
    std::uint64_t shm_device = 0;
    std::uint64_t ipc_namespace = 0;
    bool speaks_for_node = false;                // components were asked for the whole node
    std::array<std::string, kNumLevels> forced;  // component named by hitopo_base_level_<name>
    std::string settings;                        // all that must be equal in the whole job
};

// The record and its pieces. A piece is sent only where the plan (core/exchange/plan.h) asks for it.
struct Contribution {
    Record record;
    std::string names;    // see read_names
    std::string cpus;     // CpuSet::words() as u64s, where the runs do not hold it
    std::string machine;  // the component's name and its encoded machine, as ByteWriter strings
    // The uplinks, which are asked for only where the plan names this process (core/network/uplinks.h),
    // come later.
};
Contribution make_contribution(const ProcessFacts& facts, const std::vector<ComponentAnswer>& answers);

// The name of the component under which the framework reports the host name, at the lowest priority.
inline constexpr std::string_view kFrameworkComponent = "hitopo";

struct NamedValue {
    Level level;
    std::string_view component;
    std::string_view value;  // as ByteReader::get_value reads it
};
// Any bytes: stops at the first that make no sense. The views are into them.
std::vector<NamedValue> read_names(std::string_view bytes);
CpuSet read_cpus(std::string_view bytes);

}  // namespace hitopo

#endif
