// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Raw values: the names that a component gives an island, a switch or a node, and their order.
#ifndef OMPI_MCA_HITOPO_CORE_ADDRESS_NAME_H
#define OMPI_MCA_HITOPO_CORE_ADDRESS_NAME_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"

namespace hitopo {

// A name or a number. Numbers stand before names.
class Name {
public:
    Name() = default;                                   // the empty name
    Name(std::string text) : text_(std::move(text)) {}  // NOLINT: implicit by intent
    Name(const char* text) : text_(text) {}             // NOLINT: implicit by intent
    static Name number(std::uint64_t value);

    bool is_number() const { return is_number_; }
    std::uint64_t number() const { return number_; }
    const std::string& text() const { return text_; }  // empty for a number
    std::string to_string() const;                     // what people see

private:
    bool is_number_ = false;
    std::uint64_t number_ = 0;
    std::string text_;
};

int compare(const Name& a, const Name& b);
inline bool operator==(const Name& a, const Name& b) { return compare(a, b) == 0; }
inline bool operator<(const Name& a, const Name& b) { return compare(a, b) < 0; }

// One level's raw value: a path, outermost first, whose last name people see. The names before it only
// make the value distinct ("r1" chassis 3 is not "r2" chassis 3) and are compared first. Never empty.
struct RawValue {
    std::vector<Name> path;

    RawValue() = default;
    RawValue(Name name) : path{std::move(name)} {}                 // NOLINT: implicit by intent
    RawValue(std::vector<Name> names) : path(std::move(names)) {}  // NOLINT: implicit by intent

    const Name& visible() const { return path.back(); }
    std::string to_string() const;  // the whole path, joined by '/'
};

int compare(const RawValue& a, const RawValue& b);
inline bool operator==(const RawValue& a, const RawValue& b) { return compare(a, b) == 0; }
inline bool operator<(const RawValue& a, const RawValue& b) { return compare(a, b) < 0; }

// 64-bit hash of a value, never 0, equal on all machines.
std::uint64_t hash_of(const RawValue& value);

// 64-bit hash of bytes (FNV-1a), never 0, equal on all machines.
std::uint64_t hash_bytes(std::string_view bytes);

// The values that one component found in one process; empty where it found none.
using RawAddress = std::array<std::optional<RawValue>, kNumLevels>;

// Makes each value's path start with those of all outer levels from the first that is known, an empty
// name for one that is not: switch 1 of island a is not switch 1 of cluster a. For components whose
// names are relative to their parent (host name patterns, maps).
void make_relative(RawAddress& address);

}  // namespace hitopo

#endif
