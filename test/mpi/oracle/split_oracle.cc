// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_oracle.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "test/mpi/oracle/split_types.h"

namespace split_oracle {
namespace {

// "node 2: 0-3", or "".
std::string instance_among(const std::vector<Cpus>& sets, const Process& process) {
    const Cpus* around = only_one_around(sets, process.cpus);
    return around == nullptr ? "" : "node " + std::to_string(process.node) + ": " + around->list();
}

std::string instance_of(const std::string& uri, const Node& node, const Process& process) {
    const std::string whole_node = "node " + std::to_string(process.node);
    const std::string cluster = node.cluster;
    const std::string island = cluster + '/' + node.island;
    if (uri == "hitopo://Cluster") {
        return cluster;
    }
    if (uri == "hitopo://Island") {
        return node.island.empty() ? "" : island;
    }
    if (uri == "hitopo://Switch") {
        return node.leaf_switch.empty() ? "" : island + '/' + node.leaf_switch;
    }
    const bool is_one_board = uri == "hitopo://L2NUMA" && node.machine->boards.empty();
    return uri == "hitopo://Node" || is_one_board ? whole_node
                                                  : instance_among(sets_of(uri, *node.machine), process);
}

// The number of CPUs of the instance that holds the process.
int num_cpus(const std::string& uri, const Node& node, const Process& process) {
    const std::vector<Cpus> sets =
        is_of_machine(uri) ? sets_of(uri, *node.machine) : std::vector<Cpus>();
    const Cpus* around = only_one_around(sets, process.cpus);
    return around == nullptr ? split_rules::kUnknownCpus : hwloc_bitmap_weight(around->get());
}

bool is_anywhere(const std::string& instance) { return !instance.empty(); }

// ---- communicators ----

int rank_in(const Ranks& comm, int process) {
    return static_cast<int>(std::find(comm.begin(), comm.end(), process) - comm.begin());
}

bool contains(const Ranks& ranks, int rank) {
    return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

void sort_by_lowest_rank(const Ranks& comm, Split& split) {
    std::sort(split.begin(), split.end(), [&comm](const Group& a, const Group& b) {
        return rank_in(comm, a.members.front()) < rank_in(comm, b.members.front());
    });
}

}  // namespace

Job::Job(const std::vector<Node>& nodes, const std::vector<Process>& processes) {
    const std::set<std::string> levels(level_types().begin(), level_types().end());
    std::set<std::string> uris = levels;
    std::vector<const Machine*> machines;
    for (const Process& process : processes) {
        const Machine& machine = *nodes.at(process.node).machine;
        machines.push_back(&machine);
        std::set<std::string>& own = uris_.emplace_back(levels);
        for (const MachineType& type : machine.types) {
            if (!type.instances.empty()) {
                own.insert(is_side(type.name) ? type.name : "hwloc://" + type.name);
            }
        }
        uris.insert(own.begin(), own.end());
    }
    std::sort(machines.begin(), machines.end());
    machines.erase(std::unique(machines.begin(), machines.end()), machines.end());
    const auto type_of = [&](const std::string& uri) {
        Type type = {uri, {}, {}};
        for (const Process& process : processes) {
            type.instance.push_back(instance_of(uri, nodes.at(process.node), process));
            type.num_cpus.push_back(num_cpus(uri, nodes.at(process.node), process));
        }
        return type;
    };
    for (const std::string& uri : outermost_first({uris.begin(), uris.end()}, machines)) {
        types_.push_back(type_of(uri));
        if (!is_side(uri)) {
            nesting_.push_back(instances_of(types_.back()));
        }
    }
}

std::vector<std::string> Job::listed_types() const {
    const std::set<std::string> levels = {"hitopo://Cluster", "hitopo://Island", "hitopo://Switch",
                                          "hitopo://Node"};
    std::vector<std::string> listed;
    for (const Type& type : types_) {
        const bool is_known = levels.count(type.uri) != 0 &&
                              std::any_of(type.instance.begin(), type.instance.end(), is_anywhere);
        if (is_known || is_of_machine(type.uri) || is_side(type.uri)) {
            listed.push_back(type.uri);
        }
    }
    return listed;
}

std::map<std::string, std::string> Job::resource_info(int process) const {
    std::map<std::string, std::string> info;
    for (const Type& type : types_) {
        if (uris_.at(process).count(type.uri) != 0) {
            info[type.uri] = is_anywhere(type.instance.at(process)) ? "true" : "false";
        }
    }
    return info;
}

// Numbers for what each process is restricted to.
split_rules::Instances Job::instances_of(const Type& type) {
    split_rules::Instances instances{type.uri, {}, type.num_cpus};
    std::map<std::string, int> number_of;
    for (const std::string& instance : type.instance) {
        const int next = static_cast<int>(number_of.size());
        instances.of.push_back(is_anywhere(instance) ? number_of.emplace(instance, next).first->second
                                                     : -1);
    }
    return instances;
}

Split Job::by_instance(const Ranks& comm, const Type& type) {
    return split_rules::split_by(comm, instances_of(type));
}

Split Job::guided(const Ranks& comm, const std::string& uri) const {
    for (const Type& type : types_) {
        if (type.uri == uri) {
            return by_instance(comm, type);
        }
    }
    return {};
}

Split Job::guided_without_null(const Ranks& comm, const std::string& uri) const {
    Split split = guided(comm, uri);
    if (split.empty() && !is_of_machine(uri)) {
        return guided(comm, "hitopo://Node");
    }
    for (const int rank : comm) {
        if (std::none_of(split.begin(), split.end(),
                         [rank](const Group& group) { return contains(group.members, rank); })) {
            split.push_back({{rank}, uri});
        }
    }
    sort_by_lowest_rank(comm, split);
    return split;
}

Split Job::unguided(const Ranks& comm) const { return split_rules::split_unguided(comm, nesting_); }

namespace {

// steps: by process.
void add_steps(const split_rules::Tree& tree, std::map<int, std::vector<Step>>& steps) {
    for (const split_rules::Tree& part : tree.parts) {
        for (const int process : part.members) {
            const bool is_root = process == part.members.front();
            steps[process].push_back({part.members, part.uri, is_root ? roots_of(tree) : Ranks()});
        }
        add_steps(part, steps);
    }
}

}  // namespace

std::vector<std::vector<Step>> Job::hierarchy(const Ranks& comm) const {
    std::map<int, std::vector<Step>> steps;
    add_steps(split_rules::tree_of(comm, nesting_), steps);
    std::vector<std::vector<Step>> by_rank;
    for (const int process : comm) {
        by_rank.push_back(steps[process]);
    }
    return by_rank;
}

Split shared(const Ranks& comm) { return {{comm, "mpi_shared_memory"}}; }

Split alone(const Ranks& comm) {
    Split split;
    for (const int rank : comm) {
        split.push_back({{rank}, ""});
    }
    return split;
}

std::vector<Made> make(const Ranks& comm, const Split& split, const std::vector<Request>& requests,
                       bool leads) {
    std::vector<Made> groups;
    for (const Group& group : split) {
        std::vector<std::pair<long, int>> order;  // key, rank in comm
        for (const int process : group.members) {
            const int rank = rank_in(comm, process);
            const Request& request = requests.at(rank);
            if (request.takes_part) {
                const bool is_first = leads && rank == 0;
                order.emplace_back(is_first ? std::numeric_limits<long>::min() : request.key, rank);
            }
        }
        std::sort(order.begin(), order.end());
        Made made{{}, group.uri, 0, 0};
        for (const auto& [key, rank] : order) {
            made.members.push_back(comm.at(rank));
        }
        if (!made.members.empty()) {
            groups.push_back(made);
        }
    }
    const auto lowest = [&comm](const Made& made) {
        int rank = static_cast<int>(comm.size());
        for (const int process : made.members) {
            rank = std::min(rank, rank_in(comm, process));
        }
        return rank;
    };
    std::sort(groups.begin(), groups.end(),
              [&lowest](const Made& a, const Made& b) { return lowest(a) < lowest(b); });
    std::vector<Made> made(comm.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].number = static_cast<int>(i);
        groups[i].num_siblings = static_cast<int>(groups.size());
        for (const int process : groups[i].members) {
            made[static_cast<std::size_t>(rank_in(comm, process))] = groups[i];
        }
    }
    return made;
}

std::vector<Ranks> roots(const Ranks& comm, const std::vector<Made>& made) {
    Ranks all;
    for (std::size_t i = 0; i < comm.size(); ++i) {
        if (!made[i].members.empty() && made[i].members.front() == comm[i]) {
            all.push_back(comm[i]);
        }
    }
    std::vector<Ranks> roots(comm.size());
    for (const int process : all) {
        roots[static_cast<std::size_t>(rank_in(comm, process))] = all;
    }
    return roots;
}

}  // namespace split_oracle
