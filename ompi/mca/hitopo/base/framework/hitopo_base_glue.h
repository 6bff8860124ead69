/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The wall between the framework's C++ and Open MPI's internals, which are C: plain types only.
 * hitopo_glue_* are written in C (hitopo_base_frame.c, _variables.c, _print.c, _comm.c, _presence.c) for
 * the C++ side; hitopo_base_* are written in C++ for the C side. All return OMPI_SUCCESS or an OMPI_ERR_* code unless
 * their comments have another contract.
 */
#ifndef OMPI_MCA_HITOPO_BASE_GLUE_H
#define OMPI_MCA_HITOPO_BASE_GLUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompi/mca/hitopo/hitopo_level.h"
#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

/* The base's own MCA variables, owned by the MCA; valid while the framework is registered. */
typedef struct hitopo_base_settings_t {
    bool eager;                               /* exchange at MPI_Init's end */
    bool simulate_shared;                     /* MPI_COMM_TYPE_SHARED takes simulated nodes for real */
    char *level_component[HITOPO_NUM_LEVELS]; /* NULL or "": by priority */
} hitopo_base_settings_t;

/* ---- variables: MCA variables ---- */

/* Registers the framework's own variables. Local. */
int hitopo_glue_register_variables(void);
/* Registers hitopo_base_eager alone, which is needed before. */
int hitopo_glue_register_eager(void);
const hitopo_base_settings_t *hitopo_glue_settings(void);

/* The value of an MCA variable of this framework, NULL if unset or empty; a component's if
 * `component` is not NULL. Valid until the next MCA call. */
const char *hitopo_glue_variable(const char *component, const char *name);

/* For tests: sets a string variable of an open component; value NULL: leaves it, "": unsets it. */
void hitopo_glue_set_variable(const char *component, const char *name, const char *value);

/* One MCA variable of the framework or its components. All strings are the caller's to copy. */
typedef struct hitopo_glue_variable_t {
    const char *name, *type, *value, *source, *scope, *help; /* value: NULL if unset */
} hitopo_glue_variable_t;
typedef int (*hitopo_glue_variable_fn_t)(void *context, const hitopo_glue_variable_t *variable);
int hitopo_glue_for_each_variable(hitopo_glue_variable_fn_t visit, void *context);

/* ---- frame: the framework and its components ---- */

/* Brings the MCA's variables up, also before MPI_Init, and registers hitopo_base_eager. False if
 * another copy of this library did so already: this one stays out. */
bool hitopo_glue_claim(void);
void hitopo_glue_unclaim(void);

int hitopo_glue_open(void);
void hitopo_glue_close(void);

/* Prints the names of the user's list that are no component's, and the components of another version of the interface,
 * at rank 0 only: one message a job for each. */
void hitopo_glue_tell_left_out(void);

/* Prints the user's values that ompi_hitopo_base_register_int refused since the last call, at rank 0 only. While
 * hitopo_glue_is_up. */
#pragma GCC visibility push(default) /* for layers above */
void ompi_hitopo_base_tell_too_small(void);
#pragma GCC visibility pop

/* Calls `prepare` of each open component that has one. */
void hitopo_glue_prepare_components(void);

/* An open component, valid during a visit. hitopo.h has the contracts of query and lead, which may be NULL. */
typedef struct hitopo_glue_component_t {
    const char *name, *version;
    int priority;
    unsigned levels;
    bool is_verbose; /* the user wants to read its answers */
    int (*query)(const hitopo_question_t *question, hitopo_answer_t *answer);
    int (*lead)(const hitopo_question_t *question, hitopo_answer_t *answer);
} hitopo_glue_component_t;
/* Calls `visit` for each open component, highest priority first. Stops at the first visit that does not return
 * OMPI_SUCCESS. */
typedef int (*hitopo_glue_visit_fn_t)(void *context, const hitopo_glue_component_t *component);
int hitopo_glue_for_each_component(hitopo_glue_visit_fn_t visit, void *context);

/* Open MPI's version, "4.1.4". */
const char *hitopo_glue_ompi_version(void);

/* The output of messages. Prints a text, and frees it; false where it is NULL. */
void hitopo_glue_open_output(void);
void hitopo_glue_close_output(void);
bool hitopo_glue_print(char *text);

/* Prints topic of help-hitopo-base.txt with three strings, made safe for terminals. False if memory is short. */
bool hitopo_glue_help(const char *topic, const char *first, const char *second, const char *third);

