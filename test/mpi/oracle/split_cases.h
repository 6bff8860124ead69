// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random jobs and what they call, for split_oracle_test.cc. A case follows from a seed and its number
// alone, so every process makes the same.
#ifndef TEST_MPI_ORACLE_SPLIT_CASES_H
#define TEST_MPI_ORACLE_SPLIT_CASES_H

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "test/mpi/oracle/split_machine.h"
#include "test/mpi/oracle/split_oracle.h"

namespace split_oracle {

inline constexpr const char* kTypeKey = "mpi_hw_resource_type";
inline constexpr const char* kHsplitKey = "MPI_HW_DOMAIN_TYPE";
inline constexpr const char* kGarbage = "hwloc://Garbage";  // names no resource type

inline constexpr const char* kLevelKey = "MPI_HIER_LEVEL";

// The lines before those of the calls: what these local functions answer.
inline constexpr std::array kQuestions = {"MPIX_Get_hw_topology_info", "MPI_Get_hw_resource_info"};

// A node as the map tells it. Values as they stand there, so that 1 and "1" are two; "" is not told.
struct NodeNames {
    std::string cluster, island, leaf_switch, node;
};

// Communicators that are made together; no process is in two of them.
struct Family {
    enum class How { kWorld, kSelf, kSplit, kCreate, kDup };  // kDup: of what kSplit makes
    How how;
    std::vector<Ranks> comms;  // one for kWorld and kCreate; of kSelf, each process

    const Ranks* of(int rank) const;  // NULL if it is in none
};

enum class Info { kNull, kEmpty, kGarbage, kWord };

// What one process passes.
struct Argument {
    bool is_undefined = false;
    int key = 0;
    Info info = Info::kNull;
};

struct Call {
    enum class What { kSplit, kRoots, kLoop, kHierarchy, kMinDomain, kNeighbours };
    enum class Rule { kGuided, kGuidedWithoutNull, kShared, kAlone, kUnguided };

    What what = What::kSplit;
    int family = 0;  // index into Case::families
    int split_type = 0;
    Rule rule = Rule::kUnguided;
    std::string uri;       // of guided splits
    int hw_level = -1;     // instead of uri: its place in what MPIX_Get_hw_topology_info lists
    std::string info_key;  // of guided splits: its value is `word`
    std::string word;
    int entry = 0;                    // which of the functions of one contract is called
    int max_steps = 0;                // of kHierarchy
    bool wants_types = true;          // of kHierarchy
    std::vector<int> listed;          // of kMinDomain: ranks, each modulo the communicator's size
    int hops = 0, metric = 0;         // of kNeighbours
    std::vector<Argument> arguments;  // by process

    bool is_reporting() const;  // the type's name in the info
    bool takes_part(int process) const;
    // Whether this is HSplit's undirected mode: of all that take part in comm, nobody has the key.
    bool is_undirected(const Ranks& comm) const;
    // What is in an info of this kind; kNull: nothing.
    std::map<std::string, std::string> info_values(Info kind) const;
    std::string describe() const;
};

struct Case {
    std::vector<std::string> machines;  // by node: what hitopo_hwloc_topology takes
    std::vector<NodeNames> names;       // by node
    std::vector<int> node_of;           // by process
    bool has_map = true;
    std::vector<Family> families;
    std::vector<Call> calls;

    std::string map() const;  // the text of the map file
};

// xml_machines: paths.
Case make_case(std::uint64_t seed, int number, int num_processes,
               const std::vector<std::string>& xml_machines);

using Machines = std::vector<std::shared_ptr<const Machine>>;  // by node

// What hitopo_hwloc_binding takes, by process.
std::vector<std::string> make_bindings(std::uint64_t seed, int number, const Case& test,
                                       const Machines& machines);

// The CPUs that such a text means on `machine`.
Cpus cpus_of_binding(const std::string& binding, const Machine& machine);

}  // namespace split_oracle

#endif
