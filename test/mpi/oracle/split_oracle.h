// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The oracle: what every split has to give, by the address table of MPI_COMM_WORLD and the rules of
// test/oracle/split_rules.h. It shares no code with the splits. The table itself is held against
// machines and names by test/core/tree/tree_oracle_test.cc and test/hwloc.
#ifndef TEST_MPI_ORACLE_SPLIT_ORACLE_H
#define TEST_MPI_ORACLE_SPLIT_ORACLE_H

#include <map>
#include <string>
#include <vector>

#include "test/oracle/split_rules.h"

namespace split_oracle {

using Ranks = split_rules::Processes;  // of MPI_COMM_WORLD; as a communicator: its rank i is ranks[i]

class Job {
public:
    // table: what ompi_hitopo_describe_table gives.
    explicit Job(const std::string& table);

    // What the table says of a process: its names of cluster, island, switch and node, "" if unknown,
    // and its CPUs.
    std::vector<std::string> place(int process) const { return places_.at(process); }

    // The URIs of what MPIX_Get_hw_topology_info lists, outermost first.
    const std::vector<std::string>& listed_types() const { return listed_; }

    // What MPI_Get_hw_resource_info gives in one process.
    const std::map<std::string, std::string>& resource_info(int process) const {
        return infos_.at(process);
    }

    // The parts of the processes, in the order of comm, before anybody abstains. By the instances of
    // one type; none where there is no such type. uri: exact.
    std::vector<split_rules::Part> guided(const Ranks& comm, const std::string& uri) const;

    // As Open MPI's own split types promise: who is restricted to no instance gets a communicator of its
    // own; where nobody of comm knows a cluster, switch or board, it is the node.
    std::vector<split_rules::Part> guided_without_null(const Ranks& comm, const std::string& uri) const;

    // Those that nest, outermost first.
    const std::vector<split_rules::Instances>& nesting() const { return nesting_; }

    // Those whose domains a metric of MPIX_Get_hw_domain_neighbours counts, outermost first.
    std::vector<split_rules::Instances> walk(int metric) const;

private:
    std::vector<split_rules::Instances> types_, nesting_;  // outermost first
    std::vector<std::string> listed_;
    std::vector<std::map<std::string, std::string>> infos_;  // by process
    std::vector<std::vector<std::string>> places_;           // likewise
};

// ---- as text: what tests compare and people read ----

inline std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

// "hitopo://Node=true hwloc://Core=false"
inline std::string to_text(const std::map<std::string, std::string>& values) {
    std::vector<std::string> words;
    for (const auto& [key, value] : values) {
        words.push_back(key + '=' + value);
    }
    return joined(words);
}

// "{0,1,2}"; "NULL" where there is none.
inline std::string to_text(const Ranks& ranks) {
    std::string text;
    for (const int rank : ranks) {
        text += (text.empty() ? "{" : ",") + std::to_string(rank);
    }
    return text.empty() ? "NULL" : text + '}';
}

}  // namespace split_oracle

#endif
