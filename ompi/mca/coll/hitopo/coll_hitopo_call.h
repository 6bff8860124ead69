/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A call of one of Open MPI's functions, until it has a result; and what the component's C files know of
 * each other.
 */
#ifndef MCA_COLL_HITOPO_CALL_H
#define MCA_COLL_HITOPO_CALL_H

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/request/request.h"
#include "ompi_config.h"
#include "opal/datatype/opal_convertor.h"

#if OMPI_MAJOR_VERSION < 6
typedef int hitopo_coll_count_t;
typedef const int *hitopo_coll_counts_t;
typedef const int *hitopo_coll_displacements_t;
#define HITOPO_COLL_COUNT(counts, i) ((size_t) (counts)[i])
#define HITOPO_COLL_DISPLACEMENT(displacements, i) ((ptrdiff_t) (displacements)[i])
#else
#include "ompi/util/count_disp_array.h"
typedef size_t hitopo_coll_count_t;
typedef ompi_count_array_t hitopo_coll_counts_t;
typedef ompi_disp_array_t hitopo_coll_displacements_t;
#define HITOPO_COLL_COUNT(counts, i) ompi_count_array_get(counts, (size_t) (i))
#define HITOPO_COLL_DISPLACEMENT(displacements, i) ompi_disp_array_get(displacements, (size_t) (i))
#endif

/* Each collective that the component serves. */
#define HITOPO_COLL_FOR_EACH(what)                                                                                  \
    what(allgather) what(allgatherv) what(allreduce) what(alltoall) what(alltoallv) what(alltoallw) what(barrier)   \
        what(bcast) what(reduce) what(reduce_scatter) what(reduce_scatter_block) what(iallgather) what(iallgatherv) \
            what(iallreduce) what(ialltoall) what(ialltoallv) what(ialltoallw) what(ibarrier) what(ibcast)          \
                what(ireduce) what(ireduce_scatter) what(ireduce_scatter_block) what(allgather_init)                \
                    what(allgatherv_init) what(allreduce_init) what(alltoall_init) what(alltoallv_init)             \
                        what(alltoallw_init) what(barrier_init) what(bcast_init) what(reduce_init)                  \
                            what(reduce_scatter_init) what(reduce_scatter_block_init)

#define HITOPO_COLL_NEXT(api)                     \
    mca_coll_base_module_##api##_fn_t next_##api; \
    mca_coll_base_module_t *next_##api##_module;

/* One per communicator. */
typedef struct hitopo_coll_module_t {
    mca_coll_base_module_t super;
    HITOPO_COLL_FOR_EACH(HITOPO_COLL_NEXT) /* the next component's */
    /* The lengths that may be served, and once `coll` is made, those that are. */
    hitopo_coll_ranges_t ranges[2][HITOPO_COLL_NUM_KINDS];
    bool is_made;                      /* `coll`: at the first call that may be served */
    hitopo_coll_t *coll;               /* NULL: there is nothing to gain, or no tree */
    struct hitopo_coll_part_t *shared; /* with the processes of the node; NULL: nothing */
    unsigned num_persistent;           /* requests that have been made */
} hitopo_coll_module_t;

OBJ_CLASS_DECLARATION(hitopo_coll_module_t);

/* The component's variables, registered by the MCA. */
extern hitopo_coll_settings_t hitopo_coll_settings;
/* Whether all processes of MPI_COMM_WORLD have this component with these settings; false until
 * MPI_Init's end. */
extern bool hitopo_coll_runs_in_all_processes;

/* A module for comm, which is no intercommunicator. */
mca_coll_base_module_t *hitopo_coll_new_module(ompi_communicator_t *comm);

/* Collectives of comm that arrive here first go to the next component from now on, as if this one were
 * not there. */
void hitopo_coll_leave(ompi_communicator_t *comm);

