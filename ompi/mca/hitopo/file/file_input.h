// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The input of the component file. The command reads the same (hitopo order).
#ifndef OMPI_MCA_HITOPO_FILE_FILE_INPUT_H
#define OMPI_MCA_HITOPO_FILE_FILE_INPUT_H

#include <functional>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/file/map_file.h"

namespace hitopo {

// The way to read files.
struct FileAccess {
    MapReader read;  // maps and topology.conf
    // Enough to know the kind; empty: the whole does.
    std::function<Result<std::string>(const std::string& path)> begin = {};
};

// Real files: regular ones only. kUnreadable, kTooLarge: `remedy` follows the reason, `where` names the
// variable or option that holds the path.
FileAccess regular_files(const std::string& remedy, const std::string& where);

// The open file's answer for a process; an empty one is no error.
using FileAnswers = std::function<Result<MapAnswer>(const MapProcess& process)>;

// Opens the map or topology.conf at `path`, which its first line distinguishes. Of any other file the
// error has the command that writes a map of it. Errors, of both calls, have file, line and column (an
// unreadable first file, and one that is no map: none).
Result<FileAnswers> open_file(const std::string& path, const FileAccess& files);

// Answers from hitopo_file_path; "": it is not set. A map may name single processes; a topology.conf has
// nodes only, and is read in the process that asks for its node.
void answer_file(const std::string& path, const FileAccess& files, const Question& question,
                 Answer& answer);

// ---- file_kind.cc ----

enum class FileKind {
    kEmpty,          // comments at most
    kMap,            // or anything else
    kTopologyConf,   // Slurm's
    kIbnetdiscover,  // the tool's output
    kLldp,           // "HOST JSON" of `hitopo map --from lldp`
    kDocuments       // YAML or JSON
};

// The kind by the first line that is neither empty nor a comment.
FileKind file_kind(std::string_view text);

// The description of a file of which only `hitopo map` makes use: "lists Kubernetes nodes". text: its
// begin.
std::string described_kind(std::string_view text);

}  // namespace hitopo

#endif
