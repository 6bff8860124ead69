// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component file reads, apart from how it reads it.
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_INPUT_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_INPUT_H

#include <cstddef>
#include <string>

#include "ompi/mca/hitopo/file/map_file.h"
#include "ompi/mca/hitopo/support/reporter.h"

namespace hitopo {

// The MapReader of real files: regular ones only. kUnreadable, kTooLarge.
Result<std::string> read_map_file(const std::string& path, std::size_t max_bytes);

// The MCA variables; empty where unset.
struct FileSettings {
    std::string path;      // hitopo_file_path
    std::string topology;  // hitopo_file_topology
    std::string labels;    // hitopo_file_labels: keys with commas
};

// Answers from the map, topology.conf or topology.yaml that is named.
void answer_file(const FileSettings& settings, const MapReader& reader, Reporter& reporter);

}  // namespace hitopo

#endif
