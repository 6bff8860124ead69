// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/divider.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace hitopo {

Items all_items(std::size_t count) {
    Items items(count);
    std::iota(items.begin(), items.end(), 0U);
    return items;
}

Items Parts::part(std::size_t number) const {
    return {items.begin() + static_cast<std::ptrdiff_t>(begin(number)),
            items.begin() + static_cast<std::ptrdiff_t>(end[number])};
}

Divider::Divider(std::vector<std::vector<std::int32_t>> domains, std::vector<std::uint32_t> weights,
                 bool is_item_domain)
    : domains_(std::move(domains)),
      weights_(std::move(weights)),
      is_item_domain_(is_item_domain),
      part_(weights_.size(), -1) {}

// An item that is a domain is taken last: whatever else it lies in is as heavy at least, and of an outer
// type.
Parts Divider::divide(const Items& items) {
    for (const std::uint32_t item : items) {
        part_[item] = -1;
    }
    sorted_.clear();
    sections_.clear();
    for (std::size_t type = 0; type < domains_.size(); ++type) {
        add_sections(type, items);
    }
    std::sort(sections_.begin(), sections_.end(), [](const Section& a, const Section& b) {
        return std::tie(b.weight, a.begin) < std::tie(a.weight, b.begin);  // begin: by type
    });
    Parts parts;
    for (const Section& section : sections_) {
        take(section, parts);
    }
    for (std::size_t i = 0; is_item_domain_ && items.size() > 1 && i < items.size(); ++i) {
        if (part_[items[i]] < 0) {
            parts.items.push_back(items[i]);
            parts.end.push_back(static_cast<std::uint32_t>(parts.items.size()));
        }
    }
    return parts;
}

void Divider::add_sections(std::size_t type, const Items& items) {
    const std::vector<std::int32_t>& domain = domains_[type];
    const std::int32_t first = domain[items[0]];
    if (std::all_of(items.begin(), items.end(),
                    [&](std::uint32_t item) { return domain[item] == first; })) {
        return;  // one domain that is no strict subset, or none
    }
    order_.clear();
    for (const std::uint32_t item : items) {
        if (domain[item] >= 0) {
            order_.push_back(static_cast<std::uint64_t>(domain[item]) << 32 | item);
        }
    }
    // As nodes mostly are, by their names.
    if (!std::is_sorted(order_.begin(), order_.end())) {
        std::sort(order_.begin(), order_.end());
    }
    std::size_t begin = sorted_.size();
    for (std::size_t i = 0; i < order_.size(); ++i) {
        if (i > 0 && order_[i] >> 32 != order_[i - 1] >> 32) {
            add_section(begin);
            begin = sorted_.size();
        }
        sorted_.push_back(static_cast<std::uint32_t>(order_[i]));
    }
    add_section(begin);
}

void Divider::add_section(std::size_t begin) {
    std::size_t weight = 0;
    for (std::size_t i = begin; i < sorted_.size(); ++i) {
        weight += weights_[sorted_[i]];
    }
    sections_.push_back({weight, begin, sorted_.size()});
}

void Divider::take(const Section& section, Parts& parts) {
    const auto begin = sorted_.begin() + static_cast<std::ptrdiff_t>(section.begin);
    const auto end = sorted_.begin() + static_cast<std::ptrdiff_t>(section.end);
    const std::int32_t first = part_[*begin];
    if (std::any_of(begin, end, [&](std::uint32_t item) { return part_[item] != first; })) {
        parts.do_domains_cross = true;
    } else if (first < 0) {
        for (auto item = begin; item != end; ++item) {
            part_[*item] = static_cast<std::int32_t>(parts.count());
        }
        parts.items.insert(parts.items.end(), begin, end);
        parts.end.push_back(static_cast<std::uint32_t>(parts.items.size()));
    }
}

std::vector<std::uint32_t> Divider::domain_sizes(std::size_t type, const Items& items) const {
    std::vector<std::uint32_t> sizes;
    for (const std::uint32_t item : items) {
        const std::int32_t domain = domains_[type][item];
        if (domain >= 0) {
            sizes.resize(std::max(sizes.size(), static_cast<std::size_t>(domain) + 1), 0);
            ++sizes[static_cast<std::size_t>(domain)];
        }
    }
    return sizes;
}

bool Divider::is_domain(std::size_t type, const std::vector<std::uint32_t>& sizes,
                        const Items& part) const {
    const std::vector<std::int32_t>& domain = domains_[type];
    const std::int32_t own = domain[part[0]];
    return own >= 0 && sizes[static_cast<std::size_t>(own)] == part.size() &&
           std::all_of(part.begin(), part.end(),
                       [&](std::uint32_t item) { return domain[item] == own; });
}

}  // namespace hitopo
