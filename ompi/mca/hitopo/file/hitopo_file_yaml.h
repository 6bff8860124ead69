// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// YAML by libyaml, where configure found it.
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_YAML_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_YAML_H

#include <cstddef>
#include <string_view>

#include "ompi/mca/hitopo/file/yaml_value.h"

namespace hitopo {

// The YamlParser of the component: takes time in proportion to the text, and beside libyaml's buffers at
// most 8 times its memory. Bytes that are no UTF-8 become text, \xe9. Of a text that breaks off, what is
// whole. kMalformed, where nothing is, with line and column; kTooLarge where lists and maps lie more
// than 64 deep, where there are more than a million values, as often as aliases repeat them, or more
// than one for each four bytes, and where there are more than 256 anchors or 64 %TAG lines; kUnreadable
// without libyaml.
Result<YamlDocuments> parse_yaml(std::string_view text);

// Also tells how many events it took of libyaml.
Result<YamlDocuments> parse_yaml_counting(std::string_view text, std::size_t& num_events);

}  // namespace hitopo

#endif
