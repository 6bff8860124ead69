// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// InfiniBand's subnet management packets by directed route, as bytes: the questions that find a leaf
// switch and its links. Source: InfiniBand Architecture Specification 1.3, 13.4 and 14.2.
#ifndef OMPI_MCA_HITOPO_OPENIB_SMP_H
#define OMPI_MCA_HITOPO_OPENIB_SMP_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hitopo {

inline constexpr std::size_t kMadBytes = 256;
using Mad = std::array<std::uint8_t, kMadBytes>;
using SmpData = std::array<std::uint8_t, 64>;  // an attribute

struct SmpRequest {
    enum Attribute : std::uint16_t { kNodeDescription = 0x10, kNodeInfo = 0x11, kPortInfo = 0x15 };
    std::vector<std::uint8_t> route;  // the port to leave by, at each node; at most 63
    Attribute attribute;
    std::uint32_t modifier = 0;  // PortInfo: a port of the node at the route's end
};

// `transaction` comes back in the reply.
Mad encode_smp(const SmpRequest& request, std::uint32_t transaction);

// The transaction of any packet of ours, also one that came back unanswered.
std::uint32_t transaction_of(const Mad& mad);

struct SmpReply {
    bool is_good;  // status 0
    SmpData data;
};
// Any bytes; empty if they are no reply to a question of ours.
std::optional<SmpReply> decode_smp(const Mad& mad);

struct FabricNode {
    bool is_switch;
    int num_ports;
    int local_port;  // of the node, by which the question arrived
    std::uint64_t guid;
};
FabricNode decode_node_info(const SmpData& data);

// Whether the port has a link whose other end can answer.
bool is_port_up(const SmpData& port_info);

// Up to the first NUL, trimmed.
std::string decode_node_description(const SmpData& data);

}  // namespace hitopo

#endif
