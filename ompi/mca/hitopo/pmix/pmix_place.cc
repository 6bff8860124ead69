// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/pmix/pmix_place.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::string_view kDimensionsRemedy =
    "write a word for each dimension of the coordinate, outermost first and separated by commas: "
    "island, switch or -, each level once and island before switch";

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        add_item(text, ",", word);
    }
    return text;
}

std::string to_string(const std::vector<std::uint32_t>& coordinate) {
    std::string text;
    for (const std::uint32_t number : coordinate) {
        add_item(text, ".", std::to_string(number));
    }
    return text;
}

std::string named(const PmixDevice& device) {
    return to_string(device.coordinate) + (device.name.empty() ? "" : " of " + device.name);
}

// ---- groups ----

struct Groups {
    std::vector<std::uint64_t> mine;  // that list this node
    std::optional<Error> error;
};

// "0:n0,n2;1:n1,n3"; a ';' may end it.
Groups find_groups(std::string_view text, std::string_view name, std::string_view host_name) {
    Groups groups;
    for (const std::string_view piece : split(text, ';')) {
        const std::size_t colon = piece.find(':');
        const auto number = parse_number(trim(piece.substr(0, colon)));
        if (trim(piece).empty()) {
            continue;
        }
        if (colon == std::string_view::npos || !number) {
            groups.error = Error{Errc::kMalformed, std::string(piece.substr(0, 64)),
                                 "a group of the fabric must be a number, a colon and node names "
                                 "separated by commas; report this to the developers of the launcher, "
                                 "or exclude the component with --mca hitopo ^pmix",
                                 "PMIX_FABRIC_GROUPS"};
            return groups;
        }
        const std::vector<std::string_view> nodes = split(piece.substr(colon + 1), ',');
        if (std::any_of(nodes.begin(), nodes.end(), [&](std::string_view node) {
                return is_same_host(trim(node), name) || is_same_host(trim(node), host_name);
            })) {
            groups.mine.push_back(*number);
        }
    }
    return groups;
}

void place_in_group(const PmixFacts& facts, std::string_view host_name, PmixPlace& place) {
    std::string& reason = place.reasons[kIsland];
    if (facts.groups.empty()) {
        reason = "PMIx has no fabric groups";
        return;
    }
    const Groups groups = find_groups(facts.groups, facts.host_name, host_name);
    place.error = groups.error;
    if (groups.error) {
        reason = "PMIX_FABRIC_GROUPS is malformed";
    } else if (groups.mine.size() == 1) {
        place.levels[kIsland] = RawValue(Name::number(groups.mine.front()));
        reason = "PMIX_FABRIC_GROUPS lists this node in group " + std::to_string(groups.mine.front());
    } else {
        reason = groups.mine.empty() ? "PMIX_FABRIC_GROUPS does not list this node"
                                     : "PMIX_FABRIC_GROUPS lists this node in several groups";
    }
}

// ---- switches ----

void place_at_switches(std::vector<std::string> switches, PmixPlace& place) {
    switches.erase(std::remove(switches.begin(), switches.end(), ""), switches.end());
    std::sort(switches.begin(), switches.end(),
              [](const std::string& a, const std::string& b) { return compare_natural(a, b) < 0; });
    switches.erase(std::unique(switches.begin(), switches.end()), switches.end());
    if (switches.empty()) {
        place.reasons[kSwitch] = "PMIx has no switch information";
        return;
    }
    place.levels[kSwitch] = RawValue(Name(joined(switches)));
    place.reasons[kSwitch] = "PMIX_SWITCH_PEERS names switch " + joined(switches);
}

// ---- coordinates ----

// Those of the fabric of the lowest number that has any: coordinates of two fabrics cannot be compared.
std::vector<PmixDevice> devices_of_first_fabric(std::vector<PmixDevice> devices) {
    devices.erase(std::remove_if(devices.begin(), devices.end(),
                                 [](const PmixDevice& device) { return device.coordinate.empty(); }),
                  devices.end());
    std::stable_sort(devices.begin(), devices.end(),
                     [](const PmixDevice& a, const PmixDevice& b) { return a.fabric < b.fabric; });
    while (!devices.empty() && devices.back().fabric != devices.front().fabric) {
        devices.pop_back();
    }
    return devices;
}

Error coordinate_error(const PmixDevice& device, const std::string& message) {
    return {Errc::kMalformed, named(device), message, "PMIX_FABRIC_COORDINATES"};
}

