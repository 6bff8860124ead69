// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// For fuzzers of the command: what it prints holds no character that a terminal would obey.
#ifndef TEST_FUZZ_HARMLESS_H
#define TEST_FUZZ_HARMLESS_H

#include <string>

#include "ompi/tools/hitopo/render.h"
#include "test/fuzz/require.h"

namespace hitopo::tool {

inline void require_harmless(const std::string& text, Charset charset) {
    require(num_columns(text) <= text.size());
    std::string line;
    for (const char c : text) {
        line += c == '\n' ? ' ' : c;
    }
    require(safe(line, charset) == line);
}

// Either a text or an error.
inline void require_harmless(const Rendered& rendered, Charset charset) {
    require_harmless(rendered.text, charset);
    require_harmless(rendered.error, Charset::kAscii);
    require(rendered.text.empty() != rendered.error.empty());
}

}  // namespace hitopo::tool

#endif
