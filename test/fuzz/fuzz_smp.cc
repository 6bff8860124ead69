// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Packets of the InfiniBand fabric. Input: one packet, which is cut or filled with zeros. Also as an
// answer to a question of ours by the route that the input's bytes are.
#include <algorithm>

#include "ompi/mca/hitopo/openib/smp.h"
#include "test/fuzz/require.h"

namespace hitopo {
namespace {

void check_data(const SmpData& data) {
    const FabricNode node = decode_node_info(data);
    require(node.num_ports >= 0 && node.num_ports <= 255);
    require(node.local_port >= 0 && node.local_port <= 255);
    (void)is_port_up(data);
    const std::string description = decode_node_description(data);
    require(description.size() <= data.size() && description.find('\0') == std::string::npos);
}

void check_question(const std::vector<std::uint8_t>& route, const Mad& bytes) {
    constexpr std::size_t kMethod = 3;
    constexpr std::uint8_t kGetResponse = 0x81;
    const std::uint32_t transaction = transaction_of(bytes);
    Mad mad = encode_smp({route, SmpRequest::kPortInfo, transaction}, transaction);
    require(!decode_smp(mad));  // a question is no reply
    mad[kMethod] = kGetResponse;
    const std::optional<SmpReply> reply = decode_smp(mad);
    require(reply && reply->is_good && transaction_of(mad) == transaction);
}

}  // namespace
}  // namespace hitopo

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hitopo;
    Mad mad = {};
    std::copy_n(data, std::min(size, mad.size()), mad.begin());
    if (const std::optional<SmpReply> reply = decode_smp(mad)) {
        check_data(reply->data);
    }
    check_question({data, data + size}, mad);
    return 0;
}
