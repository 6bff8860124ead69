// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Hosts of an InfiniBand fabric, and of Ethernet by the messages that their lldpd received.
#include <optional>
#include <sstream>
#include <utility>

#include "ompi/mca/hitopo/core/network/fabric.h"
#include "ompi/mca/hitopo/core/network/host_pattern.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/map/map.h"

namespace hitopo::map {
namespace {

// ---- InfiniBand ----

std::string name_or_guid(const std::string& name, std::uint64_t guid) {
    return name.empty() ? guid_to_string(guid) : name;
}

// The places at leaf switches. Islands are named after their first switch above, and where two would be
// named alike, by all of these.
class Leaves {
public:
    explicit Leaves(const Fabric& fabric) : fabric_(fabric) {}

    const Place& place_at(std::uint64_t leaf) {
        const auto [known, is_new] = by_guid_.emplace(leaf, Place());
        if (is_new) {
            const LeafUplinks uplinks = uplinks_of(fabric_, leaf);
            known->second.leaf = {name_or_guid(uplinks.name, leaf)};
            if (!uplinks.l2_switches.empty()) {
                known->second.island = island_of(uplinks);
            }
        }
        return known->second;
    }

private:
    Names island_of(const LeafUplinks& uplinks) {
        const std::string name = name_or_guid(uplinks.first_name, uplinks.l2_switches.front());
        if (by_name_.emplace(name, uplinks.l2_switches).first->second == uplinks.l2_switches) {
            return {name};
        }
        std::string all;
        for (const std::uint64_t guid : uplinks.l2_switches) {
            add_item(all, " ", guid_to_string(guid));
        }
        return {all, name};
    }

    const Fabric& fabric_;
    std::map<std::uint64_t, Place> by_guid_;
    std::map<std::string, std::vector<std::uint64_t>> by_name_;
};

// ---- LLDP (IEEE 802.1AB) ----

// The port that an interface is linked to, by its messages; empty where it is not known.
struct Neighbour {
    std::string interface, chassis, name, why_no_switch;
};

// "chassis": [{..}] is that object; null where there is none.
const Json& first_of(const Json& object, const char* key) {
    static const Json none;
    const Json& list = member(object, key);
    return list.is_array() && !list.empty() ? list.front() : none;
}

// "capability": [{"type": "Bridge", "enabled": true}, ..]
std::string why_no_switch(const Json& received, const Json& chassis) {
    const Json& capabilities = member(chassis, "capability");
    if (text_of(received, "via") != "LLDP") {
        return "received by " + text_of(received, "via") + ", not by LLDP";
    }
    if (text_of(first_of(chassis, "id"), "value").empty()) {
        return "it sends no chassis ID";
    }
    for (const Json& each : capabilities) {
        const std::string type = text_of(each, "type");
        if ((type == "Bridge" || type == "Router") && text_of(each, "enabled") == "true") {
            return "";
        }
    }
    return capabilities.empty() ? "it sends no capabilities, so it may not be a switch"
                                : "a host: neither Bridge nor Router is enabled";
}

// The switch of the first interface that has one, in natural order: ens2 before ens10.
std::optional<Neighbour> find_switch(const Json& answer, std::string& others) {
    std::optional<Neighbour> found;
    for (const Json& received : member(first_of(answer, "lldp"), "interface")) {
        const Json& chassis = first_of(received, "chassis");
        const Json& id = first_of(chassis, "id");
        const Neighbour neighbour = {
            text_of(received, "name"), text_of(id, "type") + ' ' + text_of(id, "value"),
            text_of(first_of(chassis, "name"), "value"), why_no_switch(received, chassis)};
        if (!neighbour.why_no_switch.empty()) {
            add_item(others, "; ", neighbour.interface + ": " + neighbour.why_no_switch);
        } else if (!found || compare_natural(neighbour.interface, found->interface) < 0) {
            found = neighbour;
        }
    }
    return found;
}

Names island_of(const std::optional<HostPattern>& pattern, const std::string& switch_name) {
    const std::optional<RawAddress> found = pattern ? pattern->match(switch_name) : std::nullopt;
    return found && (*found)[kIsland] ? Names{(*found)[kIsland]->visible().to_string()} : Names();
}

std::optional<HostPattern> read_pattern(Places& places) {
    constexpr std::string_view kAlsoInSwitches = " !#%&'()+/:;<=>?@[]~";  // system names are any text
    if (places.settings.pattern.empty()) {
        return std::nullopt;
    }
    Result<HostPattern> pattern = HostPattern::parse(places.settings.pattern, kAlsoInSwitches);
    if (!pattern) {
        places.left_out.add("--pattern: " + pattern.error().message, pattern.error().value);
        return std::nullopt;
    }
    return std::move(*pattern);
}

}  // namespace

void read_ibnetdiscover(std::string_view text, Places& places) {
    const Result<Fabric> fabric = parse_ibnetdiscover(text, places.left_out.file());
    if (!fabric) {
        places.left_out.add(fabric.error());
        return;
    }
    places.left_out.add(fabric->skipped);
    Leaves leaves(*fabric);
    std::map<std::string, const FabricPort*>
        first_ports;  // by host; of the first adapter, in natural order
    for (const FabricPort& port : fabric->ports) {
        // "node1 mlx5_0": an adapter's description begins with the host's name.
        const std::string host = port.description.substr(0, port.description.find(' '));
        const FabricPort*& first = first_ports[host];
        if (first == nullptr || compare_natural(port.description, first->description) < 0) {
            first = &port;
        }
    }
    for (const auto& [host, port] : first_ports) {
        places.add(host, leaves.place_at(port->switch_guid));
    }
}

// text = { HOST [ ":" ] JSON }      JSON of `lldpcli -f json0 show neighbors`
//
//   node1 {"lldp": [{"interface": [{"name": "ens1", "via": "LLDP", "chassis": [..], ..}, ..]}]}
void read_lldp(std::string_view text, Places& places) {
    const std::optional<HostPattern> pattern = read_pattern(places);
    std::istringstream stream{std::string(text)};
    std::map<std::string, std::string> chassis_of;  // by the switch's name: two switches may have one
    for (std::string host; stream >> host;) {
        host.resize(host.size() - (host.back() == ':' ? 1 : 0));
        const Result<Json> answer = read_json_value(stream, text);
        if (!answer) {
            places.left_out.add(answer.error());
            return;
        }
        std::string others;
        Place place;
        if (const std::optional<Neighbour> found = find_switch(*answer, others)) {
            const std::string& name = found->name.empty() ? found->chassis : found->name;
            const bool is_first =
                chassis_of.emplace(name, found->chassis).first->second == found->chassis;
            place.leaf = is_first ? Names{name} : Names{found->chassis, name};
            place.island = island_of(pattern, found->name);
        } else {
            places.left_out.add("its lldpd knows no switch" +
                                    (others.empty() ? "" : " (" + others + ')') +
                                    "; switches send every 30 s: look at `lldpcli show neighbors`",
                                host);
        }
        places.add(host, std::move(place));
    }
}

}  // namespace hitopo::map
