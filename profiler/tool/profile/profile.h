// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The profiler's document (docs/json.md, "profile") as values.
#ifndef PROFILER_TOOL_PROFILE_PROFILE_H
#define PROFILER_TOOL_PROFILE_PROFILE_H

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/document.h"
#include "profiler/record/record.h"

namespace hitopo::tool {

// The versions of the documents "profile", which this command reads, and "report".
inline constexpr int kProfileSchema = 2;

// All strings are as the document has them: use safe() before printing.

struct Profile {
    std::string version;
    int size = 0;
    int snapshot = 0;     // 0: at MPI_Finalize
    std::string part_of;  // of parts that processes wrote by themselves, the job; else ""
    double seconds = 0;
    std::vector<std::string> lanes;  // innermost first
    std::optional<int> max_peers;    // where there are no pairs, since the job has more processes
    std::optional<TableDocument> table;
    std::vector<ProcessRecord> processes;  // that took part, by rank; all indices are in range
    bool has_pairs = false;
    std::vector<KindRecord> kinds;
    std::vector<std::string> warnings;
};

// Gives ranks of the table the CPUs of their processes' cpusets.
void mark_allowed(Profile& profile);

// Reads to the file's end, any bytes; memory is a few times the numbers in it and not the text. The
// error names `name`, the position or the member, and the remedy.
Result<Profile> read_profile(std::FILE* file, const std::string& name);

// The file `path`, standard input for "-", or the parts in the folder `path`.
Result<Profile> open_profile(const std::string& path);

// The files RANK.json of a folder, parts that processes wrote by themselves, as one profile.
// kUnreadable, kMalformed: as open_profile.
Result<Profile> open_parts(const std::string& folder);

}  // namespace hitopo::tool

#endif
