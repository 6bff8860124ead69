// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Networks in YAML and JSON, through libyaml: an error has a position and a remedy.
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    (void)hitopo::is_yaml(text);
    hitopo::Skipped skipped;
    const auto place =
        hitopo::find_in_topology_yaml(text, {"file", "node1", ""}, hitopo::parse_text, skipped);
    for (const hitopo::Error& error : skipped.kept()) {
        require(error.where.compare(0, 4, "file") == 0 && error.line > 0 && !error.message.empty());
    }
    if (!place) {
        require(place.error().where.compare(0, 4, "file") == 0);
        require(place.error().line > 0 && place.error().column > 0 && !place.error().message.empty());
    }
    return 0;
}