/* Whether the user wants to read that HiTopo is on, and printing it, or a component's answers. */
bool hitopo_glue_is_verbose(void);
void hitopo_glue_tell(const char *component, const char *text);

/* ---- comm: communicators ---- */

struct ompi_communicator_t *hitopo_glue_world(void);
struct ompi_communicator_t *hitopo_glue_self(void);
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

/* Whether a member is of another job than this process. Local, O(size). */
#pragma GCC visibility push(default) /* for layers above */
bool ompi_hitopo_base_has_outsiders(const struct ompi_communicator_t *comm);
/* Whether it comes from an MPI session. Not known while MPI_Comm_create_from_group chooses its collectives. Local. */
bool ompi_hitopo_base_has_session(const struct ompi_communicator_t *comm);
#pragma GCC visibility pop
/* Rank i of the local (remote) group: its job and its rank there; whether Open MPI knows it to be on this node.
 * Local. */
bool hitopo_glue_member(const struct ompi_communicator_t *comm, bool is_remote, int i, uint32_t *job, uint32_t *rank);

/* Whether the local group's first process comes before the remote group's: both sides agree. */
bool hitopo_glue_is_first_group(const struct ompi_communicator_t *comm);

/* Collective. is_remote: between the groups of an intercommunicator, where each side receives the other's integers;
 * else over the local group. num: integers of one process. */
int hitopo_glue_allgather(struct ompi_communicator_t *comm, bool is_remote, const int64_t *send, int num,
                          int64_t *receive);
/* Collective over both groups: the maximum of each of `num` integers. */
int hitopo_glue_allreduce_max(struct ompi_communicator_t *comm, const int64_t *send, int64_t *receive, int num);

/* A process of comm: its rank in the local, or an intercommunicator's remote, group; -1: none. */
typedef struct hitopo_glue_peer_t {
    int rank;
    bool is_remote;
} hitopo_glue_peer_t;
/* Sends num_sent bytes to one process and receives num_received, at most `capacity`, from another; more are an error.
 * Where that fails, the job ends, but with Open MPI's fault tolerance an OMPI_ERR_* code or one of MPI's is returned.
 * All processes of comm that pass something on call it: as a part of a blocking collective. */
#pragma GCC visibility push(default) /* for layers above */
int ompi_hitopo_base_swap(struct ompi_communicator_t *comm, hitopo_glue_peer_t to, const void *sent, size_t num_sent,
                          hitopo_glue_peer_t from, void *received, size_t capacity, size_t *num_received);
#pragma GCC visibility pop

/* Ends the job: this process cannot go on in `function`, where the other processes of comm wait for it, for the reason
 * `code`, of OMPI_ERR_*. Prints [ended-job]. docs/design.md, "Who fails alone"; C++ calls it by base/or_end_job.h. */
#pragma GCC visibility push(default) /* for layers above */
__attribute__((noreturn)) void ompi_hitopo_base_end_job(struct ompi_communicator_t *comm, const char *function,
                                                        int code);
#pragma GCC visibility pop

/* "Out of resource": the text of an OMPI_ERR_* code, or an error code of MPI. */
#define HITOPO_ERROR_TEXT_BYTES 512 /* Open MPI's MPI_MAX_ERROR_STRING is 256 */
void hitopo_glue_error_text(int status, char text[HITOPO_ERROR_TEXT_BYTES]);

/* Whether comm is a communicator of now, without dereferencing it unless it is: any value will do. Between MPI_Init and
 * MPI_Finalize, or with an MPI session. */
bool hitopo_glue_is_live(const struct ompi_communicator_t *comm);

/* comm's table of attributes, which every communicator that had one has: while it is kept, no other communicator at
 * this address has the same. Only compared. Keeping, and dropping what may be NULL: local. */
void *hitopo_glue_token(const struct ompi_communicator_t *comm);
void *hitopo_glue_keep_token(struct ompi_communicator_t *comm);
void hitopo_glue_drop_token(void *token);

/* ---- presence: the processes that run HiTopo ---- */

/* Announces HiTopo, or a layer above it, before MPI_Init's fence. Silent where there is no PMIx server. layer: NULL, or
 * a word. */
