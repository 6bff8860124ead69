// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// JSON by nlohmann's parser, which is three times as fast as libyaml: lists of nodes are large.
#ifndef OMPI_MCA_HITOPO_FILE_HITOPO_FILE_JSON_H
#define OMPI_MCA_HITOPO_FILE_HITOPO_FILE_JSON_H

#include <optional>

#include "ompi/mca/hitopo/file/yaml/text_source.h"
#include "ompi/mca/hitopo/file/yaml/yaml_builder.h"

namespace hitopo {

// All values of the text, each a document, as a cloud's tool prints pages; nothing where it is not JSON
// to its end, and so perhaps YAML. Errors: the builder's.
Result<std::optional<YamlDocuments>> parse_json(TextSource source, const IsWanted& is_wanted);

}  // namespace hitopo

#endif
