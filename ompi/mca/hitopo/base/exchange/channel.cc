// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/channel.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

int first_failure(std::initializer_list<int> statuses) {
    const auto* failed =
        std::find_if(statuses.begin(), statuses.end(), [](int s) { return s != kSuccess; });
    return failed == statuses.end() ? kSuccess : *failed;
}

}  // namespace

void StatusHeader::merge(const StatusHeader& other) {
    flags |= other.flags;
    if (other.failed < failed) {
        failed = other.failed;
        status = other.status;
    }
    absent = std::min(absent, other.absent);
    identity = std::max(identity, other.identity);
}

void StatusHeader::fail(std::uint32_t process, int code) {
    if (code != kSuccess && process < failed) {
        failed = process;
        status = code;
    }
}

Channel::Passed Channel::pass(std::uint32_t to, const StatusHeader& header, std::string_view bytes,
                              std::uint32_t from, Received& received) {
    out_.header = header;
    out_.num_bytes = bytes.size();
    (void)bytes.copy(out_.bytes, out_.num_here());
    received.bytes.clear();
    const ExchangeWire::Swapped first = wire_.swap(to, &out_, out_.length(), from, &in_, sizeof in_);
    const bool has_come = from != kNobody && first.received == kSuccess &&
                          first.num_received >= offsetof(FirstPart, bytes) &&
                          first.num_received == in_.length();
    const std::size_t num_here = has_come ? in_.num_here() : 0;
    const std::size_t num_left = has_come ? in_.num_left() : 0;
    if (has_come) {
        received.header = in_.header;
    }
    const int has_memory = guarded([&] { received.bytes.resize(num_here + num_left); });
    if (has_memory == kSuccess) {
        std::copy_n(in_.bytes, num_here, received.bytes.begin());
    }
    const std::string_view unsent = bytes.substr(out_.num_here());
    ExchangeWire::Swapped rest = {kSuccess, kSuccess, 0};
    if (!unsent.empty() || num_left > 0) {
        rest = wire_.swap(unsent.empty() ? kNobody : to, unsent.data(), unsent.size(),
                          num_left == 0 ? kNobody : from,
                          has_memory == kSuccess ? &received.bytes[num_here] : nullptr, num_left);
    }
    const bool is_whole = (has_come || from == kNobody) && rest.num_received == num_left;
    const Passed passed = {
        first_failure({first.sent, rest.sent}),
        first_failure({first.received, has_memory, rest.received, is_whole ? kSuccess : kErrorGeneric})};
    if (passed.received != kSuccess) {
        received.bytes.clear();
    }
    return passed;
}

}  // namespace hitopo