/* A call of one of Open MPI's functions. */
typedef struct hitopo_coll_entry_t {
    const char *function; /* "MPI_Ibcast" */
    ompi_communicator_t *comm;
    mca_coll_base_module_t *super;
    ompi_request_t **request; /* where the caller wants one; NULL: the call blocks */
    bool is_persistent;       /* the request is */
    void *caller;             /* the address to which a call that neither blocks nor is persistent returns; else NULL */
} hitopo_coll_entry_t;

/* Returns what serves a message of so many bytes; NULL: the next component does. */
hitopo_coll_t *hitopo_coll_server(const hitopo_coll_entry_t *entry, hitopo_coll_kind_t kind, size_t num_bytes);

/* The same for one that merges elements of `type`; NULL where it cannot. */
hitopo_coll_t *hitopo_coll_reduce_server(const hitopo_coll_entry_t *entry, hitopo_coll_kind_t kind, size_t num_bytes,
                                         struct ompi_op_t *op, ompi_datatype_t *type);

/*
 * Ends a call whose result is `rc`; HITOPO_COLL_HANDED_ON: hands it on to the next component. That one may
 * itself hand on: han 4.1 then replaces the communicator's function by its own next one, and calls the
 * communicator's. Were that ours, we would go round for ever. So the communicator has the next one's
 * function for the time of the call; the function there afterwards is our next one. The reference that
 * we hold goes into the communicator and comes back.
 */
#define HITOPO_COLL_END(rc, api, ...)                                                     \
    do {                                                                                  \
        if (HITOPO_COLL_HANDED_ON != (rc)) {                                              \
            return rc;                                                                    \
        }                                                                                 \
        hitopo_coll_module_t *module = (hitopo_coll_module_t *) super;                    \
        mca_coll_base_module_##api##_fn_t own = comm->c_coll->coll_##api;                 \
        mca_coll_base_module_t *own_module = comm->c_coll->coll_##api##_module;           \
        comm->c_coll->coll_##api = module->next_##api;                                    \
        comm->c_coll->coll_##api##_module = module->next_##api##_module;                  \
        const int next_rc = module->next_##api(__VA_ARGS__, module->next_##api##_module); \
        module->next_##api = comm->c_coll->coll_##api;                                    \
        module->next_##api##_module = comm->c_coll->coll_##api##_module;                  \
        comm->c_coll->coll_##api = own;                                                   \
        comm->c_coll->coll_##api##_module = own_module;                                   \
        return next_rc;                                                                   \
    } while (0)

/* The same for a call that does not block: it hands on by itself, and progress may begin another one
 * meanwhile. */
#define HITOPO_COLL_END_OPEN(rc, api, ...)        \
    return HITOPO_COLL_HANDED_ON != (rc)          \
               ? (rc)                             \
               : ((hitopo_coll_module_t *) super) \
                     ->next_##api(__VA_ARGS__, ((hitopo_coll_module_t *) super)->next_##api##_module)

/* HITOPO_COLL_ONLY(a, b): a, b; a list in parentheses without these. */
#define HITOPO_COLL_ONLY(...) __VA_ARGS__

/*
 * The three functions of MPI_<name> that Open MPI calls: one that blocks, one that does not, and one
 * that makes a persistent request. `api` is the function of ours that serves each of them, with the
 * entry behind its arguments. parameters, arguments: in parentheses, without the communicator and all
 * behind it, and with a comma at the end.
 */
