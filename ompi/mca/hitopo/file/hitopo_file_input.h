// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component file reads, apart from how it reads it.
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_INPUT_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_INPUT_H

#include <cstddef>
#include <string>

#include "ompi/mca/hitopo/base/reporter.h"
#include "ompi/mca/hitopo/core/map_file.h"

namespace hitopo {

// The MapReader of real files: regular ones only. kUnreadable, kTooLarge.
Result<std::string> read_map_file(const std::string& path, std::size_t max_bytes);

// Answers from the map at `path`; "" is none.
void answer_file(const std::string& path, const MapReader& reader, Reporter& reporter);

}  // namespace hitopo

#endif
