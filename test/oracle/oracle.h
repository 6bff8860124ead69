// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the design's sentences say of a job, worked out slowly with maps and sets and without the code
// under test: who shares a node, which value stands, who is where inside, addresses and domains.
#ifndef TEST_ORACLE_ORACLE_H
#define TEST_ORACLE_ORACLE_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "test/core/record/fake_job.h"

namespace hitopo::oracle {

// ---- names (oracle_names.cc) ----

// Keys whose own order is the order of names: numbers before names, runs of digits as numbers, ties by
// bytes.
using Token = std::tuple<unsigned char, std::size_t, std::string>;
using NameKey = std::tuple<bool, std::uint64_t, std::vector<Token>, std::string>;
using ValueKey = std::vector<NameKey>;
NameKey key_of(const Name& name);
ValueKey key_of(const RawValue& value);

// ---- nodes (oracle_nodes.cc) ----

// In the order of values: the component of the highest priority first, then by its name.
struct Value {
    int minus_priority = 0;
    std::string component;
    ValueKey value;

    friend bool operator<(const Value& a, const Value& b) {
        return std::tie(a.minus_priority, a.component, a.value) <
               std::tie(b.minus_priority, b.component, b.value);
    }
    friend bool operator!=(const Value& a, const Value& b) { return a < b || b < a; }
};

struct Node {
    std::vector<std::uint32_t> ranks;
    std::tuple<NameKey, ValueKey, std::uint64_t> order;  // the name that people see, path, identity
    std::array<std::optional<Value>, kNode> network;
};

// What a process tells of one level: the two components that could win.
std::vector<const ComponentAnswer*> offers_of(const FakeProcess& process, Level level);

// By their order.
std::vector<Node> nodes_of(const FakeJob& job);

// ---- inside a node (oracle_inside.cc) ----

// -1: unknown, or restricted to none.
struct Inside {
    std::map<Level, int> number = {{kL2Numa, -1}, {kSocket, -1}, {kCore, -1}, {kHwThread, -1}};
    std::map<std::string, int> instances;  // by type of the machine
};
// By rank.
std::vector<Inside> insides_of(const FakeJob& job, const std::vector<Node>& nodes);

// ---- the whole (oracle.cc) ----

struct Expected {
    std::vector<Address> addresses;                   // by member
    std::map<Level, std::set<int>> numbers;           // those that occur; -1: unknown to some
    std::map<std::string, std::vector<int>> domains;  // by URI, then by member; -1: none
};
// members: ranks of the job that form a communicator, in its order.
Expected expect(const FakeJob& job, const std::vector<std::uint32_t>& members);

}  // namespace hitopo::oracle

#endif
