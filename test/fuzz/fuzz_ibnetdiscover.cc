// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// seeds: test/fixtures/fabrics
//
// Any bytes as an ibnetdiscover file: either a fabric in order, whose ports all have a place, or an
// error with a position.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "ompi/mca/hitopo/core/network/fabric.h"
#include "test/fuzz/require.h"

namespace {

template <class T>
bool is_ascending(const std::vector<T>& entries) {
    return std::adjacent_find(entries.begin(), entries.end(),
                              [](const T& a, const T& b) { return a.guid >= b.guid; }) == entries.end();
}

void check_fabric(const hitopo::Fabric& fabric, const std::string& text) {
    require(!fabric.switches.empty() && is_ascending(fabric.switches) && is_ascending(fabric.ports));
    for (const hitopo::FabricSwitch& one : fabric.switches) {
        for (const std::uint64_t guid : one.neighbours) {
            require(guid != one.guid && fabric.find_switch(guid) != nullptr);
        }
    }
    for (const hitopo::FabricPort& port : fabric.ports) {
        require(fabric.find_switch(port.switch_guid) != nullptr && port.lid <= 0xffff && port.line > 0);
    }
    if (!fabric.ports.empty()) {
        const hitopo::LeafUplinks uplinks = uplinks_of(fabric, fabric.ports.front().switch_guid);
        require(std::is_sorted(uplinks.l2_switches.begin(), uplinks.l2_switches.end()));
    }
    const hitopo::Result<hitopo::Fabric> twice = hitopo::parse_ibnetdiscover(text + "\n" + text, "f");
    require(twice && twice->switches.size() == fabric.switches.size() &&
            twice->ports.size() == fabric.ports.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const hitopo::Result<hitopo::Fabric> fabric = hitopo::parse_ibnetdiscover(text, "f");
    if (fabric) {
        check_fabric(*fabric, text);
        return 0;
    }
    const hitopo::Error& error = fabric.error();
    const bool is_empty = error.value.empty() && error.line == 0;
    require(!error.message.empty() && error.where == "f" &&
            (is_empty || (error.line > 0 && error.column > 0)));
    return 0;
}
