// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/report_path.h"

namespace hitopo {
namespace {

std::string expand(std::string_view pattern, long process) {
    std::string path;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
        if (next == 'p') {
            path += std::to_string(process);
        } else {
            path += pattern[i];
        }
        i += next == 'p' || next == '%' ? 1 : 0;
    }
    return path;
}

}  // namespace

std::string report_path(std::string_view pattern, int snapshot, long process) {
    std::string path = expand(pattern, process);
    if (snapshot > 0) {
        const std::size_t slash = path.rfind('/');
        const std::size_t dot = path.rfind('.');
        const bool has_suffix = dot != std::string::npos && (slash == std::string::npos || dot > slash);
        path.insert(has_suffix ? dot : path.size(), "." + std::to_string(snapshot));
    }
    return path;
}

}  // namespace hitopo
