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

// How files are read.
struct FileAccess {
    // All bytes; kUnreadable, or kTooLarge if there are more than `max_bytes`.
    std::function<Result<std::string>(const std::string& path, std::size_t max_bytes)> read;
    // The first bytes, in which it shows what kind of file this is.
    std::function<Result<std::string>(const std::string& path)> begin;
};

// Real files: regular ones only. kUnreadable, kTooLarge: `remedy` follows the reason, `where` names the
// variable or option that holds the path.
FileAccess regular_files(const std::string& remedy, const std::string& where);

// The MCA variables; empty where unset.
struct FileSettings {
    std::string path;      // hitopo_file_path
    std::string topology;  // hitopo_file_topology
    std::string labels;    // hitopo_file_labels: keys with commas
};

// What the open file tells of a process; nothing is no error.
using FileAnswers = std::function<Result<MapAnswer>(const MapProcess& process)>;

// Opens the map, topology.conf, YAML or JSON that is named; which one it is shows in its first line.
// Errors, of both calls, have file, line and column (an unreadable first file: none).
Result<FileAnswers> open_file(const FileSettings& settings, const FileAccess& files);

// Answers from it. A map may tell of single processes; any other file is of nodes, and read in the
// process that asks for its node.
void answer_file(const FileSettings& settings, const FileAccess& files, Reporter& reporter);

}  // namespace hitopo

#endif
