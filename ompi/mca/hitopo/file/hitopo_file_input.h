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

namespace hitopo {

// How files are read.
struct FileAccess {
    FileAccess(MapReader whole, std::function<Result<std::string>(const std::string& path)> first)
        : read(std::move(whole)), begin(std::move(first)) {}
    // Files in memory, for tests.
    explicit FileAccess(MapReader whole);

    MapReader read;                                                     // maps and topology.conf
    std::function<Result<std::string>(const std::string& path)> begin;  // enough to know the kind
};

// Real files: regular ones only. kUnreadable, kTooLarge: `remedy` follows the reason, `where` names the
// variable or option that holds the path.
FileAccess regular_files(const std::string& remedy, const std::string& where);

// What the open file tells of a process; nothing is no error.
using FileAnswers = std::function<Result<MapAnswer>(const MapProcess& process)>;

// Opens the map or topology.conf that is named; which one it is shows in its first line. Of any other
// file the error has the command that writes a map of it. Errors, of both calls, have file, line and
// column (an unreadable first file, and one that is no map: none).
Result<FileAnswers> open_file(const std::string& path, const FileAccess& files);

// Answers from hitopo_file_path; "": it is not set. A map may tell of single processes; a topology.conf
// is of nodes, and read in the process that asks for its node.
void answer_file(const std::string& path, const FileAccess& files, const Question& question,
                 Answer& answer);

}  // namespace hitopo

#endif
