// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/node_order.h"

#include <algorithm>
#include <string_view>

#include "ompi/mca/hitopo/core/text/natural_order.h"

namespace hitopo {
namespace {

// Mostly the stem and the number tell nodes apart, without a look at their names.
struct Key {
    const RawValue* name = nullptr;
    NaturalHead head;
    std::uint64_t identity = 0;
    std::uint32_t node = 0;
};

bool is_named_before(const Key& a, const Key& b) {
    if (a.name == nullptr || b.name == nullptr) {
        return a.name != b.name ? a.name == nullptr : a.identity < b.identity;
    }
    if (a.head.has_number && b.head.has_number && a.head.number != b.head.number &&
        a.head.stem == b.head.stem) {
        return a.head.number < b.head.number;
    }
    if (const int visible = compare(a.name->visible(), b.name->visible())) {
        return visible < 0;
    }
    const int path = compare(*a.name, *b.name);
    return path != 0 ? path < 0 : a.identity < b.identity;
}

}  // namespace

std::vector<std::uint32_t> node_order(const Plan& plan) {
    std::vector<Key> keys;
    keys.reserve(plan.nodes.size());
    for (const NodePlan& node : plan.nodes) {
        Key& key = keys.emplace_back();
        key.identity = node.node_id;
        key.node = static_cast<std::uint32_t>(keys.size()) - 1;
        const Candidate& name = node.network[kNode].candidate;
        if (name.component != 0) {
            key.name = &plan.names.value_of(name.value);
            const Name& visible = key.name->visible();
            key.head = visible.is_number() ? NaturalHead() : natural_head(visible.text());
        }
    }
    if (!std::is_sorted(keys.begin(), keys.end(), is_named_before)) {
        std::sort(keys.begin(), keys.end(), is_named_before);
    }
    std::vector<std::uint32_t> order;
    order.reserve(keys.size());
    for (const Key& key : keys) {
        order.push_back(key.node);
    }
    return order;
}

}  // namespace hitopo
