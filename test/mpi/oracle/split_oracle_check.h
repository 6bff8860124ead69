// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef TEST_MPI_ORACLE_SPLIT_ORACLE_CHECK_H
#define TEST_MPI_ORACLE_SPLIT_ORACLE_CHECK_H

namespace split_oracle {

// Holds the oracle against splits that were worked out by hand; prints each failed check and gives how
// many failed. Needs no MPI.
int check_oracle();

}  // namespace split_oracle

#endif
