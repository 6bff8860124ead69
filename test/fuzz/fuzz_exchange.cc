// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 1500
//
// The exchange's whole way from a message of all processes to addresses and domains, of any bytes; what
// jobs say, changed, is fuzz_messages'.
//
//   input = u8 kind, u8 number of processes, the message; with kHasVersion, behind its version
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "test/fuzz/exchange_way.h"

namespace {

enum Kind : std::uint8_t { kHasVersion = 2 };

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    hitopo::ByteWriter version;
    version.put_u16(hitopo::kRecordVersion);
    std::string bytes = (data[0] & kHasVersion) != 0 ? version.take() : "";
    bytes += std::string_view(reinterpret_cast<const char*>(data + 2), size - 2);
    hitopo::go_the_way(bytes, std::size_t{1} + data[1] % 6);
    return 0;
}
