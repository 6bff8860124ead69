// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A file of nodes that one process of the job reads (hitopo_file_shared): what it tells of the job's
// nodes goes to the others as a text, by PMIx.
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_PUBLISHED_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_PUBLISHED_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/file/hitopo_file_input.h"

namespace hitopo {

// What the file tells of each of these hosts, as JSON; hosts that it does not name are left out. Empty
// if that is more than max_bytes, or the file cannot be used: then each node reads it.
std::string publish_places(const FileAnswers& file, const std::vector<std::string>& hosts,
                           std::size_t max_bytes);

// The answer for the first of these names of a node that is published; nothing if none is, or the text
// is not one of publish_places.
std::optional<MapAnswer> find_published(const std::string& published,
                                        const std::vector<std::string>& names);

}  // namespace hitopo

#endif
