// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace hitopo::tool {
namespace {

Error cannot_write(const std::string& path) {
    return {Errc::kUnreadable,
            path.empty() ? "standard output" : path,
            std::string("cannot be written: ") + std::strerror(errno),
            "",
            0,
            0};
}

bool write_all(std::FILE* file, const std::string& text) {
    return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

}  // namespace

std::optional<Error> write_output(const std::string& text, const std::string& path) {
    if (path.empty()) {
        return write_all(stdout, text) ? std::nullopt : std::optional<Error>(cannot_write(path));
    }
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr) {
        return cannot_write(path);
    }
    std::optional<Error> error;
    if (!write_all(file, text)) {
        error = cannot_write(path);
    }
    if (std::fclose(file) != 0 && !error) {
        error = cannot_write(path);
    }
    return error;
}

}  // namespace hitopo::tool
