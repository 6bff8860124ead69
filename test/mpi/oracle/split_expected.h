// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the oracle says of one case, as the text of split_given.h.
#ifndef TEST_MPI_ORACLE_SPLIT_EXPECTED_H
#define TEST_MPI_ORACLE_SPLIT_EXPECTED_H

#include <string>
#include <vector>

#include "test/mpi/oracle/split_cases.h"
#include "test/mpi/oracle/split_oracle.h"

namespace split_oracle {

// By process: what lines_given() has to give there.
std::vector<std::vector<std::string>> lines_expected(const Job& job, const Case& test);

}  // namespace split_oracle

#endif
