// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPICH's network coordinates (MPIR_CVAR_COORDINATES_FILE), for its collectives: they order nothing.
#include <fmt/format.h>

#include <map>

#include "ompi/tools/hitopo/formats.h"

namespace hitopo::tool {
namespace {

// Numbers what lies in one place, in the order of first sight.
using Numbers = std::map<int, std::size_t>;

std::size_t number_in(Numbers& numbers, int value) {
    return numbers.emplace(value, numbers.size()).first->second;
}

}  // namespace

// What nobody knows is one place; a process that does not know its level is in one of its own kind.
std::string format_mpich_coordinates(const TableDocument& table) {
    std::string text = "# rank: group switch port\n";
    Numbers groups;
    std::map<int, Numbers> switches;
    std::map<std::pair<int, int>, Numbers> ports;
    for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
        const auto& address = table.ranks[rank].address;
        const std::pair<int, int> leaf = {address[kIsland], address[kSwitch]};
        text += fmt::format("{}: {} {} {}\n", rank, number_in(groups, leaf.first),
                            number_in(switches[leaf.first], leaf.second),
                            number_in(ports[leaf], address[kNode]));
    }
    return text;
}

}  // namespace hitopo::tool
