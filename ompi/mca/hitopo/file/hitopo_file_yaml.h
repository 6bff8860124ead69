// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Documents of YAML and JSON. YAML is read by libyaml, where configure found it.
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_YAML_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_YAML_H

#include <cstddef>
#include <string_view>

#include "ompi/mca/hitopo/file/yaml/text_source.h"
#include "ompi/mca/hitopo/file/yaml/yaml_builder.h"
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

namespace hitopo {

// Reads a text of any size, JSON or YAML, with what is wanted of it: takes time in proportion to the
// text, and beside the parser's buffers at most 8 times the memory of what is kept. Bytes that are no
// UTF-8 become text, \xe9. Of a text that breaks off, what is whole. The text is opened up to three
// times. Errors: YamlBuilder's, YamlText's and the source's; kMalformed where nothing is whole, with
// line and column; kUnreadable of YAML without libyaml.
Result<YamlDocuments> parse_yaml(const OpenText& open, const IsWanted& is_wanted);

// Also tells how many events it took of libyaml.
Result<YamlDocuments> parse_yaml_counting(const OpenText& open, const IsWanted& is_wanted,
                                          std::size_t& num_events);

// All of a text in memory: the YamlParser of the component.
Result<YamlDocuments> parse_text(std::string_view text);

}  // namespace hitopo

#endif
