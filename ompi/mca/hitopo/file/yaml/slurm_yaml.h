// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Slurm's topology.yaml: several topologies, each a tree, blocks, rings or toruses.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_SLURM_YAML_H
#define OMPI_MCA_HITOPO_FILE_YAML_SLURM_YAML_H

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"

namespace hitopo {

// Where the host hangs, by the topology that the question names; without a name by the one with
// cluster_default, and where that does not have the host, the first that has. `list`: the document. What
// breaks the rules, or is of a kind that is not known, costs itself and is added to `skipped`.
// kMalformed where no topology of the list can be read, or none is of that name.
Result<std::optional<SwitchPlace>> find_in_slurm_yaml(const YamlValue& list,
                                                      const TopologyQuestion& question,
                                                      Skipped& skipped);

// At the value, without a file.
inline Error malformed(const YamlValue& value, std::string_view offending, const char* message) {
    return {Errc::kMalformed, std::string(offending), message, "", value.line(), value.column()};
}

// An error that names no file is of the question's.
inline Error in_file(const TopologyQuestion& question, Error error) {
    if (error.where.empty()) {
        error.where = question.path;
    }
    return error;
}

}  // namespace hitopo

#endif
