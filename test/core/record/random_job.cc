// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/core/record/random_job.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "test/core/record/dice.h"

namespace hitopo {
namespace {

const std::vector<std::string> kHosts = {"n1", "n01", "n2", "n10", "n010", "A1",  "a-2",
                                         "1",  "12",  "2b", "b",   "z9z",  "z10z"};
const std::vector<std::string> kSideTypes = {"nvlink://Domain", "nvlink://Clique", "a-z+0.9_://Odd"};
const std::vector<std::string> kComponents = {"file", "hwloc", "slurm", "openib", "cpuid", "hostname"};

class Maker : private Dice {
public:
    Maker(std::mt19937_64& random, const RandomTraits& traits) : Dice(random), traits_(traits) {}

    FakeJob make() {
        choose_habits();
        const bool is_wide = traits_.num_nodes == 0 && one_in(30);
        const int num_nodes = traits_.num_nodes != 0 ? traits_.num_nodes : is_wide ? 80 : 1 + below(6);
        for (int node = 0; node < num_nodes; ++node) {
            add_node(node, is_wide ? 1 + below(2) : 1 + below(8));
        }
        std::shuffle(job_.begin(), job_.end(), random_);
        return std::move(job_);
    }

private:
    // What is equal in the whole job.
    void choose_habits() {
        std::vector<int> priorities = {-2, 10, 30, 40, 60, 90};
        std::shuffle(priorities.begin(), priorities.end(), random_);
        for (std::size_t i = 0; i < kComponents.size(); ++i) {
            priorities_[kComponents[i]] = priorities[i];
        }
        for (int level = 0; level < kNumLevels && one_in(4); ++level) {
            forced_[static_cast<std::size_t>(below(kNumLevels))] = any_of(kComponents);
        }
        for (int i = 1 + below(3); i > 0; --i) {
            machines_.push_back(random_machine());
        }
        is_simulated_ = traits_.has_simulations && one_in(4);
        has_explicit_ = traits_.has_simulations && one_in(3);
        has_rule_ = traits_.has_simulations && one_in(4);
        has_side_ = traits_.has_side && one_in(2);
        is_side_crossed_ = one_in(3);
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            is_unknown_[level] = one_in(6);
        }
    }

    // ---- machines ----

    std::vector<int> random_numbers(const FakeShape& shape) {
        std::vector<int> numbers(static_cast<std::size_t>(shape.num_cpus()));
        std::iota(numbers.begin(), numbers.end(), 0);
        const int num_cores = shape.num_cpus() / shape.threads;
        switch (below(4)) {
            case 0:  // thread by thread: i and i + N
                for (std::size_t i = 0; i < numbers.size(); ++i) {
                    const int thread = static_cast<int>(i) % shape.threads;
                    numbers[i] = static_cast<int>(i) / shape.threads + thread * num_cores;
                }
                break;
            case 1:  // with holes
                for (int& number : numbers) {
                    number = 3 * number + 5;
                }
                break;
            case 2:
                std::shuffle(numbers.begin(), numbers.end(), random_);
                break;
            default:
                break;
        }
        return numbers;
    }

    FakeMachine random_machine() {
        const FakeShape shape = {1 + below(4), 1 + below(2), 1 + below(2), 1 + below(3), 1 + below(3)};
        FakeMachine machine = make_machine(shape, random_numbers(shape));
        if (one_in(3)) {
            group_packages(machine, one_in(2) ? "NUMANode" : "Group0");
        }
        for (const char* type : {"Core", "Package", "PU", "L3Cache", "Machine"}) {
            if (one_in(12)) {
                machine.types.erase(type);
            }
        }
        for (const char* type : {"Odd", "gpu://Nearest"}) {
            if (one_in(6)) {
                machine.types[type] = {any_of(sets_of(machine)), any_of(sets_of(machine))};
            }
        }
        return machine;
    }

