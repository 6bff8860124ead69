// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/wire.h"

#include <algorithm>
#include <initializer_list>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {
namespace {

constexpr std::size_t kFirstBytes = 8192;

int first_failure(std::initializer_list<int> statuses) {
    const auto* failed =
        std::find_if(statuses.begin(), statuses.end(), [](int s) { return s != kSuccess; });
    return failed == statuses.end() ? kSuccess : *failed;
}

}  // namespace

struct Wire::FirstPart {
    News news;
    std::uint64_t num_bytes = 0;  // of the whole
    char bytes[kFirstBytes - sizeof(News) - sizeof(std::uint64_t)];

    std::size_t num_here() const {
        return static_cast<std::size_t>(std::min<std::uint64_t>(num_bytes, sizeof bytes));
    }
    std::size_t num_left() const { return static_cast<std::size_t>(num_bytes) - num_here(); }
    std::size_t length() const { return offsetof(FirstPart, bytes) + num_here(); }
    // Whether so many bytes that came are all.
    bool is_whole(std::size_t num_received) const {
        return num_received >= offsetof(FirstPart, bytes) && num_received == length();
    }
};

struct Wire::FirstParts {
    static_assert(sizeof(FirstPart) == kFirstBytes, "no padding");
    FirstPart out, in;
};

void News::hear(const News& other) {
    flags |= other.flags;
    if (other.failed < failed) {
        failed = other.failed;
        status = other.status;
    }
    absent = std::min(absent, other.absent);
}

void News::fail(std::uint32_t process, int code) {
    if (code != kSuccess && process < failed) {
        failed = process;
        status = code;
    }
}

Wire::Wire(ompi_communicator_t* comm)
    : comm_(comm),
      num_local_(static_cast<std::size_t>(hitopo_glue_size(comm))),
      num_remote_(static_cast<std::size_t>(hitopo_glue_remote_size(comm))) {
    first_local_ = num_remote_ == 0 || hitopo_glue_is_first_group(comm) ? 0 : num_remote_;
    own_ = static_cast<std::uint32_t>(first_local_) + static_cast<std::uint32_t>(hitopo_glue_rank(comm));
}

hitopo_glue_swapped_t Wire::swap(std::uint32_t to, const void* sent, std::size_t num_sent,
                                 std::uint32_t from, void* received, std::size_t capacity) const {
    const auto peer = [this](std::uint32_t process) -> hitopo_glue_peer_t {
        const std::size_t end_local = first_local_ + num_local_;
        if (process == kNobody) {
            return {-1, false};
        }
        if (process >= first_local_ && process < end_local) {
            return {static_cast<int>(process - first_local_), false};
        }
        return {static_cast<int>(process - (first_local_ == 0 ? num_local_ : 0)), true};
    };
    return hitopo_base_swap(comm_, peer(to), sent, num_sent, peer(from), received, capacity);
}

void Wire::reserve() { first_parts_ = std::make_shared<FirstParts>(); }

Wire::Passed Wire::pass(std::uint32_t to, const News& news, std::string_view bytes, std::uint32_t from,
                        Message& received) const {
    if (first_parts_ != nullptr) {
        return pass_by(*first_parts_, to, news, bytes, from, received);
    }
    return pass_on_stack(to, news, bytes, from, received);
}

[[gnu::noinline]] Wire::Passed Wire::pass_on_stack(std::uint32_t to, const News& news,
                                                   std::string_view bytes, std::uint32_t from,
                                                   Message& received) const {
    FirstParts first_parts;
    return pass_by(first_parts, to, news, bytes, from, received);
}

Wire::Passed Wire::pass_by(FirstParts& first_parts, std::uint32_t to, const News& news,
                           std::string_view bytes, std::uint32_t from, Message& received) const {
    FirstPart& out = first_parts.out;
    FirstPart& in = first_parts.in;
    out.news = news;
    out.num_bytes = bytes.size();
    (void)bytes.copy(out.bytes, out.num_here());
    received.bytes.clear();
    const hitopo_glue_swapped_t first = swap(to, &out, out.length(), from, &in, sizeof in);
    const bool has_come = first.received == kSuccess && in.is_whole(first.num_received);
    const int is_damaged = has_come || from == kNobody ? kSuccess : kErrorGeneric;
    const std::string_view here(in.bytes, has_come ? in.num_here() : 0);
    const std::size_t num_left = has_come ? in.num_left() : 0;
    if (has_come) {
        received.news = in.news;
    }
    const int has_memory = guarded([&] { received.bytes.resize(here.size() + num_left); });
    if (has_memory == kSuccess) {
        (void)here.copy(&received.bytes[0], here.size());
    }
    const Passed rest = pass_rest(to, bytes.substr(out.num_here()), from, num_left,
                                  has_memory == kSuccess ? &received.bytes[here.size()] : nullptr);
    const Passed passed = {first_failure({first.sent, rest.sent}),
                           first_failure({first.received, is_damaged, has_memory, rest.received})};
    if (passed.received != kSuccess) {
        received.bytes.clear();
    }
    return passed;
}

// place: NULL without memory.
Wire::Passed Wire::pass_rest(std::uint32_t to, std::string_view sent, std::uint32_t from,
                             std::size_t num_left, char* place) const {
    if (sent.empty() && num_left == 0) {
        return {kSuccess, kSuccess};
    }
    const hitopo_glue_swapped_t rest = swap(sent.empty() ? kNobody : to, sent.data(), sent.size(),
                                            num_left == 0 ? kNobody : from, place, num_left);
    const int is_short = rest.num_received == num_left ? kSuccess : kErrorGeneric;
    return {rest.sent, first_failure({rest.received, is_short})};
}

}  // namespace hitopo
