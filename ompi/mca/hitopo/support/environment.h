// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The environment, and the names that this node has in it.
#ifndef OMPI_MCA_HITOPO_SUPPORT_ENVIRONMENT_H
#define OMPI_MCA_HITOPO_SUPPORT_ENVIRONMENT_H

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

// An environment variable's value; nothing if it is not set.
inline std::optional<std::string> environment_variable(const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

// The variable by which a pod's specification hands the name of the node in (docs/levels.md).
inline constexpr const char* kNodeNameVariable = "NODE_NAME";

// The names by which this node may be known: the host name, then Slurm's name of the node, then that of
// Kubernetes, whose pods have host names of their own. variable: hitopo_hostname_variable; NULL or "":
// kNodeNameVariable. Each once, none empty.
inline std::vector<std::string> read_node_names(std::string_view host_name, const char* variable) {
    const bool has_variable = variable != nullptr && *variable != '\0';
    const char* const others[] = {std::getenv("SLURMD_NODENAME"),
                                  std::getenv(has_variable ? variable : kNodeNameVariable)};
    std::vector<std::string> names;
    if (!host_name.empty()) {
        names.emplace_back(host_name);
    }
    for (const char* name : others) {
        if (name != nullptr && *name != '\0' &&
            std::find(names.begin(), names.end(), name) == names.end()) {
            names.emplace_back(name);
        }
    }
    return names;
}

}  // namespace hitopo

#endif
