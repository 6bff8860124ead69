// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Guided and unguided splits and the hierarchy, as docs/splitting.md has the rules, worked out from the
// instances of each type and nothing else: for the oracle of tables (test/core/tree) and that of MPI
// programs (test/mpi/oracle).
#ifndef TEST_ORACLE_SPLIT_RULES_H
#define TEST_ORACLE_SPLIT_RULES_H

#include <climits>
#include <string>
#include <vector>

namespace split_rules {

using Processes = std::vector<int>;  // a communicator: its rank i is process [i]

// One resource type.
struct Instances {
    std::string uri;
    std::vector<int> of;  // by process; negative: restricted to none
    // By process: how many CPUs its instance has; kUnknownCpus where of is negative, and of a level.
    std::vector<int> num_cpus;
};
inline constexpr int kUnknownCpus = INT_MAX;

struct Part {
    Processes members;  // in the order of the communicator
    std::string uri;
};

// The instances that have processes of comm, by lowest ranks.
std::vector<Part> split_by(const Processes& comm, const Instances& type);

// The type of the smallest instance that holds all of `members`, which are in comm; "" if none does: of
// the fewest processes of comm, of equals that of the fewest CPUs, of equals the innermost. types:
// outermost first.
std::string smallest_domain(const Processes& members, const Processes& comm,
                            const std::vector<Instances>& types);

// Whom `process` reaches in comm: a hop leads to the next larger instance of these types, as
// smallest_domain() orders them, that holds all who were reached before.
Processes neighbours_of(int process, int hops, const Processes& comm,
                        const std::vector<Instances>& types);

// types: those that nest, outermost first. Parts by lowest ranks; their smallest domain names them.
std::vector<Part> split_unguided(const Processes& comm, const std::vector<Instances>& types);

// All unguided splits of comm, of their parts, and so on. uri: of comm as a part; "" at the top.
struct Tree {
    Processes members;
    std::string uri;
    std::vector<Tree> parts;
};
Tree tree_of(const Processes& comm, const std::vector<Instances>& types, std::string uri = "");

// The lowest rank of each part.
Processes roots_of(const Tree& tree);

}  // namespace split_rules

#endif
