// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/openib/smp.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

// Offsets in a directed-route SMP.
enum Offset : std::size_t {
    kBaseVersion = 0,
    kManagementClass = 1,
    kClassVersion = 2,
    kMethod = 3,
    kStatus = 4,
    kHopCount = 7,
    kTransaction = 12,  // its low half: the kernel owns the high one
    kAttribute = 16,
    kModifier = 20,
    kPermissiveLids = 32,
    kData = 64,
    kInitialPath = 128
};

constexpr std::uint8_t kDirectedRoute = 0x81;
constexpr std::uint8_t kGet = 0x01;
constexpr std::uint8_t kGetResponse = 0x81;
constexpr std::size_t kMaxHops = 63;

template <class Bytes>
void put(Bytes& bytes, std::size_t offset, std::uint64_t value, std::size_t num_bytes) {
    for (std::size_t i = 0; i < num_bytes; ++i) {
        bytes[offset + i] = static_cast<std::uint8_t>(value >> 8 * (num_bytes - 1 - i));
    }
}

template <class Bytes>
std::uint64_t get(const Bytes& bytes, std::size_t offset, std::size_t num_bytes) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < num_bytes; ++i) {
        value = value << 8 | bytes[offset + i];
    }
    return value;
}

}  // namespace

Mad encode_smp(const SmpRequest& request, std::uint32_t transaction) {
    Mad mad = {};
    const std::size_t num_hops = std::min(request.route.size(), kMaxHops);
    mad[kBaseVersion] = 1;
    mad[kManagementClass] = kDirectedRoute;
    mad[kClassVersion] = 1;
    mad[kMethod] = kGet;
    mad[kHopCount] = static_cast<std::uint8_t>(num_hops);
    put(mad, kTransaction, transaction, 4);
    put(mad, kAttribute, request.attribute, 2);
    put(mad, kModifier, request.modifier, 4);
    put(mad, kPermissiveLids, 0xffffffff, 4);
    std::copy_n(request.route.begin(), num_hops, mad.begin() + kInitialPath + 1);
    return mad;
}

std::uint32_t transaction_of(const Mad& mad) {
    return static_cast<std::uint32_t>(get(mad, kTransaction, 4));
}

std::optional<SmpReply> decode_smp(const Mad& mad) {
    if (mad[kManagementClass] != kDirectedRoute || mad[kMethod] != kGetResponse) {
        return std::nullopt;
    }
    constexpr std::uint64_t kDirectionBit = 0x8000;
    SmpReply reply = {};
    reply.is_good = (get(mad, kStatus, 2) & ~kDirectionBit) == 0;
    std::copy_n(mad.begin() + kData, reply.data.size(), reply.data.begin());
    return reply;
}

// NodeInfo (14.2.5.3): 2 node type (1 adapter, 2 switch, 3 router), 3 number of ports, 12 node GUID,
// 36 local port.
FabricNode decode_node_info(const SmpData& data) {
    constexpr std::uint8_t kSwitchType = 2;
    return {data[2] == kSwitchType, data[3], data[36], get(data, 12, 8)};
}

// PortInfo (14.2.5.6): 32 low half port state (1 down, 2 initialise, 3 armed, 4 active), 33 high half
// physical state (5 link up).
bool is_port_up(const SmpData& port_info) {
    constexpr unsigned kInitialise = 2;
    constexpr unsigned kLinkUp = 5;
    return (port_info[32] & 0xfU) >= kInitialise && port_info[33] >> 4 == kLinkUp;
}

std::string decode_node_description(const SmpData& data) {
    const auto* end = std::find(data.begin(), data.end(), 0);
    return std::string(trim(std::string_view(reinterpret_cast<const char*>(data.data()),
                                             static_cast<std::size_t>(end - data.begin()))));
}

}  // namespace hitopo
