// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/channel.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

void StatusHeader::merge(const StatusHeader& other) {
    flags |= other.flags;
    absent = std::min(absent, other.absent);
    identity = std::max(identity, other.identity);
}

Received Channel::pass(std::uint32_t to, const StatusHeader& header, std::string_view bytes,
                       std::uint32_t from) {
    out_.header = header;
    out_.num_bytes = bytes.size();
    (void)bytes.copy(out_.bytes, out_.num_here());
    Received received;
    std::size_t num_left = 0;
    const std::size_t num_received = wire_.swap(to, &out_, out_.length(), from, &in_, sizeof in_);
    if (from != kNobody) {
        if (num_received < offsetof(FirstPart, bytes) || num_received != in_.length()) {
            throw MessageFailed{kErrorGeneric};
        }
        received.header = in_.header;
        num_left = in_.num_left();
        received.bytes.resize(in_.num_here() + num_left);
        std::copy_n(in_.bytes, in_.num_here(), received.bytes.begin());
    }
    const std::string_view unsent = bytes.substr(out_.num_here());
    if (!unsent.empty() || num_left > 0) {
        char* rest = received.bytes.data() + received.bytes.size() - num_left;
        if (wire_.swap(unsent.empty() ? kNobody : to, unsent.data(), unsent.size(),
                       num_left == 0 ? kNobody : from, rest, num_left) != num_left) {
            throw MessageFailed{kErrorGeneric};
        }
    }
    return received;
}

}  // namespace hitopo
