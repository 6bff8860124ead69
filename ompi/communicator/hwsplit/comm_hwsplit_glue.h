/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The wall between splitting's C++ and Open MPI's internals, as base/framework/hitopo_base_glue.h is for the
 * framework: hitopo_glue_* are written in C. All return OMPI_SUCCESS or an OMPI_ERR_* code if not stated otherwise.
 */
#ifndef OMPI_COMM_HWSPLIT_GLUE_H
#define OMPI_COMM_HWSPLIT_GLUE_H

#include <stdbool.h>
#include <stdint.h>

#include "ompi/communicator/comm_hwsplit.h" /* the handles */

#ifdef __cplusplus
extern "C" {
#endif

/* The info keys that determine the split: they are no hints for its communicators. */
#define HITOPO_KEY_RESOURCE "mpi_hw_resource_type"
#define HITOPO_KEY_SET "mpi_pset_name"
#define HITOPO_KEY_DOMAIN "MPI_HW_DOMAIN_TYPE"

/* Whether no MPI call may use it: NULL, freed, or MPI_COMM_NULL. */
bool hitopo_glue_is_invalid(const struct ompi_communicator_t *comm);

/* Calls comm's error handler (MPI_COMM_WORLD's where comm is invalid) for an MPI error class or an
 * OMPI_ERR_* code, and returns the class; MPI_SUCCESS without a call for OMPI_SUCCESS. */
int hitopo_glue_raise(struct ompi_communicator_t *comm, int error, const char *function);

/* ---- info objects ---- */

/* The readable part of info: NULL for NULL, MPI_INFO_NULL and freed ones. */
struct opal_info_t *hitopo_glue_hints(struct ompi_info_t *info);
/* The same of a caller within Open MPI: NULL or MPI_INFO_NULL's, never a freed one. */
struct opal_info_t *hitopo_glue_hints_within(struct opal_info_t *info);
/* Whether there may be info objects before MPI_Init: from Open MPI 5.0 on. */
bool hitopo_glue_has_early_info(void);
/* Whether Open MPI's own split has that guided split type: HW_GUIDED from 5.0 on, RESOURCE_GUIDED from 6.0 on. */
bool hitopo_glue_is_guided_by_own(int split_type);
/* NUL-terminated, cut to `capacity`; false where there is no such key. */
bool hitopo_glue_info_get(struct opal_info_t *hints, const char *key, char *value, int capacity);
void hitopo_glue_info_set(struct opal_info_t *hints, const char *key, const char *value);
/* The caller's to free; NULL if memory is short. */
struct ompi_info_t *hitopo_glue_info_create(void);
/* Gives a new communicator those of the hints (also NULL) that Open MPI's own MPI_Comm_split_type keeps. Call it before
 * the PML sees the communicator and reads its assertions: no process can have sent anything yet. */
void hitopo_glue_keep_hints(struct ompi_communicator_t *made, struct opal_info_t *hints);

/* ---- context ids ---- */

/*
 * reserve: takes the `num` lowest free ones from `start` on that hitopo_glue_max_cid allows
 * into cids, ascending; one beyond the largest where there is none. take: these; false where one is not
 * free here, and then none is taken. release: gives back, and ignores one beyond the largest. Local.
 */
int64_t hitopo_glue_lowest_cid(void);
int64_t hitopo_glue_max_cid(void);
void hitopo_glue_reserve_cids(struct ompi_communicator_t *comm, int64_t start, int num, int64_t *cids);
bool hitopo_glue_take_cids(struct ompi_communicator_t *comm, int num, const int64_t *cids);
void hitopo_glue_release_cids(int num, const int64_t *cids);

/* ---- communicators ---- */

/* A communicator of these ranks of comm, the caller among them, with a context id that all of them took. Fails where
 * memory is short, and then nothing is given back. The generation distinguishes it from earlier ones of that id: a late
 * revocation must not hit it. It keeps the hints (also NULL). Local; no message may be sent before every process of
 * comm came back, and hitopo_glue_finish_comm makes it ready. */
int hitopo_glue_make_comm(struct ompi_communicator_t *comm, int size, int *ranks, int64_t cid, int64_t generation,
                          struct opal_info_t *hints, struct ompi_communicator_t **made);
/* is_spread: whether it is known that hitopo_glue_num_local is 1 at all of made's members; they have the same value. */
int hitopo_glue_finish_comm(struct ompi_communicator_t *made, bool is_spread);
/* The number of made's members on this process's node, itself included; 0 where Open MPI does not ask for it. */
int hitopo_glue_num_local(struct ompi_communicator_t *made);
void hitopo_glue_drop_comm(struct ompi_communicator_t *made);
/* Frees a ready communicator; MPI_COMM_NULL stays. Local. */
void hitopo_glue_free_comm(struct ompi_communicator_t **comm);
/* Open MPI's MPI_Comm_split, with the hints (also NULL); color < 0: MPI_COMM_NULL. Collective over comm. */
int hitopo_glue_split(struct ompi_communicator_t *comm, int color, int key, struct opal_info_t *hints,
                      struct ompi_communicator_t **made);
struct ompi_communicator_t *hitopo_glue_comm_null(void);

/* Whether this process is in the job's process set of that name, which its launcher made. Local; asks the PMIx server
 * of the node. */
bool hitopo_glue_is_in_set(const char *name);

/* Whether Open MPI takes that rank of comm's local group for a process of this node. */
bool hitopo_glue_is_local(struct ompi_communicator_t *comm, int rank);

/* The group of these ranks of comm's local group, the caller's to free. size 0: MPI_GROUP_EMPTY. */
int hitopo_glue_make_group(struct ompi_communicator_t *comm, int size, int *ranks, struct ompi_group_t **made);

#ifdef __cplusplus
}
#endif

#endif
