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

void StatusHeader::hear(const StatusHeader& other) {
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

std::size_t Channel::FirstPart::num_here() const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(num_bytes, sizeof bytes));
}

std::size_t Channel::FirstPart::length() const { return offsetof(FirstPart, bytes) + num_here(); }

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
    const int is_damaged = has_come || from == kNobody ? kSuccess : kErrorGeneric;
    const std::string_view here(in_.bytes, has_come ? in_.num_here() : 0);
    const std::size_t num_left = has_come ? in_.num_left() : 0;
    if (has_come) {
        received.header = in_.header;
    }
    const int has_memory = guarded([&] { received.bytes.resize(here.size() + num_left); });
    if (has_memory == kSuccess) {
        (void)here.copy(&received.bytes[0], here.size());
    }
    const Passed rest = pass_rest(to, bytes.substr(out_.num_here()), from, num_left,
                                  has_memory == kSuccess ? &received.bytes[here.size()] : nullptr);
    const Passed passed = {first_failure({first.sent, rest.sent}),
                           first_failure({first.received, is_damaged, has_memory, rest.received})};
    if (passed.received != kSuccess) {
        received.bytes.clear();
    }
    return passed;
}

// place: NULL without memory.
Channel::Passed Channel::pass_rest(std::uint32_t to, std::string_view sent, std::uint32_t from,
                                   std::size_t num_left, char* place) {
    if (sent.empty() && num_left == 0) {
        return {kSuccess, kSuccess};
    }
    const ExchangeWire::Swapped rest = wire_.swap(sent.empty() ? kNobody : to, sent.data(), sent.size(),
                                                  num_left == 0 ? kNobody : from, place, num_left);
    const int is_short = rest.num_received == num_left ? kSuccess : kErrorGeneric;
    return {rest.sent, first_failure({rest.received, is_short})};
}

}  // namespace hitopo
