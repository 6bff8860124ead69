// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// seeds: examples/maps
//
// Maps. The input is the map and what all of its includes but the map itself hold.
#include <string>

#include "ompi/mca/hitopo/file/map_file.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    int num_files = 0;
    const hitopo::MapReader reader = [&](const std::string& path,
                                         std::size_t) -> hitopo::Result<std::string> {
        require(++num_files <= hitopo::kMaxMapFiles);
        if (path.find('!') != std::string::npos) {
            return hitopo::Error{hitopo::Errc::kUnreadable, path, "no such file", "", 0, 0};
        }
        return text;
    };
    for (const hitopo::MapProcess& process : {hitopo::MapProcess{"node1", 0}, {"n2.example.org", 7}}) {
        num_files = 0;
        const auto answer = hitopo::read_map("a/map", process, reader);
        if (!answer) {
            const hitopo::Error& error = answer.error();
            require(error.line >= 1 && error.column >= 1 && !error.where.empty());
            require(!error.message.empty());
            continue;
        }
        require(!answer->skipped || (answer->skipped->line >= 1 && !answer->skipped->message.empty()));
        for (std::size_t i = 0; i < answer->levels.size(); ++i) {
            require(answer->levels[i].has_value() != answer->source[i].empty());
        }
    }
    return 0;
}
