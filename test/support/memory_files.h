// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Files for component file that a test gives.
#ifndef TEST_SUPPORT_MEMORY_FILES_H
#define TEST_SUPPORT_MEMORY_FILES_H

#include <functional>
#include <string>

#include "ompi/mca/hitopo/file/hitopo_file_input.h"

namespace hitopo {

using ReadFile = std::function<Result<std::string>(const std::string& path, std::size_t max_bytes)>;

inline FileAccess memory_files(const ReadFile& read) {
    return {read, [read](const std::string& path) -> Result<std::string> {
                constexpr std::size_t kBytes = 65536;
                Result<std::string> text = read(path, std::string::npos);
                return text ? Result<std::string>(text->substr(0, kBytes)) : text;
            }};
}

inline FileAccess memory_file(const std::string& text) {
    return memory_files([text](const std::string&, std::size_t) { return text; });
}

}  // namespace hitopo

#endif
