// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component file reads, apart from how it reads it. The command reads the same (hitopo order).
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_INPUT_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_INPUT_H

#include <cstddef>
#include <functional>
#include <string>

#include "ompi/mca/hitopo/file/map_file.h"
#include "ompi/mca/hitopo/support/reporter.h"

namespace hitopo {

// The MapReader of real files: regular ones only. kUnreadable, kTooLarge.
Result<std::string> read_map_file(const std::string& path, std::size_t max_bytes);

// The MCA variables; empty where unset.
struct FileSettings {
    std::string path;          // hitopo_file_path
    std::string topology;      // hitopo_file_topology
    std::string labels;        // hitopo_file_labels: keys with commas
    std::string unknown = {};  // hitopo_file_unknown: words with commas
};

// What the open file tells of a process; nothing is no error.
using FileAnswers = std::function<Result<MapAnswer>(const MapProcess& process)>;

// Opens the map, topology.conf or topology.yaml that is named; which one it is shows in its first line.
// Errors, of both calls, have file, line and column (an unreadable first file: none).
Result<FileAnswers> open_file(const FileSettings& settings, const MapReader& reader);

// Answers from it.
void answer_file(const FileSettings& settings, const MapReader& reader, Reporter& reporter);

}  // namespace hitopo

#endif
