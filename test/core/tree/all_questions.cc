// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/tree/all_questions.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/core/tree/locality.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

bool is_index(std::int64_t index, std::size_t size) {
    return index >= 0 && index < static_cast<std::int64_t>(size);
}
bool is_index_or_none(std::int64_t index, std::size_t size) {
    return index == -1 || is_index(index, size);
}

class Questions {
public:
    explicit Questions(const AddressTree& tree)
        : tree_(tree), outer_ranks_{0, static_cast<std::uint32_t>(tree.size() - 1)} {
        if (tree.size() == 1) {
            outer_ranks_.pop_back();
        }
    }

    std::string ask() {
        ask_facts(tree_.facts());
        for (std::uint32_t rank = 0; rank < tree_.size(); ++rank) {
            ask_rank(rank);
        }
        for (std::size_t node = 0; node < tree_.nodes().size(); ++node) {
            ask_node(node);
        }
        ask_intervals();
        for (const ResourceType& type : resource_types(tree_)) {
            ask_type(type);
        }
        for (const std::uint32_t rank : outer_ranks_) {
            ask_process(rank);
        }
        check(Partition::by_shared_memory(tree_));
        check(Partition::unguided(tree_));
        (void)hardware_levels(tree_);
        (void)min_domain(tree_, outer_ranks_);
        return wrong_;
    }

private:
    void require(bool holds, const char* question) {
        if (!holds && wrong_.empty()) {
            wrong_ = question;
        }
    }

    // Ascending ranks of the tree.
    void require_ranks(const Ranks& ranks, const char* question) {
        require(
            (ranks.empty() || ranks.back() < tree_.size()) &&
                std::adjacent_find(ranks.begin(), ranks.end(), std::greater_equal<>()) == ranks.end(),
            question);
    }

    void ask_facts(const JobFacts& facts) {
        require(facts.warnings.size() <= 8, "warnings");
        for (std::size_t node = 0; node < facts.nodes.size(); ++node) {
            (void)facts.node_name(node);
            require(is_index_or_none(facts.kind_of(node).machine, facts.machines.size()), "machine");
            for (const Level level : {kCluster, kIsland, kSwitch}) {
                require(is_index_or_none(facts.branch_of(node)[level], facts.values[level].size()),
                        "branch");
            }
        }
        for (const PlaceInNode& place : facts.places) {
            ask_place(facts, place);
        }
        (void)ranks_of_setting(facts, "prof");
    }

    void ask_place(const JobFacts& facts, const PlaceInNode& place) {
        require(is_index_or_none(place.machine, facts.machines.size()), "machine of a place");
        const std::vector<int>& instances = place.instance_numbers.instances;
        for (std::size_t type = 0; type < instances.size(); ++type) {
            const std::vector<MachineType>& types =
                facts.machines[static_cast<std::size_t>(place.machine)].types();
            require(instances.size() == types.size() &&
                        is_index_or_none(instances[type], types[type].instances.size()),
                    "instances");
        }
    }

    void ask_rank(std::uint32_t rank) {
        const Address address = tree_.address(rank);
        for (int i = 0; i < kNumLevels; ++i) {
            const Level level = static_cast<Level>(i);
            const bool is_known = tree_.known(level) != AddressTree::Known::kNone;
            const auto count = static_cast<std::size_t>(tree_.num_distinct(level));
            require(is_known ? is_index_or_none(address[level], count) : address[level] == 0, "address");
        }
        const AddressTree::At at = tree_.at(rank);
        require(is_index(at.node, tree_.nodes().size()) && is_index(at.seat, tree_.seats().size()),
                "at");
        require(is_index(tree_.position_of(rank), tree_.size()) &&
                    tree_.rank_at(tree_.position_of(rank)) == rank,
                "position");
        const JobFacts& facts = tree_.facts();
        const std::vector<std::int32_t>& sides = facts.side_sets[tree_.sharing(at.node, at.seat).sides];
        for (std::size_t type = 0; type < facts.side_types.size(); ++type) {
            require(is_index_or_none(sides[type], facts.side_types[type].values.size()), "sides");
        }
    }

    void ask_node(std::size_t node) {
        require(is_index(static_cast<std::int64_t>(tree_.listed(node)), tree_.facts().nodes.size()),
                "listed");
        Ranks ranks;
        tree_.for_each_in(node, [&](std::uint32_t rank, std::uint32_t) { ranks.push_back(rank); });
        require_ranks(ranks, "for_each_in");
        require(!ranks.empty() && ranks.front() == tree_.lowest_rank(node), "lowest_rank");
    }

    void ask_intervals() {
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            const std::size_t num = tree_.num_intervals(level);
            require(num > 0 && tree_.interval_begin(level, 0) == 0 &&
                        tree_.interval_begin(level, num) == tree_.size(),
                    "intervals");
            for (std::size_t i = 0; i < num; ++i) {
                const std::uint32_t begin = tree_.interval_begin(level, i);
                require(begin < tree_.interval_begin(level, i + 1), "interval_begin");
                require(tree_.interval_at(level, begin) == i, "interval_at");
            }
        }
    }

    void ask_type(const ResourceType& type) {
        Partition partition = Partition::by_type(tree_, type);
        check(partition);
        partition.fill_with_singles();
        check(partition);
    }

    void ask_process(std::uint32_t rank) {
        for (const HierarchyStep& step : make_hierarchy(tree_, rank).steps) {
            require_ranks(step.ranks, "hierarchy");
            require_ranks(step.roots, "hierarchy");
        }
        for (const Metric metric : {Metric::kCompute, Metric::kMemory, Metric::kNetwork}) {
            require_ranks(neighbours(tree_, rank, 3, metric), "neighbours");
        }
        (void)restrictions(tree_, rank, std::nullopt);
        (void)restrictions(tree_, rank, tree_.place(tree_.at(rank).seat).cpus);
    }

    void check(const Partition& partition) {
        require_ranks(partition.lowest_ranks(), "lowest_ranks");
        const Split split = partition.split();
        require(split.group.size() == tree_.size() && split.count == partition.count(), "split");
        for (const std::uint32_t rank : outer_ranks_) {
            const OwnGroup own = partition.own(rank);
            require_ranks(own.ranks, "own");
            require(is_index_or_none(own.number, own.count), "own");
        }
    }

    const AddressTree& tree_;
    Ranks outer_ranks_;
    std::string wrong_;
};

}  // namespace

std::string first_wrong_answer(const AddressTree& tree) { return Questions(tree).ask(); }

}  // namespace hitopo
