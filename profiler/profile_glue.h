/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The profiler's interface to Open MPI's internals, in plain types: MCA variables, messages, processes of groups.
 */
#ifndef OMPI_PROFILE_GLUE_H
#define OMPI_PROFILE_GLUE_H

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;
struct ompi_group_t;
struct ompi_message_t;
struct ompi_request_t;

typedef struct hitopo_profile_settings_t {
    const char *report; /* the path's pattern (profiler/report/report_file.h); NULL or "": no report */
    int max_kinds;      /* of communicators, that are distinguished */
    int max_snapshots;  /* that a process keeps until the end */
    int max_peers;      /* processes of the largest job whose report has each peer; negative: of any */
    int every_s;        /* seconds between parts that a process writes by itself; 0: never */
    int watch_s;        /* seconds without progress after which it writes where it is; 0: never */
} hitopo_profile_settings_t;

/* Registers hitopo_prof_* and gives their values, which belong to the MCA. After MPI_Init. Local. */
const hitopo_profile_settings_t *hitopo_profile_register(void);
const hitopo_profile_settings_t *hitopo_profile_settings(void);

/* Whether comm can be asked for its sizes. Local. */
int hitopo_profile_is_live(struct ompi_communicator_t *comm);

/* The communicator that a request, or a message that was probed, belongs to; NULL where it has none that is known
 * (files, windows, inactive ones). It may be gone: compare it, and do not follow it. is_sure: 0 where it is
 * MPI_COMM_WORLD and may be any, as of requests that UCX has completed. Local. */
struct ompi_communicator_t *hitopo_profile_comm_of_request(struct ompi_request_t *request, int *is_sure);
struct ompi_communicator_t *hitopo_profile_comm_of_message(struct ompi_message_t *message);

/* What a request waits for. */
typedef struct hitopo_profile_pending_t {
    char what;      /* as WatchedWait has it (profiler/record/watched.h); 0: it is complete or inactive */
    int knows_peer; /* 0: the PML's requests do not tell */
    int peer, tag;  /* as in the call */
    struct ompi_communicator_t *comm; /* may be gone: compare it, and do not follow it */
} hitopo_profile_pending_t;
/* That of the i-th of these requests, which other threads use, and which may be gone at this moment. is_fortran: they
 * are Fortran's integers. Calls no MPI; safe in signal handlers. Local. */
hitopo_profile_pending_t hitopo_profile_pending(const void *requests, int is_fortran, long i);

/* A number that is the same at all members of a communicator, and differs from others that live. Local. */
unsigned long long hitopo_profile_identity(struct ompi_communicator_t *comm);

/* The ranks in MPI_COMM_WORLD of the first `num` ranks of a group; MPI_UNDEFINED for processes of other jobs. Local, in
 * time O(num): MPI_Group_translate_ranks compares each with each. */
void hitopo_profile_world_ranks(struct ompi_group_t *group, int num, int *world_ranks);

/* Registers MPI_T performance variables hitopo_prof_time_ns and hitopo_prof_bytes, which hitopo_profile_read_totals
 * gives. Once, after MPI_Init. Local. */
void hitopo_profile_register_totals(void);
/* This process's time in MPI so far and its bytes. 0, and nothing is read, in a thread that may call MPI_T but not MPI
 * while others do: without MPI_THREAD_MULTIPLE any but that of MPI_Init, with MPI_THREAD_SERIALIZED all. Local; thread
 * safe. */
int hitopo_profile_read_totals(unsigned long long *ns, unsigned long long *bytes);

/* Prints a text for the user, in one process. */
void hitopo_profile_warn(const char *text);

#ifdef __cplusplus
}
#endif

#endif
