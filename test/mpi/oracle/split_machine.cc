// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_machine.h"

#include <hwloc.h>

#include <algorithm>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace split_oracle {
namespace {

Cpus cpus_of(hwloc_obj_t object) {
    Cpus cpus;
    for (int cpu = -1; (cpu = hwloc_bitmap_next(object->cpuset, cpu)) >= 0;) {
        cpus.insert(cpu);
    }
    return cpus;
}

MachineType type_at(hwloc_topology_t topology, int depth) {
    MachineType type = {hwloc_obj_type_string(hwloc_get_depth_type(topology, depth)), {}};
    for (hwloc_obj_t object = nullptr;
         (object = hwloc_get_next_obj_by_depth(topology, depth, object)) != nullptr;) {
        if (const Cpus cpus = cpus_of(object); !cpus.empty()) {
            type.instances.push_back(cpus);
        }
    }
    return type;
}

}  // namespace

Cpus parse_cpus(const std::string& list) {
    Cpus cpus;
    std::istringstream parts(list);
    for (std::string part; std::getline(parts, part, ',');) {
        const std::size_t dash = part.find('-');
        const int last = std::stoi(dash == std::string::npos ? part : part.substr(dash + 1));
        for (int cpu = std::stoi(part); cpu <= last; ++cpu) {
            cpus.insert(cpu);
        }
    }
    return cpus;
}

std::string to_list(const Cpus& cpus) {
    std::string list;
    for (const int cpu : cpus) {
        list += (list.empty() ? "" : ",") + std::to_string(cpu);
    }
    return list;
}

// With the CPUs that a cgroup forbade, and with instruction caches.
Machine Machine::load(const std::string& source) {
    hwloc_topology_t topology;
    const bool is_xml = source.find('/') != std::string::npos;
    if (hwloc_topology_init(&topology) != 0 ||
        hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
        hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) != 0 ||
        (is_xml ? hwloc_topology_set_xml(topology, source.c_str())
                : hwloc_topology_set_synthetic(topology, source.c_str())) != 0 ||
        hwloc_topology_load(topology) != 0) {
        throw std::runtime_error("hwloc does not read the machine " + source);
    }
    Machine machine;
    for (int depth = 0; depth < hwloc_topology_get_depth(topology); ++depth) {
        machine.types.push_back(type_at(topology, depth));
    }
    machine.types.push_back(type_at(topology, HWLOC_TYPE_DEPTH_NUMANODE));
    machine.cpus = cpus_of(hwloc_get_root_obj(topology));
    hwloc_topology_destroy(topology);
    return machine;
}

const std::vector<Cpus>& Machine::instances(const std::string& type) const {
    static const std::vector<Cpus> none;
    const auto found = std::find_if(types.begin(), types.end(),
                                    [&type](const MachineType& known) { return known.name == type; });
    return found == types.end() ? none : found->instances;
}

// ---- random ones, and bindings ----

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

Cpus some_pus(Random& random, const Machine& machine) {
    Cpus cpus = random_instance(random, machine, "PU");
    for (int i = random.below(5); i > 0; --i) {
        cpus.merge(random_instance(random, machine, "PU"));
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
            cpus.merge(random_instance(random, machine, type));
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
    const bool is_shared = !neighbour.empty() && random.chance(25);
    return is_shared ? neighbour : random_cpus(random, machine);
}

Cpus nth_instance(const Machine& machine, const std::string& type, int n) {
    const std::vector<Cpus>& instances = machine.instances(type);
    return instances.empty() ? machine.cpus : instances[static_cast<std::size_t>(n) % instances.size()];
}

}  // namespace split_oracle
