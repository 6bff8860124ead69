/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Between the component's C, which knows Open MPI, and its C++, which knows groups and trees. Plain C types; no
 * exception comes out of these functions.
 */
#ifndef MCA_COLL_HITOPO_H
#define MCA_COLL_HITOPO_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A call has so many: each segment under way has its own. */
#define HITOPO_COLL_NUM_TAGS 128

/* The MCA variables' values; the same at all processes. */
typedef struct hitopo_coll_settings_t {
    const char *links;              /* core/links.h; NULL or "": the default ones */
    int num_leaders;                /* of a group, that take turns; at least 1 */
    const char *serve;              /* core/serve.h; NULL or "": the default */
    int least_sharing;              /* processes of the largest node from which on nodes share memory; 0: none does */
    void (*tell)(const char *line); /* how each call is served, at rank 0 of a communicator; or NULL */
} hitopo_coll_settings_t;

/* Messages among the processes of one communicator, of one datatype and operation. Counts are elements. Functions
 * return 0 or an error code of MPI. */
typedef struct hitopo_coll_wire_t {
    void *context;
    const char *function; /* that is served: "MPI_Ibcast" */
    /* Before all others, once it is decided that the call is served. */
    void (*begin)(void *context);
    /* must_match: completes only when the receive has begun. tag: 0 .. num_tags - 1. */
    int (*send)(void *context, const void *from, size_t count, int peer, int tag, int must_match, void **request);
    int (*receive)(void *context, void *to, size_t count, int peer, int tag, void **request);
    /* The indices of completed ones are stored, and they are freed: one or more where the call blocks, else perhaps
     * none. bytes: of each one's message; HITOPO_COLL_TOO_LONG where more was sent than received, and the other
     * messages can still complete. */
    int (*take_some)(void *context, int num, void **requests, int *num_done, int *done, size_t *bytes);
    /* After an error, until it does not return HITOPO_COLL_PENDING: a receive is cancelled, and freed once nobody
     * writes to its buffer any more. A send that is open is left to itself, with its request: its receiver may have
     * failed likewise, and wait for another. Returns whether a peer may still read from its buffer. */
    int (*abandon)(void *context, void *request, int is_send);
    int (*reduce)(void *context, const void *in, void *inout, size_t count); /* inout = in op inout */
    /* While another process is waited for that sends no message. */
    int (*idle)(void *context);
    /* Where the caller's memory is not the message (bcast, allgather), they copy its bytes from `at` on; else both are
     * NULL. */
    int (*pack)(void *context, size_t at, size_t num_bytes, char *to);
    int (*unpack)(void *context, const char *from, size_t at, size_t num_bytes);
    /* core/engine.h, Element */
    size_t size;
    ptrdiff_t extent, true_lb;
    size_t true_extent;
    int num_tags;
    int blocks;        /* take_some waits */
    int is_persistent; /* operations are only made, and begin when they are started */
    int length_error;  /* of a collective in which a message had another length than was expected */
} hitopo_coll_wire_t;

/* Not done yet: only where the call does not block. */
#define HITOPO_COLL_PENDING (INT_MIN + 1)

/* A message's length: longer than what it was received in. */
#define HITOPO_COLL_TOO_LONG SIZE_MAX

/* Each rank has a block of elements of one array. */
typedef struct hitopo_coll_blocks_t {
    size_t count;         /* of each, one behind the other, if the others are NULL */
    const size_t *begins; /* of each rank */
    const size_t *counts;
} hitopo_coll_blocks_t;

/* Each rank has as many elements of one array; the first is `step` bytes after that of the rank before it. */
typedef struct hitopo_coll_equal_blocks_t {
    void *first;
    size_t count;
    ptrdiff_t step;
} hitopo_coll_equal_blocks_t;

/* As core/serve.h names them, in its order. What does not block follows: HITOPO_COLL_NONBLOCKING + HITOPO_COLL_BCAST.
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
 * to gain, at all processes alike: they are on one node, and fewer than settings->least_sharing. Returns 0, or that
 * memory is short. Local. */
int hitopo_coll_make(hitopo_base_positions_t *positions, int own_rank, const hitopo_coll_settings_t *settings,
                     hitopo_coll_t **coll) HITOPO_NOEXCEPT;
void hitopo_coll_free(hitopo_coll_t *coll) HITOPO_NOEXCEPT; /* NULL: nothing */

/* Sets ranges to the meaning of settings->serve, by kind; to that of the default if it cannot be read. On one node it
 * has short messages alone. coll: NULL before it is made: then whatever may be served is. Returns 0, or that memory is
 * short. Local. */
int hitopo_coll_read_serve(const char *serve, const hitopo_coll_t *coll,
                           hitopo_coll_ranges_t ranges[HITOPO_COLL_NUM_KINDS]) HITOPO_NOEXCEPT;

/* A number for these settings; processes with another one must not be served together. */
uint32_t hitopo_coll_digest(const hitopo_coll_settings_t *settings) HITOPO_NOEXCEPT;

/* NULL if links and serve can be read, else what is wrong with one of them in one line, the caller's to free. */
char *hitopo_coll_wrong_setting(const hitopo_coll_settings_t *settings) HITOPO_NOEXCEPT;

