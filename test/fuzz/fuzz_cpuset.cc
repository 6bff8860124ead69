// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// CpuSet::parse: any text is a set that its own notation gives back, or an error that points into it.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const hitopo::Result<hitopo::CpuSet> set = hitopo::CpuSet::parse(text);
    if (!set) {
        const auto column = static_cast<std::size_t>(set.error().column);
        require(column >= 1 && text.substr(column - 1, set.error().value.size()) == set.error().value);
        require(!set.error().message.empty());
        return 0;
    }
    const hitopo::Result<hitopo::CpuSet> again = hitopo::CpuSet::parse(set->to_string());
    require(again.is_ok() && *again == *set);
    hitopo::ByteWriter writer;
    hitopo::put_cpus(*set, writer);
    hitopo::ByteReader reader(writer.bytes());
    require(hitopo::get_cpus(reader) == *set && !reader.has_failed() && reader.num_left() == 0);
    hitopo::ByteReader anything(text);
    (void)hitopo::get_cpus(anything);
    return 0;
}
