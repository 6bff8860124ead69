// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/lldp/hitopo_lldp_input.h"
#include "ompi/mca/hitopo/support/json_text.h"

namespace hitopo {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxNeighbours = 256;

// "chassis": [{..}] is that object; null where there is none.
const json& first_of(const json& object, const char* key) {
    static const json null;
    const json& list = json_member(object, key);
    return list.is_array() && !list.empty() ? list.front() : null;
}

// "name": [{"value": "leaf-1"}]
std::string value_of(const json& object, const char* key) {
    return json_text(first_of(object, key), "value");
}

// The name of an interface, where the port's id is none.
std::string port_of(const json& port) {
    const std::string description = value_of(port, "descr");
    return json_text(first_of(port, "id"), "type") == "ifname" || description.empty()
               ? value_of(port, "id")
               : description;
}

// "capability": [{"type": "Bridge", "enabled": true}, ..]
void read_capabilities(const json& list, LldpNeighbour& neighbour) {
    for (const json& capability : list.is_array() ? list : json::array()) {
        const std::string type = json_text(capability, "type");
        neighbour.tells_capabilities = true;
        neighbour.forwards = neighbour.forwards || ((type == "Bridge" || type == "Router") &&
                                                    json_member(capability, "enabled") == true);
    }
}

LldpNeighbour read_neighbour(const json& heard) {
    const json& chassis = first_of(heard, "chassis");
    LldpNeighbour neighbour;
    neighbour.interface = json_text(heard, "name");
    neighbour.protocol = json_text(heard, "via");
    neighbour.chassis_type = json_text(first_of(chassis, "id"), "type");
    neighbour.chassis = value_of(chassis, "id");
    neighbour.name = value_of(chassis, "name");
    neighbour.port = port_of(first_of(heard, "port"));
    read_capabilities(json_member(chassis, "capability"), neighbour);
    return neighbour;
}

}  // namespace

// {"lldp": [{"interface": [{"name": "ens1", "via": "LLDP", "chassis": [..], "port": [..]}, ..]}]}, or
// without "interface" where nothing was heard
std::optional<std::vector<LldpNeighbour>> parse_lldp_neighbours(std::string_view text) {
    const json document = parse_json(text);
    const json& lldp = first_of(document, "lldp");
    if (!lldp.is_object()) {
        return std::nullopt;
    }
    std::vector<LldpNeighbour> neighbours;
    const json& list = json_member(lldp, "interface");
    for (const json& heard : list.is_array() ? list : json::array()) {
        if (neighbours.size() < kMaxNeighbours) {
            neighbours.push_back(read_neighbour(heard));
        }
    }
    return neighbours;
}

// line = [time " [" rank "] "] text "\n"
//
//   2026-11-24T04:29:09 [WARN/control] unable to connect to socket /run/lldpd.socket: Permission denied
LldpcliOutput split_output(std::string_view text) {
    LldpcliOutput output;
    std::size_t begin = 0;
    while (begin < text.size() && text[begin] != '{') {
        const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
        const std::size_t rank = line.find("] ");
        const std::string_view said = trim(rank == line.npos ? line : line.substr(rank + 2));
        output.complaint = said.empty() ? output.complaint : std::string(said);
        begin += line.size() + 1;
    }
    output.json = text.substr(std::min(begin, text.size()));
    return output;
}

}  // namespace hitopo
