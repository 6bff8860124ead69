// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The oracle: what every split has to give, worked out from machines, CPU sets and the map's names by
// hwloc's set operations alone. It shares no code with HiTopo, so that both cannot be wrong in the same
// line; the rule of unguided splits is test/oracle/split_rules.h. split_oracle_check.cc holds it against
// splits that were worked out by hand.
#ifndef TEST_MPI_ORACLE_SPLIT_ORACLE_H
#define TEST_MPI_ORACLE_SPLIT_ORACLE_H

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "test/mpi/oracle/split_machine.h"
#include "test/oracle/split_rules.h"

namespace split_oracle {

struct Node {
    std::shared_ptr<const Machine> machine;
    std::string cluster, island, leaf_switch;  // "" is unknown; each is relative to the one before it
};

struct Process {
    int node;
    Cpus cpus;
};

using Ranks = split_rules::Processes;  // of MPI_COMM_WORLD; as a communicator: its rank i is ranks[i]

// A part: the processes of one new communicator before anybody abstains, in the order of the parent, and
// its type's URI.
using Group = split_rules::Part;
using Split = std::vector<Group>;  // by lowest rank in the parent

// What one process brings to a call.
struct Request {
    bool takes_part;  // neither MPI_UNDEFINED nor, in a guided split, without a usable info
    int key;
};

// What one process gets; by rank of the parent where it is in a vector.
struct Made {
    Ranks members;  // in their order; empty is MPI_COMM_NULL
    std::string type;
    int number = 0, num_siblings = 0;  // of its communicator, by lowest rank in the parent
};

struct Step {
    Ranks members;
    std::string type;
    Ranks roots;  // empty is MPI_COMM_NULL
};

class Job {
public:
    Job(const std::vector<Node>& nodes, const std::vector<Process>& processes);

    // The URIs of what MPIX_Get_hw_topology_info lists, outermost first.
    std::vector<std::string> listed_types() const;

    // What MPI_Get_hw_resource_info gives in one process.
    std::map<std::string, std::string> resource_info(int process) const;

    // By the instances of one type; no groups where there is no such type. uri: exact.
    Split guided(const Ranks& comm, const std::string& uri) const;

    // As Open MPI's own split types promise: who is restricted to no instance gets a communicator of its
    // own; where nobody of comm knows a cluster, switch or board, it is the node.
    Split guided_without_null(const Ranks& comm, const std::string& uri) const;

    Split unguided(const Ranks& comm) const;

    // By rank of comm: the steps of each process.
    std::vector<std::vector<Step>> hierarchy(const Ranks& comm) const;

private:
    struct Type {
        std::string uri;
        std::vector<std::string> instance;  // by rank: what it is restricted to; "" is none
        std::vector<int> num_cpus;          // by rank, as split_rules::Instances has it
    };

    static split_rules::Instances instances_of(const Type& type);
    static Split by_instance(const Ranks& comm, const Type& type);

    std::vector<Type> types_;                      // outermost first
    std::vector<split_rules::Instances> nesting_;  // those of them that nest
    std::vector<std::set<std::string>> uris_;      // by process: of the levels, and of its machine
};

Split shared(const Ranks& comm);  // all in one: no test leaves its host
Split alone(const Ranks& comm);   // each in its own

// The call of all processes of comm. leads: rank 0 of comm sorts before every key.
std::vector<Made> make(const Ranks& comm, const Split& split, const std::vector<Request>& requests,
                       bool leads);

// The roots communicator of the call that made `made`; by rank of comm, empty where it is MPI_COMM_NULL.
std::vector<Ranks> roots(const Ranks& comm, const std::vector<Made>& made);

}  // namespace split_oracle

#endif
