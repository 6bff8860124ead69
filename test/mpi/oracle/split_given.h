// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the MPI library gives in one case, as text.
#ifndef TEST_MPI_ORACLE_SPLIT_GIVEN_H
#define TEST_MPI_ORACLE_SPLIT_GIVEN_H

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "test/mpi/oracle/split_cases.h"

namespace split_oracle {

struct World {
    int rank = 0, size = 0;
    MPI_Group group = MPI_GROUP_NULL;
};

// Line i: what call i of `test` gave this process; "" where it is in none of the communicators. Ranks
// are those of MPI_COMM_WORLD.
//
// are_messages_sent  whether each new communicator is tried
// on_call            called before each call
//
// Collective over MPI_COMM_WORLD.
std::vector<std::string> lines_given(const World& world, const Case& test, bool are_messages_sent,
                                     const std::function<void(const Call&)>& on_call);

}  // namespace split_oracle

#endif
