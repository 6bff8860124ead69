// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// YAML by libyaml, where configure found it.
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_YAML_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_YAML_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/yaml_value.h"

namespace hitopo {

// The YamlParser of the component. kMalformed with line and column; kTooLarge where aliases multiply the
// values beyond a million, or lists and maps lie more than 64 deep; kUnreadable without libyaml.
Result<std::vector<YamlValue>> parse_yaml(const std::string& text);

}  // namespace hitopo

#endif
