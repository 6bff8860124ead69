// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Help files in Open MPI's format. Its own reader does for HiTopo's files until 5.0; from 6.0 on it
// knows only those that Open MPI was built with.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_HELP_FILE_H
#define OMPI_MCA_HITOPO_CORE_TEXT_HELP_FILE_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

// The text of [topic] between two lines as Open MPI prints them. Each %s in it is the next of `values`,
// made safe for any terminal (core/text/safe_text.h); %l likewise, but line breaks in the value stay.
// Empty if there is no such topic.
std::optional<std::string> help_text(std::string_view file, std::string_view topic,
                                     const std::vector<std::string_view>& values);

}  // namespace hitopo

#endif
