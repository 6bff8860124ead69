// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component file reads, apart from how it reads it. The command reads the same (hitopo order).
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_INPUT_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_INPUT_H

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/file/map_file.h"
#include "ompi/mca/hitopo/file/yaml/text_source.h"

namespace hitopo {

// How files are read.
struct FileAccess {
    FileAccess(MapReader whole, std::function<Result<TextSource>(const std::string& path)> pieces)
        : read(std::move(whole)), open(std::move(pieces)) {}
    // Files in memory, for tests.
    explicit FileAccess(MapReader whole);

    MapReader read;                                                   // maps and topology.conf
    std::function<Result<TextSource>(const std::string& path)> open;  // YAML and JSON, of any size
};

// Real files: regular ones only. kUnreadable, kTooLarge: `remedy` follows the reason, `where` names the
// variable or option that holds the path.
FileAccess regular_files(const std::string& remedy, const std::string& where);

// The MCA variables; empty where unset.
struct FileSettings {
    std::string path;          // hitopo_file_path
    std::string topology;      // hitopo_file_topology
    std::string labels;        // hitopo_file_labels: keys with commas
    std::string unknown = {};  // hitopo_file_unknown: words with commas
};

// What the open file tells of a process; nothing is no error.
using FileAnswers = std::function<Result<MapAnswer>(const MapProcess& process)>;

// Opens the map, topology.conf, YAML or JSON that is named; which one it is shows in its first line.
// Errors, of both calls, have file, line and column (an unreadable first file: none).
Result<FileAnswers> open_file(const FileSettings& settings, const FileAccess& files);

// Answers from it. A map may tell of single processes; any other file is of nodes, and read in the
// process that asks for its node, unless `published` has what rank 0 read of this node
// (file/hitopo_file_published.h).
void answer_file(const FileSettings& settings, const FileAccess& files, const Question& question,
                 Answer& answer, const std::string& published = "");

}  // namespace hitopo

#endif
