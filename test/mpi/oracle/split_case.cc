// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a case says of itself.
#include <mpi.h>

#include <algorithm>

#include "mpiext_hitopo_c.h"
#include "test/mpi/oracle/split_cases.h"

namespace split_oracle {
namespace {

std::string level_text(const char* level, const std::string& value) {
    return value.empty() ? "" : std::string(" ") + level + '=' + value;
}

std::string names_text(const NodeNames& names) {
    return level_text("cluster", names.cluster) + level_text("island", names.island) +
           level_text("switch", names.leaf_switch) + level_text("node", names.node);
}

}  // namespace

const Ranks* Family::of(int rank) const {
    for (const Ranks& comm : comms) {
        if (std::find(comm.begin(), comm.end(), rank) != comm.end()) {
            return &comm;
        }
    }
    return nullptr;
}

bool Call::is_reporting() const { return split_type == MPI_COMM_TYPE_HW_UNGUIDED; }

bool Call::takes_part(int process) const {
    const Argument& argument = arguments.at(process);
    return !argument.is_undefined && (info_key.empty() || argument.info == Info::kWord);
}

bool Call::is_undirected(const Ranks& comm) const {
    return info_key == kHsplitKey && std::none_of(comm.begin(), comm.end(), [this](int process) {
               const Argument& own = arguments.at(process);
               return !own.is_undefined && (own.info == Info::kWord || own.info == Info::kGarbage);
           });
}

std::string Call::describe() const {
    const std::vector<std::string> names = {"a split", "a split with roots", "the recursive loop",
                                            "the hierarchy"};
    std::string text = names[static_cast<std::size_t>(what)] + ", type " + std::to_string(split_type);
    if (!info_key.empty()) {
        text += ", " + info_key + '=' + word;
    }
    if (what == What::kHierarchy) {
        text += ", max_steps " + std::to_string(max_steps);
    }
    return text;
}

std::string Case::map() const {
    std::string text;
    for (std::size_t process = 0; process < node_of.size(); ++process) {
        const std::string told = names_text(names[static_cast<std::size_t>(node_of[process])]);
        if (!told.empty()) {
            text += "rank " + std::to_string(process) + told + '\n';
        }
    }
    return text.empty() ? "# tells nothing\n" : text;
}

}  // namespace split_oracle
