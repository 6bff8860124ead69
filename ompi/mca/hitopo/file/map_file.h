// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Maps: plain text that tells any level of any process, by host name or by rank. docs/levels.md
// describes the format.
#ifndef OMPI_MCA_HITOPO_FILE_MAP_FILE_H
#define OMPI_MCA_HITOPO_FILE_MAP_FILE_H

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/include_stack.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// The process that asks.
struct MapProcess {
    std::string_view host;  // by the rule of is_same_host
    int rank = 0;
};

struct MapAnswer {
    RawAddress levels;                           // relative to each other (make_relative)
    std::array<std::string, kNumLevels> source;  // "path:line" of each value
    std::map<std::string, RawValue> side;        // side resources, by the type's URI
    std::optional<Error> skipped;                // what of the file was left out, as kSkipped
    bool names_host = false;                     // a line or entry is of this host
};

// Reads the map at `path` to its end and answers what it tells about `process`: nothing is no error. A
// line that is wrong costs itself. Errors, where no line can be read or a limit is broken, have file,
// line and column (an unreadable first file: none).
Result<MapAnswer> read_map(const std::string& path, const MapProcess& process, const MapReader& reader);

}  // namespace hitopo

#endif
