/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The wall between the framework's C++ and Open MPI's internals, which are C: plain types only.
 * hitopo_glue_* are written in C (hitopo_base_frame.c, _comm.c, _presence.c) for the C++ side;
 * hitopo_base_* are written in C++ for the C side. All return OMPI_SUCCESS or an OMPI_ERR_* code
 * unless they say otherwise.
 */
#ifndef OMPI_MCA_HITOPO_BASE_GLUE_H
#define OMPI_MCA_HITOPO_BASE_GLUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompi/mca/hitopo/hitopo_report.h"

#ifdef __cplusplus
extern "C" {
#define HITOPO_NOEXCEPT noexcept
#else
#define HITOPO_NOEXCEPT
#endif

struct ompi_communicator_t;

/* The base's own MCA variables, owned by the MCA; valid while the framework is registered. */
typedef struct hitopo_base_settings_t {
    bool eager;                             /* exchange at MPI_Init's end */
    bool simulate_shared;                   /* MPI_COMM_TYPE_SHARED takes simulated nodes for real */
    char *level_component[HITOPO_NUM_LEVELS]; /* NULL or "": by priority */
} hitopo_base_settings_t;

/* ---- frame: the framework and its components ---- */

const hitopo_base_settings_t *hitopo_glue_settings(void);
/* hitopo_base_register_world, also where the framework is not this library's. Between MPI_Init and MPI_Finalize. */
bool hitopo_glue_registers_world(void);

/* Brings the MCA's variables up, also before MPI_Init, and registers hitopo_base_eager. False if
 * another copy of this library did so already: this one stays out. */
bool hitopo_glue_claim(void);
void hitopo_glue_unclaim(void);

int hitopo_glue_open(void);
void hitopo_glue_close(void);

/* The value of an MCA variable of this framework, NULL if unset or empty; a component's if
 * `component` is not NULL. Valid until the next MCA call. */
const char *hitopo_glue_variable(const char *component, const char *name);

/* Tells of the names in the user's list that no component has, at rank 0 only: one message a job. */
void hitopo_glue_tell_not_found(void);

/* Calls `prepare` of each open component that has one. */
void hitopo_glue_prepare_components(void);

/* For tests: sets a string variable of an open component; value NULL: leaves it, "": unsets it. */
void hitopo_glue_set_variable(const char *component, const char *name, const char *value);

/* Calls `visit` for each open component, highest priority first. `query` may be called during the
 * visit only, with `handle`. Stops at the first visit that does not return OMPI_SUCCESS. */
typedef int (*hitopo_glue_query_fn_t)(void *handle, const hitopo_report_t *report);
typedef int (*hitopo_glue_visit_fn_t)(void *context, const char *name, const char *version, int priority,
                                      unsigned levels, void *handle);
int hitopo_glue_for_each_component(hitopo_glue_visit_fn_t visit, void *context);
int hitopo_glue_query(void *handle, const hitopo_report_t *report);
int hitopo_glue_lead(void *handle, const hitopo_report_t *report);

/* One MCA variable of the framework or its components. All strings are the caller's to copy. */
typedef struct hitopo_glue_variable_t {
    const char *name, *type, *value, *source, *scope, *help; /* value: NULL if unset */
} hitopo_glue_variable_t;
typedef int (*hitopo_glue_variable_fn_t)(void *context, const hitopo_glue_variable_t *variable);
int hitopo_glue_for_each_variable(hitopo_glue_variable_fn_t visit, void *context);

/* Open MPI's version, "4.1.4". */
const char *hitopo_glue_ompi_version(void);

/* Prints topic of help-hitopo-`component`.txt (base: "base") with three strings. */
void hitopo_glue_help(const char *component, const char *topic, const char *first, const char *second,
                      const char *third);

/* Whether the user wants to hear what a component answers, and saying it. */
bool hitopo_glue_is_verbose(void *handle);
void hitopo_glue_tell(const char *component, const char *text);

/* ---- comm: communicators ---- */

struct ompi_communicator_t *hitopo_glue_world(void);
/* Whether MPI_COMM_WORLD may be used: between MPI_Init and MPI_Finalize. */
bool hitopo_glue_has_world(void);
/* Whether communicators may be: then, or with an MPI session. */
bool hitopo_glue_is_up(void);
/* The process's job, its place in it and the job's size, MPI_COMM_WORLD's, while hitopo_glue_is_up (before that,
 * the place is 0). */
uint32_t hitopo_glue_job(void);
int hitopo_glue_job_rank(void);
int hitopo_glue_job_size(void);
bool hitopo_glue_is_inter(const struct ompi_communicator_t *comm);
int hitopo_glue_rank(const struct ompi_communicator_t *comm);
int hitopo_glue_size(const struct ompi_communicator_t *comm);        /* local group */
int hitopo_glue_remote_size(const struct ompi_communicator_t *comm); /* 0 if intra */

/* ranks: size entries, rank i of the local (remote) group is the job's process ranks[i], its rank in
 * MPI_COMM_WORLD. OMPI_ERR_NOT_FOUND where one is of another job. Local, O(size). */
int hitopo_glue_world_ranks(const struct ompi_communicator_t *comm, bool is_remote, uint32_t *ranks);

/* Whether the local group's first process comes before the remote group's: both sides agree. */
bool hitopo_glue_is_first_group(const struct ompi_communicator_t *comm);

/* Collective. On an intercommunicator: *_local over the local group, *_remote between the groups
 * (each side receives what the other sent). num: 32-bit integers of one process. */
int hitopo_glue_allgather(struct ompi_communicator_t *comm, bool is_remote, const int32_t *send, int num,
                          int32_t *receive);
int hitopo_glue_allgatherv(struct ompi_communicator_t *comm, bool is_remote, const int32_t *send, int num,
                           int32_t *receive, const int *counts, const int *displacements);
/* Collective over both groups: the maximum of each of `num` integers. */
int hitopo_glue_max64(struct ompi_communicator_t *comm, const int64_t *send, int64_t *receive, int num);

/* Sends to one process and receives from another; -1 for none. *received stays as it is without `from`. */
int hitopo_glue_pass_on(struct ompi_communicator_t *comm, int to, int32_t sent, int from, int32_t *received);

int hitopo_glue_create_keyval(void);
/* Has hitopo_base_forget(comm) called when comm is freed. Local; thread safe. */
int hitopo_glue_watch(struct ompi_communicator_t *comm);
/* Calls hitopo_base_forget(comm) now. */
void hitopo_glue_unwatch(struct ompi_communicator_t *comm);
void hitopo_glue_free_keyval(void);

/* ---- presence: which processes run HiTopo ---- */

/* Before MPI_Init's fence: says that this process is here. Silent where there is no PMIx server. */
void hitopo_glue_announce(uint32_t version);
/* Whether there is a PMIx server, which knows who announced what. */
bool hitopo_glue_can_tell(void);
/* After the fence: whether that rank of MPI_COMM_WORLD announced `version`; the same answer everywhere. */
bool hitopo_glue_is_present(uint32_t version, int rank);
/* The same of the profiler (ompi/profile), after hitopo_glue_announce. */
void hitopo_glue_announce_profiler(uint32_t version);
bool hitopo_glue_is_profiler_present(uint32_t version, int rank);
/* Whether comm has members outside MPI_COMM_WORLD, and all members of comm announced `version`: those of
 * this job are asked too unless `knows_own_job`. The same answer at all members. Local. */
bool hitopo_glue_reaches_beyond_world(struct ompi_communicator_t *comm, uint32_t version, bool knows_own_job);
/* hitopo_glue_is_present of another job's process. */
bool hitopo_glue_is_foreigner_present(uint32_t version, uint32_t job, uint32_t rank);
/* This process's rank among those of its node, -1 if unknown. */
int hitopo_glue_local_rank(void);
void hitopo_glue_retire(void);

/* ---- C++ side ---- */

#pragma GCC visibility push(default)
/* Before MPI_Init's fence, in each process; idempotent. Local. */
void hitopo_base_announce(void) HITOPO_NOEXCEPT;
/* At MPI_Init's end, in each process; idempotent. Collective over MPI_COMM_WORLD. */
void hitopo_base_start(void) HITOPO_NOEXCEPT;
/* At MPI_Finalize's begin; idempotent. Local. */
void hitopo_base_stop(void) HITOPO_NOEXCEPT;
/* At the end of the last MPI session of a process without MPI_COMM_WORLD; idempotent. Local. */
void hitopo_base_stop_without_world(void) HITOPO_NOEXCEPT;
/* For the profiler. After hitopo_base_announce, in each process that has it. Local. */
void hitopo_base_announce_profiler(void) HITOPO_NOEXCEPT;
/* After MPI_Init: whether all processes of MPI_COMM_WORLD have it; the same answer at all that have. Collective
 * among those. */
bool hitopo_base_is_profiler_everywhere(void) HITOPO_NOEXCEPT;
#pragma GCC visibility pop
/* That topic of the file, the caller's to free; what there is of it where the file cannot be read, NULL if
 * memory is short. */
char *hitopo_base_help_text(const char *path, const char *topic, const char *first, const char *second,
                            const char *third) HITOPO_NOEXCEPT;
/* comm is being freed. */
void hitopo_base_forget(struct ompi_communicator_t *comm) HITOPO_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
