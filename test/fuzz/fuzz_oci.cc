// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What curl may print, and what it may have been answered: a place has at least one id, all are short,
// and what people see of a level is not empty.
#include <cstdint>
#include <string_view>

#include "ompi/mca/hitopo/oci/hitopo_oci_json.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hitopo;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const CurlOutput output = split_curl_output(text);
    require(output.why_not.empty() || output.body.empty());
    for (const std::string_view body : {text, std::string_view(output.body)}) {
        const auto place = parse_oci_place(body);
        if (!place) {
            continue;
        }
        require(place->island.size() + place->network_block.size() + place->local_block.size() +
                    place->gpu_fabric.size() <=
                4 * 255);
        const auto island = island_of(*place);
        const auto leaf = switch_of(*place);
        require(!island || !island->visible().text().empty());
        require(!leaf || (leaf->path.size() == 4 && !leaf->visible().text().empty()));
    }
    return 0;
}
