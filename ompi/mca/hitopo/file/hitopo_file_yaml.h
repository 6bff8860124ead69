// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Documents of YAML and JSON. JSON is read by nlohmann's parser, which is three times as fast as
// libyaml: lists of nodes are large. YAML is read by libyaml, where configure found it.
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_YAML_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_YAML_H

#include <string_view>

#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

namespace hitopo {

// Takes time in proportion to the text. Of JSON each value is a document, as a cloud's tool prints
// pages; what is not JSON to its end is read as YAML, in which bytes that are no UTF-8 become text,
// \xe9. Errors have line and column: YamlBuilder's, kMalformed, kTooLarge of more than 64 %TAG lines,
// kUnreadable of YAML without libyaml.
Result<YamlDocuments> parse_yaml(std::string_view text);

}  // namespace hitopo

#endif
