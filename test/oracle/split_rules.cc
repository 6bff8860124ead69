// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/oracle/split_rules.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
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

// Whether those are all the processes of comm in one instance.
bool is_instance(const Processes& members, const Processes& comm, const Instances& type) {
    const int instance = type.of.at(static_cast<std::size_t>(members[0]));
    Processes inside;
    for (const int process : comm) {
        if (instance >= 0 && type.of.at(static_cast<std::size_t>(process)) == instance) {
            inside.push_back(process);
        }
    }
    return inside == members;
}

// In the instance with the fewest CPUs.
std::string innermost_type(const Processes& members, const Processes& comm,
                           const std::vector<Instances>& types) {
    const auto first = static_cast<std::size_t>(members[0]);
    const Instances* innermost = nullptr;
    for (const Instances& type : types) {
        if (is_instance(members, comm, type) &&
            (innermost == nullptr || type.num_cpus.at(first) <= innermost->num_cpus.at(first))) {
            innermost = &type;
        }
    }
    if (innermost == nullptr) {
        throw std::logic_error("a part that is no instance");
    }
    return innermost->uri;
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
            part.uri = innermost_type(part.members, comm, types);
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
