// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Fuzzers change a message, as the product made it, as their input asks for.
#ifndef TEST_FUZZ_CHANGES_H
#define TEST_FUZZ_CHANGES_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {

// What an index or a count must not be, or seldom is; n: how many there are of something.
inline std::uint64_t extreme(std::uint8_t choice, std::uint64_t n) {
    const std::array<std::uint64_t, 10> all = {
        0,     UINT64_MAX, INT32_MAX, UINT32_MAX, n,
        n + 1, n - 1,      INT64_MAX, UINT16_MAX, std::uint64_t{1} << 20};
    return all[choice % all.size()];
}

inline void overwrite(std::string& bytes, std::size_t at, std::string_view with) {
    const std::size_t length = std::min(with.size(), bytes.size() - at);
    bytes.replace(at, length, with.substr(0, length));
}

// changes: each is u8 how, u16 where, u8 what.
inline void change(std::string& message, std::string_view changes, std::uint64_t n) {
    for (; changes.size() >= 4 && !message.empty(); changes.remove_prefix(4)) {
        std::uint16_t where = 0;
        std::memcpy(&where, &changes[1], sizeof where);
        const std::size_t at = where % message.size();
        const auto what = static_cast<std::uint8_t>(changes[3]);
        const std::uint64_t number = extreme(what, n);
        ByteWriter whole;
        switch (static_cast<std::uint8_t>(changes[0]) % 7) {
            case 0:
                message[at] = static_cast<char>(what);
                break;
            case 1:
                message[at] = static_cast<char>(message[at] ^ 1 << what % 8);
                break;
            case 2:
                message.resize(at);
                break;
            case 3:  // arrays of a block lie at multiples of four
                whole.put_u32(static_cast<std::uint32_t>(number));
                overwrite(message, at / 4 * 4, whole.bytes());
                break;
            case 4:
                whole.put_u64(number);
                overwrite(message, at / 4 * 4, whole.bytes());
                break;
            case 5:  // at any place
                whole.put_u32(static_cast<std::uint32_t>(number));
                overwrite(message, at, whole.bytes());
                break;
            default:
                whole.put_varint(number);
                message.replace(at, 1, whole.bytes());
        }
    }
}

}  // namespace hitopo

#endif
