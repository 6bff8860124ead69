// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/oracle/split_rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace split_rules {
namespace {

void sort_by_lowest_rank(const Processes& comm, std::vector<Part>& parts) {
    std::map<int, std::size_t> rank_of;
    for (std::size_t rank = 0; rank < comm.size(); ++rank) {
        rank_of[comm[rank]] = rank;
    }
    std::stable_sort(parts.begin(), parts.end(), [&](const Part& a, const Part& b) {
        return rank_of[a.members[0]] < rank_of[b.members[0]];
    });
}

bool holds(const Part& part, const Processes& processes) {
    return std::all_of(processes.begin(), processes.end(), [&part](int process) {
        return std::count(part.members.begin(), part.members.end(), process) > 0;
    });
}

// The processes of comm in the instance that holds all of `members`; empty if none does.
Processes instance_around(const Processes& members, const Processes& comm, const Instances& type) {
    for (const Part& part : split_by(comm, type)) {
        if (holds(part, members)) {
            return part.members;
        }
    }
    return {};
}

// The processes of comm in each instance around `members`, the smallest first, and its type.
std::vector<Part> domains_around(const Processes& members, const Processes& comm,
                                 const std::vector<Instances>& types) {
    std::map<std::tuple<std::size_t, int, std::ptrdiff_t>, Part> by_size;  // processes, CPUs, type
    for (const Instances& type : types) {
        const Processes around = instance_around(members, comm, type);
        if (!around.empty()) {
            const int num_cpus = type.num_cpus.at(static_cast<std::size_t>(members[0]));
            by_size[{around.size(), num_cpus, types.data() - &type}] = {around, type.uri};
        }
    }
    std::vector<Part> domains;
    for (auto& [size, domain] : by_size) {
        domains.push_back(std::move(domain));
    }
    return domains;
}

}  // namespace

std::vector<Part> split_by(const Processes& comm, const Instances& type) {
    std::map<int, Processes> members;
    for (const int process : comm) {
        if (type.of.at(static_cast<std::size_t>(process)) >= 0) {
            members[type.of.at(static_cast<std::size_t>(process))].push_back(process);
        }
    }
    std::vector<Part> parts;
    for (auto& [instance, processes] : members) {
        parts.push_back({std::move(processes), type.uri});
    }
    sort_by_lowest_rank(comm, parts);
    return parts;
}

std::string smallest_domain(const Processes& members, const Processes& comm,
                            const std::vector<Instances>& types) {
    const std::vector<Part> domains = domains_around(members, comm, types);
    return domains.empty() ? "" : domains.front().uri;
}

Processes neighbours_of(int process, int hops, const Processes& comm,
                        const std::vector<Instances>& types) {
    Processes reached = {process};
    for (const Part& domain : domains_around(reached, comm, types)) {
        if (hops > 0 && holds(domain, reached)) {
            reached = domain.members;
            --hops;
        }
    }
    return reached;
}

// Takes the largest that is still whole, of equals the outermost, of these the one with the lowest rank.
std::vector<Part> split_unguided(const Processes& comm, const std::vector<Instances>& types) {
    std::vector<Part> candidates;
    for (const Instances& type : types) {
        for (Part& part : split_by(comm, type)) {
            if (part.members.size() < comm.size()) {
                candidates.push_back(std::move(part));
            }
        }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Part& a, const Part& b) { return a.members.size() > b.members.size(); });
    std::set<int> taken;
    std::vector<Part> parts;
    for (Part& part : candidates) {
        if (std::none_of(part.members.begin(), part.members.end(),
                         [&](int process) { return taken.count(process) > 0; })) {
            taken.insert(part.members.begin(), part.members.end());
            part.uri = smallest_domain(part.members, comm, types);
            parts.push_back(std::move(part));
        }
    }
    sort_by_lowest_rank(comm, parts);
    return parts;
}

Tree tree_of(const Processes& comm, const std::vector<Instances>& types, std::string uri) {
    Tree tree{comm, std::move(uri), {}};
    for (Part& part : split_unguided(comm, types)) {
        tree.parts.push_back(tree_of(part.members, types, std::move(part.uri)));
    }
    return tree;
}

Processes roots_of(const Tree& tree) {
    Processes roots;
    for (const Tree& part : tree.parts) {
        roots.push_back(part.members[0]);
    }
    return roots;
}

}  // namespace split_rules
