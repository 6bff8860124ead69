/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The interface between the component's C, which knows Open MPI, and its C++, which knows groups and trees. Plain C
 * types; no exception comes out of these functions.
 */
#ifndef MCA_COLL_HITOPO_H
#define MCA_COLL_HITOPO_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of a call's tags: each segment under way has its own. */
#define HITOPO_COLL_NUM_TAGS 128

/* The MCA variables' values; the same at all processes. */
typedef struct hitopo_coll_settings_t {
    const char *links; /* core/settings.h; NULL or "": the default ones */
    int num_leaders;   /* of a group, that take turns; at least 1 */
    const char *serve; /* core/settings.h; NULL or "": the default */
    int least_sharing; /* processes of the largest node from which on nodes share memory; 0: none does */
    int verbose;       /* rank 0 of a communicator prints algorithms: 1 of calls unlike those before, 2 of each call */
} hitopo_coll_settings_t;

/* A collective that is under way. */
typedef struct hitopo_coll_operation_t hitopo_coll_operation_t;

/* The messages of one call among the processes of its communicator, of one datatype, merged by one operation: the first
 * member of the call (coll_hitopo_call.h), which outlives the operation. */
typedef struct hitopo_coll_messages_t {
    const char *function; /* that is called: "MPI_Ibcast" */
    bool blocks;          /* hitopo_coll_take_some waits */
    bool is_persistent;   /* the operation is only made, and begins when it is started */
    bool is_of_open_mpi;  /* Open MPI calls by itself, as to make communicators; only where verbose is set */
    bool is_packed;       /* the caller's memory is not the message (bcast, allgather): hitopo_coll_pack makes it */
    /* core/engine.h, Element */
    size_t size;
    ptrdiff_t extent, true_lb;
    size_t true_extent;
    hitopo_coll_operation_t *operation; /* that is under way; NULL: none */
} hitopo_coll_messages_t;

/* ---- for C++, by coll_hitopo_pml.c and coll_hitopo_data.c: counts are elements; results 0 or an error of MPI ---- */

/* Called before all others, once it is decided that the call is served. */
void hitopo_coll_begin_messages(hitopo_coll_messages_t *messages);
/* must_match: completes only when the receive has begun. tag: 0 .. HITOPO_COLL_NUM_TAGS - 1. */
int hitopo_coll_send(hitopo_coll_messages_t *messages, const void *from, size_t count, int peer, int tag,
                     bool must_match, void **request);
int hitopo_coll_receive(hitopo_coll_messages_t *messages, void *to, size_t count, int peer, int tag, void **request);
/* The indices of completed ones are stored, and they are freed: one or more where the call blocks, else perhaps
 * none. bytes: of each one's message; HITOPO_COLL_TOO_LONG where more was sent than received, and the other
 * messages can still complete. */
int hitopo_coll_take_some(hitopo_coll_messages_t *messages, int num, void **requests, int *num_done, int *done,
                          size_t *bytes);
/* Called after an error, until it does not return HITOPO_COLL_PENDING: cancels a receive, and frees it once no
 * message is written to its buffer any more. An open send is left alone, with its request: its receiver may have
 * failed likewise, and wait for another. Returns whether a peer may still read from its buffer. */
int hitopo_coll_abandon(hitopo_coll_messages_t *messages, void *request, bool is_send);
int hitopo_coll_merge(hitopo_coll_messages_t *messages, const void *in, void *inout,
                      size_t count); /* inout = in op inout */
void hitopo_coll_print(const hitopo_coll_messages_t *messages, const char *what, const char *how); /* in a line */
/* Elements of the call's datatype; memory between them is left as it is. */
int hitopo_coll_copy(hitopo_coll_messages_t *messages, const void *from, void *to, size_t count);
/* Called while this process waits for another one that sends no message; turn: 0, 1, .. in each wait. */
int hitopo_coll_idle(hitopo_coll_messages_t *messages, unsigned turn);
/* Where messages->is_packed, they copy the bytes of the message from `at` on. */
int hitopo_coll_pack(hitopo_coll_messages_t *messages, size_t at, size_t num_bytes, char *to);
int hitopo_coll_unpack(hitopo_coll_messages_t *messages, const char *from, size_t at, size_t num_bytes);
/* Zeroed memory that the processes of this process's node share, ranks of the communicator, of a cache
 * line's alignment; it lives as long as the communicator. NULL, at all of them alike: there is none.
 * Collective over them, in a call that blocks; once. */
void *hitopo_coll_take_cells(hitopo_coll_messages_t *messages, int num, const int *ranks, size_t num_bytes);
/* Copies between memory of the caller's, which may be a device's, and memory of this component's. */
int hitopo_coll_copy_bytes(void *to, const void *from, size_t num_bytes);

/* The result of a collective in which a message had another length than was expected. */
extern const int hitopo_coll_length_error;

/* A result: not done yet; only where the call does not block. */
#define HITOPO_COLL_PENDING (INT_MIN + 1)

/* The result of a call that is left to the next component: nothing was done. */
#define HITOPO_COLL_HANDED_ON INT_MIN

/* A message's length: longer than the memory for it. */
#define HITOPO_COLL_TOO_LONG SIZE_MAX

/* ---- for C ---- */

