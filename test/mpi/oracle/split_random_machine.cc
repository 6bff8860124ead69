// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random machines in hwloc's synthetic notation, and bindings on them.
#include "test/mpi/oracle/split_random_machine.h"

#include <numeric>

namespace split_oracle {
namespace {

// What `percent` of machines have at that depth, up to `max_count` of them, and beside which some have
// memory.
struct Layer {
    int percent;
    const char* type;
    int max_count, memory_percent;
};

// Writes "type:count" after "type:count", outermost first.
class Writer {
public:
    Writer(Random& random, int max_pus, bool has_numa_level)
        : random_(random), max_pus_(max_pus), has_numa_level_(has_numa_level) {}

    void maybe(const Layer& layer) {
        if (random_.chance(layer.percent)) {
            add(layer.type, layer.max_count);
        }
        if (layer.memory_percent > 0) {
            maybe_memory(layer.memory_percent);
        }
    }

    void add(const char* type, int max_count) {
        int count = random_.chance(35) ? 1 : random_.between(1, max_count);
        count = num_pus_ * count > max_pus_ ? 1 : count;
        num_pus_ *= count;
        text_ += std::string(text_.empty() ? "" : " ") + type + ':' + std::to_string(count);
    }

    // Memory beside what was written last; hwloc takes none beside a level of NUMA nodes.
    void maybe_memory(int percent) {
        if (!has_numa_level_ && random_.chance(percent)) {
            text_ += text_.empty() ? "[numa]" : " [numa]";
        }
    }

    // CPU numbers in any order.
    void number_at_random() {
        std::vector<int> numbers(static_cast<std::size_t>(num_pus_));
        std::iota(numbers.begin(), numbers.end(), 0);
        random_.shuffle(numbers);
        std::string list;
        for (const int number : numbers) {
            list += (list.empty() ? "" : ",") + std::to_string(number);
        }
        text_ += "(indexes=" + list + ')';
    }

    const std::string& text() const { return text_; }

private:
    Random& random_;
    const int max_pus_;
    const bool has_numa_level_;
    std::string text_;
    int num_pus_ = 1;
};

Cpus random_instance(Random& random, const Machine& machine, const std::string& type) {
    const std::vector<Cpus>& instances = machine.instances(type);
    return instances.empty() ? machine.cpus : random.pick(instances);
}

Cpus random_instance(Random& random, const Machine& machine) {
    return random_instance(random, machine, random.pick(machine.types).name);
}

// A machine's complete set can hold CPUs that are offline.
Cpus only_existing(const Cpus& cpus, const Machine& machine) {
    Cpus existing = cpus;
    existing.keep(machine.cpus);
    return existing.is_empty() ? machine.cpus : existing;
}

Cpus some_pus(Random& random, const Machine& machine) {
    Cpus cpus = random_instance(random, machine, "PU");
    for (int i = random.below(5); i > 0; --i) {
        cpus.add(random_instance(random, machine, "PU"));
    }
    return cpus;
}

Cpus random_cpus(Random& random, const Machine& machine) {
    switch (random.below(8)) {
        case 0:
        case 1:
            return random_instance(random, machine, "PU");
        case 2:
            return random_instance(random, machine, "Core");
        case 3:
            return machine.cpus;
        case 4: {  // spans two of something
            const std::string type = random.pick(machine.types).name;
            Cpus cpus = random_instance(random, machine, type);
            cpus.add(random_instance(random, machine, type));
            return cpus;
        }
        case 5:
            return some_pus(random, machine);
        default:
            return random_instance(random, machine);
    }
}

}  // namespace

std::string random_machine(Random& random) {
    const bool has_numa_level = random.chance(10);
    Writer writer(random, random.pick<int>({4, 8, 16, 16, 32, 48}), has_numa_level);
    writer.maybe_memory(8);
    const std::vector<Layer> layers = {
        {25, "group", 3, 15}, {10, "group", 2, 0}, {has_numa_level ? 100 : 0, "numa", 4, 0},
        {5, "l3", 2, 0},      {88, "pack", 4, 30}, {15, "die", 2, 15},
        {5, "l5", 2, 0},      {8, "l4", 2, 0},     {15, "group", 2, 15},
        {50, "l3", 3, 8},     {40, "l2", 3, 0},    {10, "l1i", 2, 0},
        {30, "l1d", 2, 0},    {10, "l1i", 2, 0},   {90, "core", 4, 0}};
    for (const Layer& layer : layers) {
        writer.maybe(layer);
    }
    writer.add("pu", 3);
    if (random.chance(30)) {
        writer.number_at_random();
    }
    return writer.text();
}

Cpus random_binding(Random& random, const Machine& machine, const Cpus& neighbour) {
    const bool is_shared = !neighbour.is_empty() && random.chance(25);
    return is_shared ? neighbour : only_existing(random_cpus(random, machine), machine);
}

Cpus nth_instance(const Machine& machine, const std::string& type, int n) {
    const std::vector<Cpus>& instances = machine.instances(type);
    const std::size_t count = instances.size();
    return count == 0 ? machine.cpus
                      : only_existing(instances[static_cast<std::size_t>(n) % count], machine);
}

}  // namespace split_oracle
