// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/lldp/lldp_neighbour.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxNameBytes = 255;  // of a text in a frame
constexpr std::size_t kMaxShownBytes = 64;

std::string shown(std::string_view text) {
    return text.size() <= kMaxShownBytes ? std::string(text)
                                         : std::string(text.substr(0, kMaxShownBytes)) + "..";
}

std::string typed_chassis(const LldpNeighbour& neighbour) {
    return neighbour.chassis_type + ' ' + neighbour.chassis;
}

}  // namespace

std::string why_no_switch(const LldpNeighbour& neighbour) {
    if (neighbour.protocol != "LLDP") {
        return "received by " + shown(neighbour.protocol) + ", not by LLDP";
    }
    if (neighbour.chassis.empty()) {
        return "it sends no chassis ID";
    }
    if (std::max({neighbour.chassis.size(), neighbour.chassis_type.size(), neighbour.name.size()}) >
        kMaxNameBytes) {
        return "its name has more than 255 bytes, which LLDP does not allow";
    }
    if (!neighbour.tells_capabilities) {
        return "it sends no capabilities, so it may not be a switch";
    }
    return neighbour.forwards ? "" : "a host: neither Bridge nor Router is enabled";
}

RawValue to_switch(const LldpNeighbour& neighbour) {
    const std::string chassis = typed_chassis(neighbour);
    return std::vector<Name>{Name(chassis), Name(neighbour.name.empty() ? chassis : neighbour.name)};
}

std::string describe(const LldpNeighbour& neighbour) {
    const std::string chassis = shown(typed_chassis(neighbour));
    const std::string port = neighbour.port.empty() ? "" : ", port " + shown(neighbour.port);
    const std::string why = why_no_switch(neighbour);
    return shown(neighbour.interface) + " is linked to " +
           (neighbour.name.empty() ? chassis : shown(neighbour.name) + " (" + chassis + ')') + port +
           (why.empty() ? "" : ": " + why);
}

void sort_neighbours(std::vector<LldpNeighbour>& neighbours) {
    std::sort(neighbours.begin(), neighbours.end(), [](const LldpNeighbour& a, const LldpNeighbour& b) {
        if (a.has_rdma != b.has_rdma) {
            return a.has_rdma;
        }
        if (!a.has_rdma && a.speed_mbps != b.speed_mbps) {
            return a.speed_mbps > b.speed_mbps;
        }
        const int order = compare_natural(a.interface, b.interface);
        return order != 0 ? order < 0
                          : std::tie(a.chassis_type, a.chassis, a.name, a.port, a.protocol) <
                                std::tie(b.chassis_type, b.chassis, b.name, b.port, b.protocol);
    });
}

const LldpNeighbour* find_switch(const std::vector<LldpNeighbour>& neighbours) {
    const auto found =
        std::find_if(neighbours.begin(), neighbours.end(),
                     [](const LldpNeighbour& neighbour) { return why_no_switch(neighbour).empty(); });
    return found != neighbours.end() ? &*found : nullptr;
}

}  // namespace hitopo
