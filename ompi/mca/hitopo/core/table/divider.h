// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The rule of unguided splits, over items that stand for one process or many: nodes, or the seats of a
// node. No domain divides an item, so items and their weights tell what all their processes would.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_DIVIDER_H
#define OMPI_MCA_HITOPO_CORE_TABLE_DIVIDER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo {

using Items = std::vector<std::uint32_t>;

Items all_items(std::size_t count);  // 0, 1, ..

// Disjoint sets of items, in any order.
struct Parts {
    Items items;                     // part after part
    std::vector<std::uint32_t> end;  // of each part in items
    // Whether some domain lay partly in a part. Where none does, other weights give the same parts.
    bool do_domains_cross = false;

    std::size_t count() const { return end.size(); }
    std::uint32_t begin(std::size_t number) const { return number == 0 ? 0 : end[number - 1]; }
    Items part(std::size_t number) const;
};

class Divider {
public:
    // domains: by type, the outermost first, then by item: 0.. or -1 for none. weights: by item, above
    // 0. is_item_domain: each item is also a domain of a last type, not told in domains.
    Divider(std::vector<std::vector<std::int32_t>> domains, std::vector<std::uint32_t> weights,
            bool is_item_domain);

    // The strict subsets of the largest weight among all domains, cut to `items` (ascending); where two
    // cross, the heavier, then that of the outer type stands whole. Time O(types * items log items),
    // memory O(types * items).
    Parts divide(const Items& items);

    // Whether the items of a part of `items` are one domain of the type, cut to `items`. sizes: of
    // domain_sizes(type, items).
    bool is_domain(std::size_t type, const std::vector<std::uint32_t>& sizes, const Items& part) const;
    // By domain: how many of `items` are in it.
    std::vector<std::uint32_t> domain_sizes(std::size_t type, const Items& items) const;

    std::size_t num_types() const { return domains_.size(); }

private:
    struct Section {
        std::size_t weight, begin, end;  // in sorted_
    };
    void add_sections(std::size_t type, const Items& items);
    void add_section(std::size_t begin);
    void take(const Section& section, Parts& parts);

    const std::vector<std::vector<std::int32_t>> domains_;
    const std::vector<std::uint32_t> weights_;
    const bool is_item_domain_;
    // While it divides.
    std::vector<std::uint64_t> order_;
    Items sorted_;                    // the items of each section, type after type
    std::vector<Section> sections_;   // the domains, cut to what is divided
    std::vector<std::int32_t> part_;  // by item; -1: in none yet
};

}  // namespace hitopo

#endif
