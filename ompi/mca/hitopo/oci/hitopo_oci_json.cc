// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/oci/hitopo_oci_json.h"

#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/json_text.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxIdBytes = 255;  // Oracle's own limit of an OCID
constexpr std::size_t kShownChars = 8;

std::string id_at(const nlohmann::json& document, const char* key) {
    std::string id = json_text(document, key);
    return id.size() <= kMaxIdBytes ? id : "";
}

// "ocid1.hpcisland.oc1.iad.anuwc..xyz4kq2a" as "xyz4kq2a"; its beginning is the same for many.
Name shown(const std::string& id) {
    const bool is_long = id.substr(0, 6) == "ocid1." && id.size() > kShownChars;
    return Name(is_long ? id.substr(id.size() - kShownChars) : id);
}

// With those of `around` that are known.
RawValue value_of(const std::vector<std::string>& around, const std::string& id) {
    std::vector<Name> path(around.begin(), around.end());
    path.emplace_back(id);
    path.push_back(shown(id));
    return path;
}

}  // namespace

std::optional<OciPlace> parse_oci_place(std::string_view json) {
    const nlohmann::json document = parse_json(json);
    const OciPlace place = {
        id_at(document, "customerHPCIslandId"), id_at(document, "customerNetworkBlock"),
        id_at(document, "customerLocalBlock"), id_at(document, "customerGpuMemoryFabric")};
    const bool is_empty = place.island.empty() && place.network_block.empty() &&
                          place.local_block.empty() && place.gpu_fabric.empty();
    return is_empty ? std::nullopt : std::optional(place);
}

std::optional<RawValue> island_of(const OciPlace& place) {
    return place.island.empty() ? std::nullopt : std::optional(value_of({}, place.island));
}

std::optional<RawValue> switch_of(const OciPlace& place) {
    return place.local_block.empty()
               ? std::nullopt
               : std::optional(value_of({place.island, place.network_block}, place.local_block));
}

CurlOutput split_curl_output(std::string_view text) {
    constexpr std::string_view kComplaint = "curl: (";
    const std::size_t complaint = text.rfind(kComplaint);
    if (complaint != text.npos) {
        const std::string_view line = text.substr(complaint);
        return {"", std::string(line.substr(0, line.find('\n')))};
    }
    const std::size_t last_line = text.rfind('\n');
    const std::string_view status = last_line == text.npos ? "" : trim(text.substr(last_line + 1));
    if (status == "200") {
        return {std::string(text.substr(0, last_line)), ""};
    }
    return {"",
            status.empty() ? "it printed no status" : "HTTP status " + std::string(status.substr(0, 3))};
}

}  // namespace hitopo
