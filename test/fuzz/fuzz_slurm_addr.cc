// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Slurm's topology address. Input: address, pattern, node name and host name, one a line.
#include <string>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/slurm/slurm_addr.h"
#include "test/fuzz/require.h"

namespace {

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    auto lines = hitopo::split(text, '\n');
    lines.resize(4);
    const auto address = hitopo::parse_slurm_address({lines[0], lines[1], lines[2], lines[3]});
    if (!address) {
        require(!address.error().message.empty() && !address.error().where.empty());
        return 0;
    }
    const hitopo::RawAddress& levels = address->levels;
    require(levels[hitopo::kNode] && levels[hitopo::kNode]->path.size() == 1);
    require(ends_with(lines[0], levels[hitopo::kNode]->visible().text()));
    require(!levels[hitopo::kSwitch] || !levels[hitopo::kSwitch]->visible().text().empty());
    require(!levels[hitopo::kIsland] || !levels[hitopo::kIsland]->visible().text().empty());
    require(!address->is_ambiguous || (levels[hitopo::kSwitch] && !levels[hitopo::kIsland]));

    // Another node of the same switch gets the same island and switch.
    const std::size_t num_above = lines[0].size() - levels[hitopo::kNode]->visible().text().size();
    const std::string other = std::string(lines[0].substr(0, num_above)) + "other-node";
    const auto peer = hitopo::parse_slurm_address({other, lines[1], "other-node", ""});
    require(peer.is_ok());
    require(peer->levels[hitopo::kSwitch] == levels[hitopo::kSwitch]);
    require(peer->levels[hitopo::kIsland] == levels[hitopo::kIsland]);
    return 0;
}
