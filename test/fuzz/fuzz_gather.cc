// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 20000
//
// What processes tell each other of the profiler's parts. Input: u8 kind, bytes. Any bytes are refused,
// or are what gives the same bytes again, and every index in them is in range.
#include <cstdint>

#include "profiler/gather/answers.h"
#include "profiler/gather/heads.h"
#include "profiler/gather/order.h"
#include "test/fuzz/checks_by_kind.h"
#include "test/fuzz/require.h"

namespace {

using namespace hitopo;

void check_heads(std::string_view bytes) {
    const auto heads = Heads::decode(bytes);
    if (!heads) {
        return;
    }
    require(heads->encode() == bytes);
    NodeOrder order;
    order.ids.resize(heads->keys().size());
    order.ranks.resize(heads->keys().size());
    for (const Heads::Process& process : heads->processes()) {
        for (const std::uint32_t key : heads->keys_of(process)) {
            require(key < heads->keys().size());
        }
        require(heads->part_of(process, Heads::num_snapshots(process) + 1) == nullptr);
        require(order.order_of(*heads, process).ids.size() == heads->part_of(process, kEnd)->num_keys);
    }
    Heads joined;
    joined.join(*heads);
    require(joined.processes().size() == heads->processes().size());
}

template <class Any>
void check_order(std::string_view bytes) {
    const auto order = Any::decode(bytes);
    require(!order || order->encode().size() == bytes.size());
}

void check_answers(std::string_view bytes) {
    const auto answers = decode_answers(bytes);
    std::string again;
    for (const Answer& answer : answers.value_or(std::vector<Answer>())) {
        again += encode(answer);
    }
    require(!answers || again == bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return check_by_kind(data, size,
                         {check_heads, check_order<Order>, check_order<NodeOrder>, check_answers});
}