std::optional<Error> check(const std::vector<PmixDevice>& devices, std::size_t num_dimensions) {
    for (const PmixDevice& device : devices) {
        if (device.coordinate.size() != num_dimensions) {
            return coordinate_error(device, "hitopo_pmix_dimensions has " +
                                                std::to_string(num_dimensions) + " words for " +
                                                std::to_string(device.coordinate.size()) +
                                                " dimensions: write one word for each dimension");
        }
        if (std::count_if(devices.begin(), devices.end(), [&](const PmixDevice& other) {
                return other.coordinate == device.coordinate;
            }) != 1) {
            return coordinate_error(device,
                                    "several devices of this node have this coordinate, so it is no "
                                    "position: unset hitopo_pmix_dimensions");
        }
    }
    return std::nullopt;
}

RawValue outer_part(const std::vector<std::uint32_t>& coordinate, std::size_t num_dimensions) {
    std::vector<Name> path;
    for (std::size_t i = 0; i < num_dimensions; ++i) {
        path.push_back(Name::number(coordinate[i]));
    }
    return RawValue(path);
}

void place_level(Level level, const std::vector<PmixDevice>& devices, std::size_t num_dimensions,
                 PmixPlace& place) {
    std::string& reason = place.reasons[level];
    const RawValue value = outer_part(devices.front().coordinate, num_dimensions);
    const auto other = std::find_if(devices.begin(), devices.end(), [&](const PmixDevice& device) {
        return !(outer_part(device.coordinate, num_dimensions) == value);
    });
    if (other != devices.end()) {
        reason += "; this node has several positions: coordinates " + named(devices.front()) + ", " +
                  named(*other);
        return;
    }
    place.levels[level] = value;
    reason =
        "coordinate " + named(devices.front()) + ", up to dimension " + std::to_string(num_dimensions);
}

void place_by_coordinates(const std::vector<PmixDevice>& devices, const PmixDimensions& dimensions,
                          PmixPlace& place) {
    if (devices.empty()) {
        return;
    }
    if (dimensions.empty()) {
        const std::string text = "; the meaning of coordinate " + named(devices.front()) +
                                 " is not set (hitopo_pmix_dimensions)";
        for (const Level level : {kIsland, kSwitch}) {
            place.reasons[level] += place.levels[level] ? "" : text;
        }
        return;
    }
    if (const std::optional<Error> error = check(devices, dimensions.size())) {
        place.error = place.error ? place.error : error;
        return;
    }
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
        if (dimensions[i] && !place.levels[*dimensions[i]]) {
            place_level(*dimensions[i], devices, i + 1, place);
        }
    }
}

// ---- node ----

std::string known_of_node(const PmixFacts& facts) {
    std::vector<std::string> known;
    if (!facts.host_name.empty()) {
        known.push_back(" PMIX_HOSTNAME is " + facts.host_name);
    }
    if (facts.node_id) {
        known.push_back(" PMIX_NODEID is " + std::to_string(*facts.node_id));
    }
    if (!facts.locality.empty()) {
        known.push_back(" PMIX_LOCALITY_STRING is " + facts.locality);
    }
    return known.empty() ? " PMIx has no data of the node" : joined(known);
}

void place_on_node(const PmixFacts& facts, std::string_view host_name, PmixPlace& place) {
    if (!host_name.empty()) {
        place.reasons[kNode] = "left to the host name;" + known_of_node(facts);
        return;
    }
    if (!facts.host_name.empty()) {
        place.levels[kNode] = RawValue(Name(facts.host_name));
    } else if (facts.node_id) {
        place.levels[kNode] = RawValue(Name::number(*facts.node_id));
    }
    place.reasons[kNode] = "this machine has no host name;" + known_of_node(facts);
}

}  // namespace

Result<PmixDimensions> parse_pmix_dimensions(std::string_view text) {
    PmixDimensions dimensions;
    int column = 1;
    std::optional<Level> last;
    for (const std::string_view word :
         trim(text).empty() ? std::vector<std::string_view>() : split(text, ',')) {
        const std::optional<Level> level = parse_level(trim(word));
        const bool is_level =
            level && (*level == kIsland || *level == kSwitch) && (!last || *last < *level);
        if (!is_level && trim(word) != "-") {
            return Error{
                Errc::kMalformed, std::string(word), std::string(kDimensionsRemedy), "", 0, column};
        }
        last = is_level ? level : last;
        dimensions.push_back(is_level ? level : std::nullopt);
        column += static_cast<int>(word.size()) + 1;
    }
    return dimensions;
}

PmixPlace place_by_pmix(const PmixFacts& facts, const PmixDimensions& dimensions,
                        std::string_view host_name) {
    PmixPlace place;
    place_in_group(facts, host_name, place);
    place_at_switches(facts.switches, place);
    place_by_coordinates(devices_of_first_fabric(facts.devices), dimensions, place);
    place_on_node(facts, host_name, place);
    return place;
}

}  // namespace hitopo
