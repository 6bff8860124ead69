// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where the text goes.
#ifndef OMPI_TOOLS_HITOPO_OUTPUT_H
#define OMPI_TOOLS_HITOPO_OUTPUT_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo::tool {

// All of `text` to the file `path`, or to standard output if it is empty, as far as the system
// confirms it. A file gets its name when it is whole; what is no file (a pipe, a device) is written as
// it comes, and a link only where nobody else made it (support/written_file.h).
std::optional<Error> write_output(const std::string& text, const std::string& path);

// Returns the error that write_output would give for a file or folder whatever the text is, for before
// long work; none for a link, pipe or device. Leaves nothing behind.
std::optional<Error> probe_output(const std::string& path);

// A line for each of these files, with the local time at which it was written, the oldest first; those
// that cannot be looked at come first, with the reason.
std::string listed_by_time(const std::vector<std::string>& paths);

}  // namespace hitopo::tool

#endif
