// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What is kept of long lists while they are read. A Kubernetes node of 16 KB tells where it is in 500
// bytes.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_WANTED_FIELDS_H
#define OMPI_MCA_HITOPO_FILE_YAML_WANTED_FIELDS_H

#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

// Whether some reader looks at the field `key` of a map that is the value of `parent` ("": it is in a
// list, or in nothing). `labels`: hitopo_file_labels. All fields are wanted but those that no reader
// looks at and that lists of Kubernetes' nodes and of Google's instances consist of.
bool is_wanted_field(std::string_view parent, std::string_view key,
                     const std::vector<std::string>& labels);

}  // namespace hitopo

#endif