/* Short calls that block go through memory that the processes of a node share, from the eighth such call of a
 * communicator on. wants_memory counts a call; returns 0, or once the bytes that this process's node has to share, at
 * all processes alike (but as many as their nodes need). node_rank: of the processes of this process's node, the first
 * of which makes the memory; -1 behind the last. use_memory: zeroed, of a cache line's alignment, or NULL; *is_used
 * tells whether all processes have it: then it has to outlive coll. Returns 0 or an error. Collective over the
 * communicator. */
size_t hitopo_coll_wants_memory(hitopo_coll_t *coll, size_t num_bytes) HITOPO_NOEXCEPT;
int hitopo_coll_node_rank(const hitopo_coll_t *coll, int process) HITOPO_NOEXCEPT;
int hitopo_coll_use_memory(hitopo_coll_t *coll, const hitopo_coll_wire_t *bytes, void *memory,
                           int *is_used) HITOPO_NOEXCEPT;

/* Whether the call is served; the same at all processes. On one node only what goes through that memory is, since
 * others do better by messages; and what is merged before there is memory, or without any, so that results do not
 * differ. */
int hitopo_coll_serves(const hitopo_coll_t *coll, const hitopo_coll_wire_t *wire, size_t num_bytes,
                       int is_merged) HITOPO_NOEXCEPT;

/* Between memory of the caller's, which may be a device's, and memory of this component's. Returns 0 or an error. In
 * coll_hitopo_data.c. */
int hitopo_coll_copy_bytes(void *to, const void *from, size_t num_bytes);

/* One that is under way. */
typedef struct hitopo_coll_operation_t hitopo_coll_operation_t;

/* Collective over the communicator. Each posts its messages, and goes on for as long as some complete. Returns its
 * result: 0, the wire's first error, its length_error, or that memory is short at this process; or HITOPO_COLL_PENDING:
 * then *open is what is under way, with a copy of the wire, and all memory that is named stays as it is until it has a
 * result. open: NULL where the wire waits. After a message of another length the
 * collective goes on, and processes that needed it return length_error, too. */
int hitopo_coll_bcast(hitopo_coll_t *coll, const hitopo_coll_wire_t *bytes, char *buffer, size_t num_bytes, int root,
                      hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;
/* output: counts at the root; may be input there. */
int hitopo_coll_reduce(hitopo_coll_t *coll, const hitopo_coll_wire_t *wire, const char *input, char *output,
                       size_t count, int root, hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;
/* output may be input. */
int hitopo_coll_allreduce(hitopo_coll_t *coll, const hitopo_coll_wire_t *wire, const char *input, char *output,
                          size_t count, hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;
/* wire: of bytes, with an operation. */
int hitopo_coll_barrier(hitopo_coll_t *coll, const hitopo_coll_wire_t *wire,
                        hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;
/* bytes: as for a barrier. blocks: of each rank in `all`; this process's is there. They are copied. */
int hitopo_coll_allgather(hitopo_coll_t *coll, const hitopo_coll_wire_t *bytes, char *all,
                          const hitopo_coll_blocks_t *blocks, hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;
/* blocks: of each rank in `input`; copied. own_output must not overlap it. */
int hitopo_coll_reduce_scatter(hitopo_coll_t *coll, const hitopo_coll_wire_t *wire, const char *input, char *own_output,
                               const hitopo_coll_blocks_t *blocks, hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;
/* Whether blocks of alltoall of so many bytes in all are short enough to travel in bundles. */
int hitopo_coll_is_bundled(int num_ranks, size_t num_bytes) HITOPO_NOEXCEPT;
/* The bytes of a block of alltoallv, with what says how long it is, that travels in bundles; 0: too many ranks. */
size_t hitopo_coll_cell_bytes(int num_ranks) HITOPO_NOEXCEPT;
/* Those that are. bytes: as for a barrier. out, in: a block for each rank, one behind the
 * other; they must not overlap.
 */
int hitopo_coll_alltoall_bundled(hitopo_coll_t *coll, const hitopo_coll_wire_t *bytes, const char *out, char *in,
                                 size_t block_bytes, hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;
/* Those that are not. This process's own block is not copied. out, which is sent only, must not overlap in.
 * block_bytes: of data. */
int hitopo_coll_alltoall(hitopo_coll_t *coll, const hitopo_coll_wire_t *wire, const hitopo_coll_equal_blocks_t *out,
                         const hitopo_coll_equal_blocks_t *in, size_t block_bytes,
                         hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;

/* Goes on with what is pending, likewise; it is freed with its result, but what is persistent with an error only.
 * Local.
 */
int hitopo_coll_move_on(hitopo_coll_operation_t **open) HITOPO_NOEXCEPT;

/* Begins what is persistent, before each start; the next hitopo_coll_move_on posts messages. Takes no memory that it
 * had at an earlier start. Local. */
void hitopo_coll_restart(hitopo_coll_operation_t *operation) HITOPO_NOEXCEPT;
void hitopo_coll_free_operation(hitopo_coll_operation_t *operation) HITOPO_NOEXCEPT; /* NULL: nothing */

#ifdef __cplusplus
}
#endif

#endif