#define HITOPO_COLL_DEFINE(api, name, parameters, arguments)                                                      \
    static int call_##api(HITOPO_COLL_ONLY parameters ompi_communicator_t *comm, mca_coll_base_module_t *super)   \
    {                                                                                                             \
        const hitopo_coll_entry_t entry = {"MPI_" #name, comm, super, NULL, false, NULL};                         \
        const int rc = api(HITOPO_COLL_ONLY arguments(&entry));                                                   \
        HITOPO_COLL_END(rc, api, HITOPO_COLL_ONLY arguments comm);                                                \
    }                                                                                                             \
    static int call_i##api(HITOPO_COLL_ONLY parameters ompi_communicator_t *comm, ompi_request_t **request,       \
                           mca_coll_base_module_t *super)                                                         \
    {                                                                                                             \
        void *const caller = __builtin_return_address(0);                                                         \
        const hitopo_coll_entry_t entry = {"MPI_I" #api, comm, super, request, false, caller};                    \
        const int rc = api(HITOPO_COLL_ONLY arguments(&entry));                                                   \
        HITOPO_COLL_END_OPEN(rc, i##api, HITOPO_COLL_ONLY arguments comm, request);                               \
    }                                                                                                             \
    static int call_##api##_init(HITOPO_COLL_ONLY parameters ompi_communicator_t *comm, struct ompi_info_t *info, \
                                 ompi_request_t **request, mca_coll_base_module_t *super)                         \
    {                                                                                                             \
        const hitopo_coll_entry_t entry = {"MPI_" #name "_init", comm, super, request, true, NULL};               \
        const int rc = api(HITOPO_COLL_ONLY arguments(&entry));                                                   \
        HITOPO_COLL_END_OPEN(rc, api##_init, HITOPO_COLL_ONLY arguments comm, info, request);                     \
    }                                                                                                             \
    const mca_coll_base_module_##api##_fn_t hitopo_coll_##api##_call = call_##api;                                \
    const mca_coll_base_module_i##api##_fn_t hitopo_coll_i##api##_call = call_i##api;                             \
    const mca_coll_base_module_##api##_init_fn_t hitopo_coll_##api##_init_call = call_##api##_init;

/* Open MPI calls these. */
#define HITOPO_COLL_DECLARE(api) extern const mca_coll_base_module_##api##_fn_t hitopo_coll_##api##_call;
HITOPO_COLL_FOR_EACH(HITOPO_COLL_DECLARE)

/* ---- coll_hitopo_data.c ---- */

/* Whether `count` elements lie in memory as they are packed. */
bool hitopo_coll_is_plain(ompi_datatype_t *type, size_t count);

/* Memory that is not the message, since the datatype has holes: `count` elements, or as many blocks of
 * them as there are processes. */
typedef struct hitopo_coll_packing_t {
    void *base; /* any address: MPI_BOTTOM is one */
    size_t count;
    ompi_datatype_t *type;
    /* Or NULL: in bytes of the message, one behind the other, and their places in memory, in bytes from
     * `base`. */
    const hitopo_coll_blocks_t *blocks;
    int num_blocks;
    const size_t *places;
    /* The block that it is at; -1: none. */
    opal_convertor_t convertor;
    int block;
    bool is_packing;
} hitopo_coll_packing_t;

static inline size_t hitopo_coll_bytes_in(ompi_datatype_t *type, size_t count)
{
    size_t size;

    ompi_datatype_type_size(type, &size);
    return size * count;
}

/* Byte `offset` of a buffer, which may be MPI_BOTTOM: a number, of which the offset may be negative. */
static inline char *hitopo_coll_byte(const void *base, size_t offset)
{
    return (char *) ((uintptr_t) base + offset);
}

/* The address of element `index`. */
char *hitopo_coll_element(const void *base, ptrdiff_t index, ompi_datatype_t *type);

/* ---- coll_hitopo_pml.c ---- */

/* The first tag of each call that blocks: a communicator's calls follow each other at all ranks, and
 * messages of one tag from one process to another match in their order. No others have them: calls that
 * Open MPI begins in progress, such as the rounds of MPI_Comm_idup, take tags in another order at each
 * process. */
int hitopo_coll_blocking_tag(void);

/* ---- coll_hitopo_call.c ---- */

/* Elements of this process that are copied. */
typedef struct hitopo_coll_copy_t {
    const void *from;
    hitopo_coll_count_t from_count;
    ompi_datatype_t *from_type;
    void *to;
    hitopo_coll_count_t to_count;
    ompi_datatype_t *to_type;
} hitopo_coll_copy_t;

/* One call, until it has a result; one that is persistent, until its request is freed. */
typedef struct hitopo_coll_call_t {
    hitopo_coll_messages_t messages; /* first */
    ompi_communicator_t *comm;
    hitopo_coll_module_t *module;
    ompi_datatype_t *type;
    struct ompi_op_t *op;
    int first_tag; /* tags count downwards from it; once the call has begun */
    unsigned next; /* the message to look at next */
    void *served;  /* of ompi_hitopo_base_serve */
    hitopo_coll_copy_t before, after;
    /* Called before messages; an error is own_rc. Or NULL. */
    int (*prepare)(struct hitopo_coll_call_t *call);
    /* Called after them, if all went well. Returns 0, an error or HITOPO_COLL_PENDING: call it again. Or
     * NULL. */
    int (*follow)(struct hitopo_coll_call_t *call);
    void *memory;            /* freed at the end; NULL: none */
    ompi_datatype_t **types; /* that it names, too, each of them or NULL */
    int num_types;
    int own_rc;                    /* an error of this process alone, which did not keep it from taking part */
    char byte;                     /* of a barrier */
    hitopo_coll_blocks_t blocks;   /* that the packing may name */
    hitopo_coll_packing_t packing; /* if messages.is_packed */
} hitopo_coll_call_t;

/* From here on the other processes wait for this one: where its memory is short, it ends the job
 * (docs/design.md, "Who fails alone"). */

/* A call of messages of that type, merged by that operation. on_stack: for one that blocks; it is that
 * one, or a request's. */
hitopo_coll_call_t *hitopo_coll_begin(const hitopo_coll_entry_t *entry, ompi_datatype_t *type, struct ompi_op_t *op,
                                      hitopo_coll_call_t *on_stack);
/* The same for messages that are bytes, merged by MPI_BOR. */
hitopo_coll_call_t *hitopo_coll_begin_bytes(const hitopo_coll_entry_t *entry, hitopo_coll_call_t *on_stack);

/* Memory that lives as long as the call: call->memory; NULL of 0 bytes. */
void *hitopo_coll_take_memory(hitopo_coll_call_t *call, size_t num_bytes);

/* Copies before and after messages. */
void hitopo_coll_copy_before(hitopo_coll_call_t *call, const hitopo_coll_copy_t *copy);
void hitopo_coll_copy_after(hitopo_coll_call_t *call, const hitopo_coll_copy_t *copy);
/* Calls `prepare`, which is set, if the call begins at once. */
void hitopo_coll_prepare(hitopo_coll_call_t *call);

/* Messages of bytes are packed and unpacked segment by segment. */
void hitopo_coll_use_packing(hitopo_coll_call_t *call, const hitopo_coll_packing_t *packing);

/* Serves the call; returns the result of the function that was called, which ends, or HITOPO_COLL_HANDED_ON. If it does
 * not block, *entry->request is set, after an error to MPI_REQUEST_NULL. */
int hitopo_coll_serve(const hitopo_coll_entry_t *entry, hitopo_coll_t *coll, hitopo_coll_call_t *call,
                      const hitopo_coll_arguments_t *arguments);

/* ---- coll_hitopo_memory.c ---- */

/* At MPI_Init's end, where all processes have the same settings: makes the node's memory, if some node has
 * processes enough. Collective over MPI_COMM_WORLD. */
void hitopo_coll_open_memory(ompi_communicator_t *world);
/* From here on no communicator gets any. */
void hitopo_coll_leave_memory(void);
/* Gives back what hitopo_coll_take_cells took, which this process no longer uses; NULL: nothing. */
void hitopo_coll_give_back_cells(struct hitopo_coll_part_t *part);

#endif
