// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What lldpcli may print. The node's switch is the same whatever order neighbours were heard in, and no
// host.
#include <algorithm>

#include "ompi/mca/hitopo/lldp/hitopo_lldp_input.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hitopo;
    const LldpcliOutput output = split_output({reinterpret_cast<const char*>(data), size});
    require(output.json.empty() || output.json.front() == '{');
    auto neighbours = parse_lldp_neighbours(output.json);
    if (!neighbours) {
        return 0;
    }
    require(neighbours->size() <= 256);
    sort_neighbours(*neighbours);
    auto reversed = *neighbours;
    std::reverse(reversed.begin(), reversed.end());
    sort_neighbours(reversed);
    const LldpNeighbour* found = find_switch(*neighbours);
    const LldpNeighbour* again = find_switch(reversed);
    require((found == nullptr) == (again == nullptr));
    if (found != nullptr) {
        require(found->forwards && to_switch(*found) == to_switch(*again));
        require(to_switch(*found).path.size() == 2 && !to_switch(*found).visible().text().empty());
    }
    for (const LldpNeighbour& neighbour : *neighbours) {
        require(describe(neighbour).size() < 1000);
    }
    return 0;
}
