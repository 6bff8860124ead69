// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the oracle says of one case, as the text of split_given.h.
#ifndef TEST_MPI_ORACLE_SPLIT_EXPECTED_H
#define TEST_MPI_ORACLE_SPLIT_EXPECTED_H

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "test/mpi/oracle/split_cases.h"
#include "test/mpi/oracle/split_oracle.h"

namespace split_oracle {

class Expectation {
public:
    Expectation(const Job& job, const Case& test) : job_(job), test_(test) {}

    // What lines_given() has to give in `process`.
    std::vector<std::string> lines_of(int process);

private:
    std::string line_of(std::size_t index, const Ranks& comm, int process);
    std::vector<std::string> lines_of(const Call& call, const Ranks& comm) const;  // by rank of comm
    std::vector<std::string> steps_lines(const Call& call, const Ranks& comm) const;
    Split split_of(const Call& call, const Ranks& comm) const;
    std::string uri_of(const Call& call) const;

    const Job& job_;
    const Case& test_;
    std::map<std::pair<std::size_t, int>, std::vector<std::string>> known_;  // by call and communicator
};

}  // namespace split_oracle

#endif