/* Each rank has a block of elements of one array. */
typedef struct hitopo_coll_blocks_t {
    size_t count;         /* of each, one behind the other, if the others are NULL */
    const size_t *begins; /* of each rank */
    const size_t *counts;
} hitopo_coll_blocks_t;

/* As core/settings.h names them, in its order. Nonblocking ones follow: HITOPO_COLL_NONBLOCKING + HITOPO_COLL_BCAST.
 */
typedef enum hitopo_coll_kind_t {
    HITOPO_COLL_BCAST,
    HITOPO_COLL_REDUCE,
    HITOPO_COLL_ALLREDUCE,
    HITOPO_COLL_ALLGATHER,
    HITOPO_COLL_REDUCE_SCATTER,
    HITOPO_COLL_ALLTOALL,
    HITOPO_COLL_BARRIER,
    HITOPO_COLL_ALLTOALLV,
    HITOPO_COLL_NONBLOCKING
} hitopo_coll_kind_t;

enum { HITOPO_COLL_NUM_KINDS = 2 * HITOPO_COLL_NONBLOCKING, HITOPO_COLL_MAX_RANGES = 4 };

/* The lengths of a kind that are served: from first to last, both included. */
typedef struct hitopo_coll_ranges_t {
    int num;
    size_t first[HITOPO_COLL_MAX_RANGES], last[HITOPO_COLL_MAX_RANGES];
} hitopo_coll_ranges_t;

/* The collectives of one communicator. */
typedef struct hitopo_coll_t hitopo_coll_t;

/* positions: of the communicator; dropped here, or when the collectives are freed. *coll is NULL where there is nothing
 * to gain, at all processes alike: they are on one node, and fewer than settings->least_sharing. ranges: by kind, as
 * settings->serve means them, or its default if it cannot be read; short messages alone on one node. Returns 0, or an
 * error if memory is short. Local. */
int hitopo_coll_make(hitopo_base_positions_t *positions, int own_rank, const hitopo_coll_settings_t *settings,
                     hitopo_coll_t **coll, hitopo_coll_ranges_t ranges[HITOPO_COLL_NUM_KINDS]) HITOPO_NOEXCEPT;
void hitopo_coll_free(hitopo_coll_t *coll) HITOPO_NOEXCEPT; /* NULL: nothing */

/* The same ranges before `coll` is made: all that may be served in any communicator. */
int hitopo_coll_may_serve(const hitopo_coll_settings_t *settings,
                          hitopo_coll_ranges_t ranges[HITOPO_COLL_NUM_KINDS]) HITOPO_NOEXCEPT;

/* A number for a text, which may be NULL: others have another one. */
int hitopo_coll_digest(const char *text) HITOPO_NOEXCEPT;

/* NULL if links and serve can be read, else their faults, a line each, the caller's to free. */
char *hitopo_coll_wrong_setting(const hitopo_coll_settings_t *settings) HITOPO_NOEXCEPT;

/* The arguments of one call. Messages are bytes but where they are merged. */
typedef struct hitopo_coll_arguments_t {
    hitopo_coll_kind_t kind;
    int root;
    const char *input; /* of bcast and allgather, it is the output */
    char *output;      /* may be the input, but of reduce_scatter and alltoall; of reduce it counts at the root */
    size_t count; /* elements of the message; of an alltoall, bytes of each block, which are one behind the other */
    /* Each rank's in the output of allgather, and in the input of reduce_scatter; they are copied. */
    hitopo_coll_blocks_t blocks;
} hitopo_coll_arguments_t;

/* Whether blocks of alltoall of so many bytes in all are short enough to be served: they travel in bundles. */
bool hitopo_coll_is_bundled(int num_ranks, size_t num_bytes) HITOPO_NOEXCEPT;
/* The bytes of a block of alltoallv, with its length, that travels in bundles; 0: too many ranks. */
size_t hitopo_coll_cell_bytes(int num_ranks) HITOPO_NOEXCEPT;

/* Collective over the communicator. Posts messages, and goes on for as long as some complete. Returns the call's
 * result: 0, the first error of a message, hitopo_coll_length_error, or an error if memory is short at this process;
 * HITOPO_COLL_HANDED_ON, at all processes alike; or HITOPO_COLL_PENDING: then messages->operation is open, and all
 * memory that is named stays as it is until it has a result. After a message of another length the collective goes on,
 * and processes that needed it return the error, too. On one node only calls through shared memory are served, since
 * others do better by messages; and calls that merge, without any such memory, so that results do not differ. */
int hitopo_coll_run(hitopo_coll_t *coll, hitopo_coll_messages_t *messages,
                    const hitopo_coll_arguments_t *arguments) HITOPO_NOEXCEPT;

/* Goes on with the open operation, if there is one, likewise; it is freed with its result, but a persistent one with an
 * error only. Local. */
int hitopo_coll_move_on(hitopo_coll_messages_t *messages) HITOPO_NOEXCEPT;

/* Begins a persistent operation, before each start; the next hitopo_coll_move_on posts messages. Takes no memory that
 * it had at an earlier start. Local. */
void hitopo_coll_restart(hitopo_coll_operation_t *operation) HITOPO_NOEXCEPT;
void hitopo_coll_free_operation(hitopo_coll_operation_t *operation) HITOPO_NOEXCEPT; /* NULL: nothing */

#ifdef __cplusplus
}
#endif

#endif