void hitopo_glue_announce(const char *layer, uint32_t version);
/* Whether it did. One that could not is absent to the others, and must not wait for them. */
bool hitopo_glue_has_announced(const char *layer);
/* Whether there is a PMIx server, which knows the announcements. */
bool hitopo_glue_can_tell(void);
/* After the fence: whether that rank of MPI_COMM_WORLD announced `version`, 0: any; the same answer everywhere. */
bool hitopo_glue_is_present(const char *layer, uint32_t version, int rank);
/* Whether HiTopo is in any job's process. */
bool hitopo_glue_is_foreigner_present(uint32_t version, uint32_t job, uint32_t rank, bool is_on_own_node);
/* The ranks of MPI_COMM_WORLD that this node's PMIx server has, ascending, as "0,1,4-7"; the caller's to free. NULL
 * where there is no server. */
char *hitopo_glue_local_peers(void);
/* This process's rank among those of its node, -1 if unknown. */
int hitopo_glue_local_rank(void);
/* Goes on with Open MPI's connection alone, which is up until MPI_Finalize's end: a process that leaves with one
 * of ours did not finalize, to mpirun. */
void hitopo_glue_share_connection(void);
void hitopo_glue_retire(void);

/* ---- C++ side ---- */

#pragma GCC visibility push(default)
/* Before MPI_Init's fence, in each process; idempotent. Local. */
void ompi_hitopo_base_announce(void) HITOPO_NOEXCEPT;
/* At MPI_Init's end, in each process; idempotent. Collective over MPI_COMM_WORLD. */
void ompi_hitopo_base_start(void) HITOPO_NOEXCEPT;
/* At MPI_Finalize's begin: ompi_hitopo_base_stop, unless MPI_COMM_SELF's last attribute will call it; it never does
 * where a delete function before it fails, which leaves memory to the process's end and nothing else. Local. */
void ompi_hitopo_base_finalize(void) HITOPO_NOEXCEPT;
/* While MPI is up; idempotent. Local. */
void ompi_hitopo_base_stop(void) HITOPO_NOEXCEPT;
/* At the end of the last MPI session of a process without MPI_COMM_WORLD; idempotent. Local. */
void ompi_hitopo_base_stop_without_world(void) HITOPO_NOEXCEPT;
/* Has `start` called at the end of ompi_hitopo_base_start where all processes of MPI_COMM_WORLD have its table. It
 * returns the name of what serves from now on, "coll/hitopo"; NULL: nothing does. As ompi_hitopo_base_at_stop. */
typedef const char *(*hitopo_base_start_fn_t)(void);
int ompi_hitopo_base_at_start(hitopo_base_start_fn_t start) HITOPO_NOEXCEPT;
/* Has `end` called by ompi_hitopo_base_stop, before the tables go; once, however often it is given, and at each stop.
 * OMPI_SUCCESS or an OMPI_ERR_* code. Local; thread safe. */
int ompi_hitopo_base_at_stop(void (*end)(void)) HITOPO_NOEXCEPT;
/* Announces a layer above the framework, such as the profiler, "prof", after ompi_hitopo_base_announce, in each process
 * that has it. Local. */
void ompi_hitopo_base_announce_layer(const char *layer) HITOPO_NOEXCEPT;
/* After MPI_Init: whether all processes of MPI_COMM_WORLD have it; the same answer at all that have. Where some have
 * not, one process shows [mixed-job] of the file `help`; where no process can find that out, [cannot-tell]. Collective
 * among those that have it. */
bool ompi_hitopo_base_layer_runs_in_all_processes(const char *layer, const char *help) HITOPO_NOEXCEPT;
/* The same for a layer that all processes must run alike: whether they have the settings of those keys in common, too.
 * keys[0] is the layer, and its setting the version. Where they differ, rank 0 shows [other-settings]. At MPI_Init's
 * end, where there is a tree. */
bool ompi_hitopo_base_layer_agrees(const char *const *keys, int num_keys, const char *help) HITOPO_NOEXCEPT;
/* As hitopo_glue_help, of a layer's own file. */
void ompi_hitopo_base_help_from(const char *path, const char *topic, const char *first, const char *second,
                                const char *third);
#pragma GCC visibility pop
/* The topic of the file, the caller's to free; its name and values where the file cannot be read, NULL if memory is
 * short. */
char *ompi_hitopo_base_help_text(const char *path, const char *topic, const char *first, const char *second,
                                 const char *third) HITOPO_NOEXCEPT;
/* One line of it, safe for any terminal, the caller's to free; NULL if memory is short. */
char *ompi_hitopo_base_safe_text(const char *text) HITOPO_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
