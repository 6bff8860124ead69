// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo map`: from the files of a cluster, a cloud or a fabric to a map, and whether the hosts of a
// job are in one.
#ifndef OMPI_TOOLS_HITOPO_MAP_MAP_H
#define OMPI_TOOLS_HITOPO_MAP_MAP_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/include_stack.h"
#include "ompi/tools/hitopo/map/places.h"
#include "ompi/tools/hitopo/program.h"

namespace hitopo::map {

struct Conversion {
    std::string map;  // with a head; "": no host has a place, or a file cannot be read
    std::vector<std::string> messages;
    int status = 0;  // 0; 1: something of the files was left out; 2: there is no map
};

// False: a file cannot be read.
bool read_files(const tool::MapOptions& options, const MapReader& read, Places& places);

// date: for the head.
Conversion convert(const tool::MapOptions& options, const MapReader& read, const std::string& date);

// Converts files ("-": standard input) and writes; returns the exit status.
int run(const tool::Options& options);

// Whether the processes' hosts are in the map that their component file read; processes: a document of
// each (docs/json.md).
tool::Rendered render_check(const std::string& path, const std::vector<std::string>& processes);

}  // namespace hitopo::map

#endif
