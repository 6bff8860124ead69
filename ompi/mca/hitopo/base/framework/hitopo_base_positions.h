/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A communicator's address tree for components of Open MPI, which are C at their edge: its processes in the order of
 * their nodes' addresses, those of a node by rank. A position is an index in that order; rebinds do not change it.
 * Nothing is copied: functions look into the tree. All are local and thread safe.
 */
#ifndef OMPI_MCA_HITOPO_BASE_POSITIONS_H
#define OMPI_MCA_HITOPO_BASE_POSITIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

typedef struct hitopo_base_positions_t hitopo_base_positions_t;

#pragma GCC visibility push(default)
/* The positions of comm, which is no intercommunicator, in the tree that its members agreed on last; they stay as they
 * are when the members agree on another. NULL where comm has none, at all its members alike. For collectives: where
 * memory is short, this process ends the job. The caller drops it. */
hitopo_base_positions_t *ompi_hitopo_base_positions_of(struct ompi_communicator_t *comm) HITOPO_NOEXCEPT;
void ompi_hitopo_base_drop_positions(hitopo_base_positions_t *positions) HITOPO_NOEXCEPT; /* NULL: nothing */

int ompi_hitopo_base_num_positions(const hitopo_base_positions_t *positions) HITOPO_NOEXCEPT;
int ompi_hitopo_base_rank_at(const hitopo_base_positions_t *positions, int position) HITOPO_NOEXCEPT;
int ompi_hitopo_base_position_of(const hitopo_base_positions_t *positions, int rank) HITOPO_NOEXCEPT;

/* The eight numbers of a rank: as of ompi_hitopo_read_addr. */
void ompi_hitopo_base_address_of(const hitopo_base_positions_t *positions, int rank, int32_t *address) HITOPO_NOEXCEPT;

/* Intervals of level 0 to 3, cluster to node: of all positions whose addresses agree down to that level, in a -1 too.
 * They are numbered in the order of positions, and each lies in one of the next outer level. Gives the one that holds a
 * position. */
int ompi_hitopo_base_interval_at(const hitopo_base_positions_t *positions, int level, int position) HITOPO_NOEXCEPT;
/* Its first position; of the one behind the last: the number of positions. */
int ompi_hitopo_base_interval_begin(const hitopo_base_positions_t *positions, int level, int interval) HITOPO_NOEXCEPT;

/* A setting that all processes should have in common, such as a digest of a component's variables: it travels with
 * MPI_Init's exchange. Before that, in each process; of one key the last counts. OMPI_SUCCESS or an OMPI_ERR_* code. */
int ompi_hitopo_base_set_common(const char *key, const char *value) HITOPO_NOEXCEPT;
/* Whether all processes of MPI_COMM_WORLD have that setting in common, by its tree. */
bool ompi_hitopo_base_is_common(const char *key) HITOPO_NOEXCEPT;
#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
