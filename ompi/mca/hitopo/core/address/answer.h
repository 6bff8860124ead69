// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The question to a component in one process, and its answer. A component writes these values, and the
// process's record is made of them: nothing is converted between.
//
// Framework and components are compiled and linked alike (config/hitopo_link.m4): each frees memory of
// the other. No exception leaves a component (guarded).
#ifndef OMPI_MCA_HITOPO_CORE_ADDRESS_ANSWER_H
#define OMPI_MCA_HITOPO_CORE_ADDRESS_ANSWER_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/result.h"

struct hitopo_question_t {
    // This process answers for all processes of its node: it is local rank 0, or the node's lowest rank
    // if local rank 0 is not in the exchange.
    bool asks_for_node = true;
    // Set in the same process if no component of higher priority gave a machine. Any process may give a
    // simulated machine, which is cheap.
    bool wants_machine = false;
    // hitopo_hwloc_topology or hitopo_hwloc_binding simulates a machine; cpuid then gives none.
    bool is_simulated = false;
    int rank = 0;  // of this process in MPI_COMM_WORLD
    std::string host_name;
    std::vector<std::string> node_names;  // of this node, host_name first; each once, none empty
    std::array<bool, hitopo::kNumLevels> is_known = {};  // to components of higher priority
    // The answer needs `devices` alone (ompi_hitopo_describe_devices).
    bool wants_devices = false;
};

namespace hitopo {

struct NodeDevices;  // core/machine/devices.h

inline constexpr std::size_t kMaxSideTypes = 16;  // of one process

// One side resource of this process: processes share it, but it does not nest in the levels (an NVLink
// domain crosses nodes). It changes no address and no unguided split.
struct SideAnswer {
    std::string type;    // URI: "nvlink://Domain" (is_side_type)
    std::int32_t order;  // among the types: smaller is further out
    RawValue value;      // equal in processes that share one, in whatever nodes they are
    bool is_for_node;    // for all processes of the node; then only the one that asks_for_node gives it
};

// The reason why the component gave a side resource of the type, or none: for people, never sent.
struct SideReason {
    std::string type;
    std::string text;
};

// The links of a leaf switch, as its leader found them. A name may be "".
struct Uplinks {
    std::string name;                     // of the leaf switch, shown instead of its value
    std::vector<std::uint64_t> switches;  // one hop above it: unique numbers, in any order
    std::string island_name;              // the name of one of them, the same one in equal sets
    std::string island_id;                // the unmistakable name of that one
};

}  // namespace hitopo

// Empty at first. Values that a component does not know stay empty.
struct hitopo_answer_t {
    hitopo::RawAddress values;  // those of cluster to node hold for all of the node
    // The value of the level node replaces the framework's (component file: simulated nodes).
    bool replaces_node = false;
    // The reason why a level has a value or none, in one sentence: `hitopo show --why` prints it.
    std::array<std::string, hitopo::kNumLevels> reasons;
    std::string reason;                    // for all levels of the component
    std::vector<hitopo::SideAnswer> side;  // each type once, at most 16
    std::vector<hitopo::SideReason> side_reasons;
    // Bad input. Absent hardware or software (no Slurm, no InfiniBand) is none: give a reason only.
    std::optional<hitopo::Error> error;
    std::optional<std::string> machine;  // the hardware of the node, encoded (core/machine/machine.h)
    std::optional<std::string> binding;  // simulated: a rule (core/machine/binding.h), or CPUs
    // The component gave the switch but no island, and its lead() can find at most so many links of that
    // switch, up to 1024.
    std::optional<int> max_uplinks;
    std::optional<hitopo::Uplinks> uplinks;  // by lead()
    std::shared_ptr<const hitopo::NodeDevices> devices;

    void set(hitopo::Level level, hitopo::RawValue value, std::string why) {
        values[level] = std::move(value);
        reasons[level] = std::move(why);
    }
    // The first error counts.
    void fail(hitopo::Error wrong) {
        if (!error) {
            error = std::move(wrong);
        }
    }
    // The error is in a variable's value.
    void fail(hitopo::Error wrong, const char* variable) {
        wrong.where = variable;
        fail(std::move(wrong));
    }
};

namespace hitopo {

using Question = ::hitopo_question_t;
using Answer = ::hitopo_answer_t;

}  // namespace hitopo

#endif
