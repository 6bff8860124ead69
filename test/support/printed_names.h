// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// GoogleTest prints names, values and addresses by these: 3 and "3" are a number and a text. All tests
// read this (test/precompiled.h), so that none prints their bytes.
#ifndef TEST_SUPPORT_PRINTED_NAMES_H
#define TEST_SUPPORT_PRINTED_NAMES_H

#include <ostream>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/address/name.h"

namespace hitopo {

inline void PrintTo(const Name& name, std::ostream* out) {
    const char* quote = name.is_number() ? "" : "\"";
    *out << quote << name.to_string() << quote;
}

// The path: "r2"/3/"n1".
inline void PrintTo(const RawValue& value, std::ostream* out) {
    const char* slash = "";
    for (const Name& name : value.path) {
        *out << slash;
        PrintTo(name, out);
        slash = "/";
    }
}

// The levels that are known: {switch "leaf1", node 7}.
inline void PrintTo(const RawAddress& address, std::ostream* out) {
    const char* before = "{";
    for (int level = 0; level < kNumLevels; ++level) {
        if (address[level]) {
            *out << before << level_name(static_cast<Level>(level)) << ' ';
            PrintTo(*address[level], out);
            before = ", ";
        }
    }
    *out << (*before == '{' ? "{}" : "}");
}

}  // namespace hitopo

#endif
