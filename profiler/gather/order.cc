// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
//   order      = u32 number, u8 wants_peers, u32 number of communicators, i32 ids, i32 is_new
//   node order = u32 number, u8 wants_peers, u32 number of keys, i32 ids, i32 ranks, u32 first, u32 end
#include "profiler/gather/order.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/address/bytes.h"

namespace hitopo {
namespace {

using Numbers = std::vector<std::int32_t>;

// What both orders begin with.
void put(ByteWriter& writer, int number, bool wants_peers, const Numbers& first, const Numbers& second) {
    writer.put_u32(static_cast<std::uint32_t>(number));
    writer.put_u8(wants_peers ? 1 : 0);
    writer.put_u32(static_cast<std::uint32_t>(first.size()));
    for (const Numbers* numbers : {&first, &second}) {
        for (const std::int32_t value : *numbers) {
            writer.put_u32(static_cast<std::uint32_t>(value));
        }
    }
}

bool get(ByteReader& reader, int& number, bool& wants_peers, Numbers& first, Numbers& second) {
    number = static_cast<int>(reader.get_u32());
    wants_peers = reader.get_u8() != 0;
    const std::uint32_t count = reader.get_u32();
    if (reader.has_failed() || number < 0 || count > reader.num_left() / (2 * sizeof(std::int32_t))) {
        return false;
    }
    for (Numbers* numbers : {&first, &second}) {
        for (std::uint32_t i = 0; i < count; ++i) {
            numbers->push_back(static_cast<std::int32_t>(reader.get_u32()));
        }
    }
    return true;
}

}  // namespace

std::string Order::encode() const {
    ByteWriter writer;
    put(writer, number, wants_peers, ids, is_new);
    return writer.take();
}

std::optional<Order> Order::decode(std::string_view bytes) {
    ByteReader reader(bytes);
    Order order;
    const bool is_good = get(reader, order.number, order.wants_peers, order.ids, order.is_new);
    return is_good && reader.num_left() == 0 ? std::optional(std::move(order)) : std::nullopt;
}

std::string NodeOrder::encode() const {
    ByteWriter writer;
    put(writer, number, wants_peers, ids, ranks);
    writer.put_u32(static_cast<std::uint32_t>(first));
    writer.put_u32(static_cast<std::uint32_t>(end));
    return writer.take();
}

std::optional<NodeOrder> NodeOrder::decode(std::string_view bytes) {
    ByteReader reader(bytes);
    NodeOrder order;
    const bool is_good = get(reader, order.number, order.wants_peers, order.ids, order.ranks);
    order.first = static_cast<int>(reader.get_u32());
    order.end = static_cast<int>(reader.get_u32());
    const bool is_whole = is_good && !reader.has_failed() && reader.num_left() == 0;
    return is_whole ? std::optional(std::move(order)) : std::nullopt;
}

Order NodeOrder::order_of(const Heads& heads, const Heads::Process& process) const {
    const std::vector<std::uint32_t>& keys = heads.keys_of(process);
    Order order;
    order.number = number;
    order.wants_peers = wants_peers;
    const auto end_key = keys.begin() + heads.part_of(process, number)->num_keys;
    for (auto key = keys.begin(); key != end_key; ++key) {
        // Once, where two of its communicators have one key.
        const bool is_new = ranks[*key] == process.rank && std::find(keys.begin(), key, *key) == key;
        order.ids.push_back(ids[*key]);
        order.is_new.push_back(is_new ? 1 : 0);
    }
    return order;
}

}  // namespace hitopo