    // Boards of two packages.
    static void group_packages(FakeMachine& machine, const char* type) {
        const auto packages = machine.types["Package"];
        machine.types.erase(type);
        CpuNumbers board;
        std::size_t number = 0;
        for (const CpuNumbers& package : packages) {
            board.insert(package.begin(), package.end());
            if (++number % 2 == 0 || number == packages.size()) {
                machine.types[type].insert(board);
                board.clear();
            }
        }
    }

    static std::vector<CpuNumbers> sets_of(const FakeMachine& machine) {
        std::vector<CpuNumbers> sets;
        for (const auto& [type, instances] : machine.types) {
            sets.insert(sets.end(), instances.begin(), instances.end());
        }
        return sets;
    }

    CpuSet random_binding(const FakeMachine& machine) {
        CpuSet cpus;
        const std::vector<CpuNumbers> sets = sets_of(machine);
        for (int i = one_in(4) ? 2 : 1; i > 0; --i) {
            for (const int cpu : any_of(sets)) {
                cpus.add(cpu);
            }
        }
        if (traits_.has_gaps && one_in(20)) {
            cpus.add(below(200));  // that the machine may not have
        }
        return traits_.has_gaps && one_in(40) ? CpuSet() : cpus;
    }

    // ---- nodes and processes ----

    // What is true of one node, as numbers.
    struct Truth {
        int cluster, island, leaf, node;
    };

    // Networks nest where nothing is wrong.
    Truth random_truth(int node) {
        const int leaf = below(5);
        const int island = traits_.has_gaps && one_in(10) ? below(3) : leaf / 2;
        return {traits_.has_gaps && one_in(10) ? below(2) : island / 2, island, leaf, node};
    }

    void add_node(int node, int num_processes) {
        const std::string& host = any_of(kHosts);
        const std::string boot_id = std::to_string(traits_.has_gaps && one_in(3) ? 0 : node);
        const Truth truth = random_truth(node);
        const FakeMachine& machine = any_of(machines_);
        const int giver = traits_.has_gaps ? below(6) : 1;
        for (int i = 0; i < num_processes; ++i) {
            FakeProcess process = on_host(host, boot_id);
            process.facts.cpus = random_binding(machine);
            process.facts.forced = forced_;
            process.facts.shm_device = one_in(8) ? random_() % 3 : 5;
            process.facts.ipc_namespace = one_in(8) ? random_() % 3 : 4026531839;
            tell_network(process, truth);
            tell_side(process, truth);
            if (giver == 1 || (giver != 2 && i == 0)) {
                give_machine(process, machine);
            }
            if (traits_.has_simulations) {
                simulate(process, machine);
            }
            if (traits_.has_leaders && one_in(2)) {
                lead(process);
            }
            set_priorities(process);
            job_.push_back(std::move(process));
        }
    }

    void give_machine(FakeProcess& process, const FakeMachine& machine) {
        process.has(machine, one_in(6) ? "cpuid" : "hwloc");
        if (traits_.has_gaps && one_in(8)) {
            process.has(any_of(machines_), "cpuid");
        }
    }

    void tell_network(FakeProcess& process, const Truth& truth) {
        for (const std::string& component : kComponents) {
            if (!traits_.has_gaps || below(3) > 0) {
                tell_network(process, component, truth);
            }
        }
    }

