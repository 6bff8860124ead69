// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// seeds: test/fixtures/topology-files
//
// `hitopo map` over any text: it writes a map of which the component file reads each line, or says why
// not.
#include "ompi/mca/hitopo/file/map_file.h"
#include "ompi/tools/hitopo/map/map.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hitopo;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto reader_of = [](const std::string& file) {
        return [file](const std::string& path, std::size_t) {
            return path == "file" ? Result<std::string>(file)
                                  : Error{Errc::kUnreadable, path, "no", "", 0, 0};
        };
    };
    tool::MapOptions options;
    options.files = {"file"};
    const map::Conversion conversion = map::convert(options, reader_of(text), "today");
    require(conversion.status == 0 || !conversion.messages.empty());
    require((conversion.status == 2) == conversion.map.empty());
    if (!conversion.map.empty()) {
        const Result<MapAnswer> answer = read_map("file", {"node1", 0}, reader_of(conversion.map));
        require(answer && !answer->skipped);
    }
    return 0;
}
