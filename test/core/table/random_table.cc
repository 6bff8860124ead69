// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/table/random_table.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/machine/machine.h"
#include "test/core/exchange/dice.h"
#include "test/core/exchange/fake_job.h"
#include "test/core/exchange/fake_machine.h"

namespace hitopo {
namespace {

class Maker : private Dice {
public:
    Maker(std::mt19937_64& random, const TableTraits& traits) : Dice(random), traits_(traits) {}

    Table make() {
        for (int i = 1 + below(3); i > 0; --i) {
            add_machine();
        }
        are_alike_ = one_in(3);
        has_containers_ = traits_.has_containers && one_in(2);
        has_side_ = traits_.has_crossings && one_in(3);
        is_network_crossed_ = traits_.has_crossings && one_in(3);
        const int num_nodes = one_in(6)    ? 1
                              : one_in(12) ? 4 * traits_.max_nodes
                                           : 1 + below(traits_.max_nodes);
        for (std::uint32_t& known : known_in_) {
            known = one_in(3) ? 1 : one_in(4) ? 0 : 8;
        }
        for (int node = 0; node < num_nodes; ++node) {
            add_node(node);
        }
        name_values();
        const Occupancy occupancy = Occupancy::of(in_order());  // which looks at the dictionary
        return through_block(Table(std::move(dictionary_), occupancy));
    }

private:
    // ---- machines, and how nodes of each are occupied ----

    void add_machine() {
        const FakeShape shape = {1 + below(3), 1 + below(2), 1 + below(2), 1 + below(3), 1 + below(2)};
        FakeMachine fake = make_machine(shape);
        std::vector<CpuNumbers> sets;
        for (const auto& [type, instances] : fake.types) {
            sets.insert(sets.end(), instances.begin(), instances.end());
        }
        if (traits_.has_crossings && one_in(2)) {
            for (const char* type : {"Die", "Odd"}) {
                fake.types[type] = {any_window(shape.num_cpus()), any_window(shape.num_cpus())};
            }
        }
        if (one_in(4)) {
            fake.types.erase(one_in(2) ? "Core" : "Package");
        }
        dictionary_.machines.push_back(*Machine::decode(fake.encoded()));
        dictionary_.machine_components.emplace_back("hwloc");
        layouts_.emplace_back();
        for (int i = 1 + below(3); i > 0; --i) {
            add_layout(sets);
        }
    }

    CpuNumbers any_window(int num_cpus) {
        CpuNumbers cpus;
        const int first = below(num_cpus);
        for (int i = below(num_cpus); i >= 0 && first + i < num_cpus; --i) {
            cpus.insert(first + i);
        }
        return cpus.empty() ? CpuNumbers{first} : cpus;
    }

    void add_layout(const std::vector<CpuNumbers>& sets) {
        std::vector<std::uint32_t> patterns;
        const int num_patterns = 1 + below(traits_.max_processes);
        for (int i = 0; i < num_patterns; ++i) {
            Pattern pattern;
            for (const int cpu : any_of(sets)) {
                pattern.cpus.add(cpu);
            }
            pattern.placement = place(dictionary_.machines.back(), pattern.cpus);
            pattern.cohort = traits_.has_containers ? static_cast<std::uint32_t>(below(2)) : 0;
            patterns.push_back(static_cast<std::uint32_t>(dictionary_.patterns.size()));
            dictionary_.patterns.push_back(std::move(pattern));
        }
        layouts_.back().push_back(std::move(patterns));
    }

    // ---- nodes ----

