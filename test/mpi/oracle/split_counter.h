/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A library that stands between libmpi_hitopo and libmpi and counts the splits by type that reach Open
 * MPI's own code. Linked after the former, it has the next symbols that the former would find.
 */
#ifndef TEST_MPI_ORACLE_SPLIT_COUNTER_H
#define TEST_MPI_ORACLE_SPLIT_COUNTER_H

#ifdef __cplusplus
extern "C" {
#endif

/* Calls of PMPI_Comm_split_type and ompi_comm_split_type that passed by since the start, and gave a communicator or
 * an error. */
long split_counter_calls(void);

#ifdef __cplusplus
}
#endif

#endif