    void tell_network(FakeProcess& process, const std::string& component, Truth truth) {
        if (traits_.has_gaps && one_in(25)) {
            truth = random_truth(truth.node);  // wrong
        }
        const bool is_relative = component == "file" || component == "hostname";
        RawAddress address;
        address[kCluster] = value_of(component, "c", truth.cluster);
        address[kIsland] = value_of(component, "i", truth.island);
        address[kSwitch] = value_of(component, "s", truth.leaf);
        address[kNode] = value_of(component, "node", truth.node);
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            if (is_unknown_[level] ||
                (traits_.has_gaps ? one_in(3) : std::hash<std::string>()(component) % 3 == 0)) {
                address[level].reset();
            }
        }
        if (is_relative) {
            make_relative(address);
        }
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            if (address[level]) {
                process.gives(component, level, *address[level]);
            }
        }
    }

    // Domains are of several switches, or of processes here and there.
    void tell_side(FakeProcess& process, const Truth& truth) {
        for (std::size_t i = 0; has_side_ && i < kSideTypes.size(); ++i) {
            for (const char* component : {"file", "hwloc", "cpuid"}) {
                const bool is_told = traits_.has_gaps ? one_in(3) : component == kComponents[i];
                const int domain = one_in(is_side_crossed_ ? 2 : 10) ? below(3) : truth.leaf / 2;
                if (is_told) {
                    process.shares(component, kSideTypes[i], value_of(component, "d", domain),
                                   traits_.has_gaps && one_in(4), static_cast<std::int32_t>(i / 2));
                }
            }
        }
    }

    static RawValue value_of(const std::string& component, const char* word, int number) {
        if (component == "openib") {
            return RawValue(Name::number(static_cast<std::uint64_t>(number)));
        }
        if (component == "hostname") {
            return RawValue(Name(std::string(word) + "0" + std::to_string(number)));
        }
        return RawValue(Name(word + std::to_string(7 + number)));
    }

    void simulate(FakeProcess& process, const FakeMachine& machine) {
        if (is_simulated_ && !one_in(5)) {
            process.simulates_node(one_in(2) ? RawValue(Name::number(random_() % 3))
                                             : RawValue(Name("sim" + std::to_string(below(3)))));
        }
        if (has_rule_ && !one_in(5)) {
            process.is_bound(any_of<std::string>(
                {"none", "core", "socket", "numa", "hwthread", "hwloc://NUMANode", "L3Cache"}));
        }
        if (has_rule_ && one_in(8)) {
            process.is_bound(random_binding(machine).to_string(), "file");
        }
        for (const Level level : {kL2Numa, kSocket, kCore, kHwThread}) {
            for (const char* component : {"file", "openib"}) {
                if (has_explicit_ && one_in(component == std::string("file") ? 2 : 8)) {
                    process.gives(component, level, random_value());
                }
            }
        }
    }

    void lead(FakeProcess& process) {
        Uplinks uplinks = {"s" + std::to_string(below(4)), {}, "i" + std::to_string(below(2)), "id"};
        for (int i = below(4); i > 0; --i) {
            uplinks.switches.push_back(random_() % 6);
        }
        process.leads("openib", Name::number(random_() % 5), uplinks);
    }

    RawValue random_value() {
        if (one_in(4)) {
            return RawValue({Name("p" + std::to_string(below(2))), Name::number(random_() % 2)});
        }
        return one_in(2) ? RawValue(Name::number(random_() % 4))
                         : RawValue(Name((one_in(2) ? "x" : "x0") + std::to_string(below(12))));
    }

    void set_priorities(FakeProcess& process) {
        for (ComponentAnswer& answer : process.answers) {
            answer.priority = priorities_.at(answer.component);
        }
        std::sort(
            process.answers.begin(), process.answers.end(),
            [](const ComponentAnswer& a, const ComponentAnswer& b) { return a.priority > b.priority; });
    }

    const RandomTraits traits_;
    FakeJob job_;
    std::map<std::string, int> priorities_;
    std::array<std::string, kNumLevels> forced_;
    std::vector<FakeMachine> machines_;
    std::array<bool, kNumLevels> is_unknown_ = {};  // to everybody
    bool is_simulated_ = false;
    bool has_explicit_ = false;
    bool has_rule_ = false;
    bool has_side_ = false;
    bool is_side_crossed_ = false;
};

}  // namespace

FakeJob random_job(std::mt19937_64& random, const RandomTraits& traits) {
    return Maker(random, traits).make();
}

std::vector<std::uint32_t> random_members(std::mt19937_64& random, std::size_t size) {
    std::vector<std::uint32_t> ranks(size);
    std::iota(ranks.begin(), ranks.end(), 0u);
    std::shuffle(ranks.begin(), ranks.end(), random);
    ranks.resize(1 + random() % size);
    return ranks;
}

std::uint64_t test_seed() {
    const char* seed = std::getenv("HITOPO_TEST_SEED");
    return seed == nullptr ? 20260101 : std::strtoull(seed, nullptr, 10);
}

}  // namespace hitopo
