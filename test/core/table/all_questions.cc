// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/table/all_questions.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/core/table/grouping.h"
#include "ompi/mca/hitopo/core/table/hierarchy.h"
#include "ompi/mca/hitopo/core/table/locality.h"
#include "ompi/mca/hitopo/core/table/type_order.h"

namespace hitopo {
namespace {

bool is_index_or_none(std::int64_t index, std::size_t size) {
    return index >= -1 && index < static_cast<std::int64_t>(size);
}

class Questions {
public:
    explicit Questions(const Table& table) : table_(table) {
        if (table.size() > 0) {
            outer_ranks_ = {0, static_cast<std::uint32_t>(table.size() - 1)};
        }
    }

    std::string ask() {
        ask_ranks();
        ask_nodes();
        ask_dictionary(table_.dictionary());
        for (const ResourceType& type : resource_types(table_)) {
            ask_type(type);
        }
        for (const std::uint32_t rank : outer_ranks_) {
            ask_process(rank);
        }
        check(Grouping::by_shared_memory(table_));
        check(Grouping::unguided(table_));
        (void)hardware_levels(table_);
        if (!outer_ranks_.empty()) {
            (void)min_domain(table_, outer_ranks_);
        }
        return wrong_;
    }

private:
    void require(bool holds, const char* question) {
        if (!holds && wrong_.empty()) {
            wrong_ = question;
        }
    }

    // Ascending ranks of the table.
    void require_ranks(const Ranks& ranks, const char* question) {
        require(
            (ranks.empty() || ranks.back() < table_.size()) &&
                std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end(),
            question);
    }

    void ask_ranks() {
        for (std::size_t rank = 0; rank < table_.size(); ++rank) {
            const Address address = table_.address(rank);
            for (int i = 0; i < kNumLevels; ++i) {
                const Level level = static_cast<Level>(i);
                const bool is_known = table_.known(level) != Table::Known::kNone;
                const auto count = static_cast<std::size_t>(table_.num_distinct(level));
                require(is_known ? is_index_or_none(address[level], count) : address[level] == 0,
                        "address");
            }
            require(table_.node_number(rank) < table_.num_nodes(), "node_number");
            (void)table_.node(rank);
            (void)table_.pattern(rank);
            (void)table_.shared_id(rank);
            for (std::size_t type = 0; type < table_.dictionary().side_types().size(); ++type) {
                const std::int32_t value = table_.side_of(
                    table_.node_number(rank), table_.cohort_of_seat(table_.seat_number(rank)), type);
                require(is_index_or_none(value, table_.dictionary().num_side_values(type)), "side_of");
            }
        }
    }

    void ask_nodes() {
        for (const RankMap::Extent& extent : table_.places().extents(table_.num_nodes())) {
            require(
                extent.count > 0 && extent.lowest <= extent.highest && extent.highest < table_.size(),
                "extents");
        }
        for (const std::vector<std::uint32_t>& ranks : table_.members()) {
            require_ranks(ranks, "members");
        }
        for (std::size_t node = 0; node < table_.num_nodes(); ++node) {
            require(is_index_or_none(table_.machine_of(node), table_.dictionary().machines().size()),
                    "machine_of");
            (void)table_.node_info(node);
        }
    }

    void ask_dictionary(const Dictionary& dictionary) {
        for (std::size_t node = 0; node < dictionary.num_nodes(); ++node) {
            (void)dictionary.node(node);
        }
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            for (std::size_t number = 0; number < dictionary.num_values(level); ++number) {
                (void)dictionary.value(level, number);
            }
        }
        for (std::size_t type = 0; type < dictionary.side_types().size(); ++type) {
            for (std::size_t number = 0; number < dictionary.num_side_values(type); ++number) {
                (void)dictionary.side_value(type, number);
            }
        }
        (void)presence_of(dictionary, "prof");
    }

    void ask_type(const ResourceType& type) {
        const Domains domains = domains_of(table_, type);
        require(domains.domain.size() == table_.size(), "domains_of");
        for (const std::int32_t domain : domains.domain) {
            require(is_index_or_none(domain, static_cast<std::size_t>(domains.count)), "domains_of");
        }
        Grouping grouping = Grouping::by_type(table_, type);
        check(grouping);
        grouping.fill_with_singles();
        check(grouping);
    }

    void ask_process(std::uint32_t rank) {
        for (const HierarchyStep& step : make_hierarchy(table_, rank).steps) {
            require_ranks(step.ranks, "hierarchy");
            require_ranks(step.roots, "hierarchy");
        }
        for (const Metric metric : {Metric::kCompute, Metric::kMemory, Metric::kNetwork}) {
            require_ranks(neighbours(table_, rank, 3, metric), "neighbours");
        }
        (void)restrictions(table_, rank, std::nullopt);
        (void)restrictions(table_, rank, table_.pattern(rank).cpus);
    }

    void check(const Grouping& grouping) {
        require_ranks(grouping.lowest_ranks(), "lowest_ranks");
        const Split split = grouping.split();
        require(split.group.size() == table_.size() && split.count == grouping.count(), "split");
        for (const std::uint32_t rank : outer_ranks_) {
            const OwnGroup own = grouping.own(rank);
            require_ranks(own.ranks, "own");
            require(is_index_or_none(own.number, own.count), "own");
        }
    }

    const Table& table_;
    Ranks outer_ranks_;
    std::string wrong_;
};

}  // namespace

std::string first_wrong_answer(const Table& table) { return Questions(table).ask(); }

}  // namespace hitopo
