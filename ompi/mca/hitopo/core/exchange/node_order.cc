// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/node_order.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "ompi/mca/hitopo/core/text/natural_order.h"

namespace hitopo {
namespace {

// Mostly the stem and the number tell nodes apart, without a look at their names.
struct Key {
    bool has_name = false;
    std::uint32_t value = 0;               // of Names
    std::optional<std::string_view> text;  // what is visible of it, unless it is a number
    NaturalHead head;
    std::uint64_t identity = 0;
    std::uint32_t node = 0;
};

int compare_visible(const Key& a, const Key& b, const Names& names) {
    return a.text && b.text
               ? compare_natural(*a.text, *b.text)
               : compare(names.value_of(a.value).visible(), names.value_of(b.value).visible());
}

bool is_named_before(const Key& a, const Key& b, const Names& names) {
    if (!a.has_name || !b.has_name) {
        return a.has_name != b.has_name ? b.has_name : a.identity < b.identity;
    }
    if (a.head.has_number && b.head.has_number && a.head.number != b.head.number &&
        a.head.stem == b.head.stem) {
        return a.head.number < b.head.number;
    }
    if (const int visible = compare_visible(a, b, names)) {
        return visible < 0;
    }
    const int path = a.value == b.value ? 0 : compare(names.value_of(a.value), names.value_of(b.value));
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
            key.has_name = true;
            key.value = name.value;
            key.text = plan.names.visible_text(name.value);
            key.head = key.text ? natural_head(*key.text) : NaturalHead();
        }
    }
    const auto is_before = [&](const Key& a, const Key& b) { return is_named_before(a, b, plan.names); };
    if (!std::is_sorted(keys.begin(), keys.end(), is_before)) {
        std::sort(keys.begin(), keys.end(), is_before);
    }
    std::vector<std::uint32_t> order;
    order.reserve(keys.size());
    for (const Key& key : keys) {
        order.push_back(key.node);
    }
    return order;
}

}  // namespace hitopo
