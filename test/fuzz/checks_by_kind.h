// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef TEST_FUZZ_CHECKS_BY_KIND_H
#define TEST_FUZZ_CHECKS_BY_KIND_H

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

// The first byte of the input says which check takes the rest. The fuzzer's result.
inline int check_by_kind(const std::uint8_t *data, std::size_t size,
                         const std::vector<void (*)(std::string_view)> &checks)
{
    if (size > 0) {
        checks[data[0] % checks.size()]({reinterpret_cast<const char *>(data) + 1, size - 1});
    }
    return 0;
}

#endif