    void add_node(int number) {
        NodeInfo node;
        node.name = "n" + std::to_string(number);
        node.machine = are_alike_ ? 0 : below(static_cast<int>(dictionary_.machines.size()));
        int value = below(traits_.max_nodes);
        for (const Level level : {kSwitch, kIsland, kCluster}) {
            value = is_network_crossed_ ? below(4) : value / 2;
            const std::uint32_t known = known_in_[static_cast<std::size_t>(level)];
            node.values[level] =
                known == 0 || (known > 1 && one_in(static_cast<int>(known))) ? -1 : value;
        }
        node.first_cohort = static_cast<std::uint32_t>(dictionary_.cohorts.size());
        for (int i = 0; i < 2; ++i) {
            const bool is_shared = has_containers_ && one_in(3);
            const auto side = static_cast<std::uint32_t>(below(kNumSideSets));
            dictionary_.cohorts.push_back(
                {is_shared ? static_cast<std::uint64_t>(below(3)) : random_(), has_side_ ? side : 0});
        }
        if (!has_containers_) {
            dictionary_.cohorts.back() = dictionary_.cohorts[node.first_cohort];
        }
        occupy(static_cast<std::uint32_t>(number),
               any_of(layouts_[static_cast<std::size_t>(node.machine)]));
        dictionary_.nodes.push_back(std::move(node));
    }

    // The patterns of the layout in their order, or some of them, or some of them often.
    void occupy(std::uint32_t node, const std::vector<std::uint32_t>& layout) {
        if (!are_alike_ || node == 0) {
            patterns_ = some_of(layout);
        }
        for (const std::uint32_t pattern : patterns_) {
            processes_.push_back({node, pattern});
        }
    }

    std::vector<std::uint32_t> some_of(const std::vector<std::uint32_t>& layout) {
        std::vector<std::uint32_t> patterns = layout;
        if (one_in(3)) {
            patterns.resize(1 + static_cast<std::size_t>(below(static_cast<int>(layout.size()))));
        }
        for (int i = one_in(3) ? below(6) : 0; i > 0; --i) {
            patterns.push_back(any_of(layout));
        }
        return patterns;
    }

    void name_values() {
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            dictionary_.values[level].resize(static_cast<std::size_t>(traits_.max_nodes) + 4);
        }
        if (has_side_) {
            dictionary_.side_types = {{"nvlink://Domain", std::vector<LevelValue>(3)},
                                      {"nvlink://Clique", std::vector<LevelValue>(4)}};
            dictionary_.side_sets = {{-1, -1}};
            while (dictionary_.side_sets.size() < kNumSideSets) {
                dictionary_.side_sets.push_back({below(4) - 1, below(5) - 1});
            }
        }
    }

    // ---- ranks ----

    std::vector<Process> in_order() {
        switch (below(3)) {
            case 0:
                break;
            case 1:
                std::shuffle(processes_.begin(), processes_.end(), random_);
                break;
            default:
                deal();
        }
        return std::move(processes_);
    }

    // One or two processes of each node in its turn.
    void deal() {
        std::vector<Process> dealt;
        const std::size_t at_a_time = one_in(2) ? 1 : 2;
        std::vector<std::vector<Process>> by_node(dictionary_.nodes.size());
        for (const Process& process : processes_) {
            by_node[process.node].push_back(process);
        }
        for (std::size_t begin = 0; dealt.size() < processes_.size(); begin += at_a_time) {
            for (const std::vector<Process>& own : by_node) {
                for (std::size_t i = begin; i < std::min(begin + at_a_time, own.size()); ++i) {
                    dealt.push_back(own[i]);
                }
            }
        }
        processes_ = std::move(dealt);
    }

    const TableTraits traits_;
    DictionaryDraft dictionary_;
    std::vector<std::vector<std::vector<std::uint32_t>>> layouts_;  // by machine: patterns of each
    std::vector<Process> processes_;
    std::array<std::uint32_t, kNode> known_in_ = {};  // 0: nobody, 1: all, n: all but one in n nodes
    std::vector<std::uint32_t> patterns_;             // of the latest node's processes
    bool are_alike_ = false;
    bool has_containers_ = false;
    bool is_network_crossed_ = false;
    bool has_side_ = false;

    static constexpr int kNumSideSets = 7;
};

}  // namespace

Table random_table(std::mt19937_64& random, const TableTraits& traits) {
    return Maker(random, traits).make();
}

}  // namespace hitopo
