/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of Open MPI that splitting needs: error handlers, and communicators whose members are known at every
 * process, with context ids that are agreed on for several at once. Open MPI's own way is one agreement for each.
 */
#include "ompi_config.h"

#include <stdio.h>

#include "mpi.h"
#if OMPI_MAJOR_VERSION >= 5
#include <pmix.h>
#endif

#include "opal/class/opal_pointer_array.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"
#include "ompi/errhandler/errhandler.h"
#include "ompi/group/group.h"
#include "ompi/mca/coll/base/base.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/proc/proc.h"
#include "ompi/runtime/mpiruntime.h"
#if __has_include("ompi/runtime/ompi_mpit_events.h")
#include "ompi/runtime/ompi_mpit_events.h"
#endif

#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_mpi.h"

bool hitopo_glue_is_invalid(const struct ompi_communicator_t *comm)
{
    return ompi_comm_invalid((ompi_communicator_t *) comm);
}

int hitopo_glue_raise(struct ompi_communicator_t *comm, int error, const char *function)
{
    if (OMPI_SUCCESS == error) {
        return MPI_SUCCESS;
    }
    OMPI_ERR_INIT_FINALIZE(function);
    ompi_communicator_t *handler = hitopo_glue_is_invalid(comm) ? &ompi_mpi_comm_world.comm : comm;
    int class = ompi_errcode_get_mpi_code(error);
#if OMPI_MAJOR_VERSION >= 5
    if (handler != comm && !hitopo_glue_has_world()) {
        return OMPI_ERRHANDLER_NOHANDLE_INVOKE(class, function);
    }
#endif
    return OMPI_ERRHANDLER_INVOKE(handler, class, function);
}

/* ---- context ids ---- */

int64_t hitopo_glue_lowest_cid(void)
{
    return ompi_mpi_communicators.lowest_free;
}

int64_t hitopo_glue_max_cid(void)
{
    return (int64_t) mca_pml.pml_max_contextid - 1;
}

/* The value that holds a place until its communicator is made, as in ompi_comm_nextcid. */
static void *holder(struct ompi_communicator_t *parent)
{
#if OMPI_MAJOR_VERSION < 5
    return parent;
#else
    (void) parent;
    return (void *) OMPI_COMM_SENTINEL;
#endif
}

static bool take(struct ompi_communicator_t *comm, int64_t cid)
{
    return cid <= hitopo_glue_max_cid()
           && opal_pointer_array_test_and_set_item(&ompi_mpi_communicators, (int) cid, holder(comm));
}

void hitopo_glue_reserve_cids(struct ompi_communicator_t *comm, int64_t start, int num, int64_t *cids)
{
    for (int i = 0; i < num; ++i) {
        while (start <= hitopo_glue_max_cid() && !take(comm, start)) {
            ++start;
        }
        cids[i] = start;
        start += start <= hitopo_glue_max_cid() ? 1 : 0;
    }
}

void hitopo_glue_release_cids(int num, const int64_t *cids)
{
    for (int i = 0; i < num; ++i) {
        if (cids[i] <= hitopo_glue_max_cid()) {
            opal_pointer_array_set_item(&ompi_mpi_communicators, (int) cids[i], NULL);
        }
    }
}

bool hitopo_glue_take_cids(struct ompi_communicator_t *comm, int num, const int64_t *cids)
{
    for (int i = 0; i < num; ++i) {
        if (!take(comm, cids[i])) {
            hitopo_glue_release_cids(i, cids);
            return false;
        }
    }
    return true;
}

#if OMPI_MAJOR_VERSION >= 5 && OPAL_ENABLE_FT_MPI
/* Above Open MPI's own epochs, which count up from 1. */
#define OWN_EPOCHS 0x80000000u
#endif

static int set_group(struct ompi_communicator_t *comm, int size, int *ranks, struct ompi_communicator_t **made)
{
#if OMPI_MAJOR_VERSION < 5
    return ompi_comm_set(made, comm, size, ranks, 0, NULL, NULL, comm->error_handler, false, NULL, NULL);
#else
    return ompi_comm_set(made, comm, size, ranks, 0, NULL, NULL, comm->error_handler, NULL, NULL, 0);
#endif
}

static void set_cid(struct ompi_communicator_t *made, int64_t cid, int64_t generation)
{
#if OMPI_MAJOR_VERSION < 5
    (void) generation;
    made->c_contextid = (uint32_t) cid;
#else
    made->c_flags |= OMPI_COMM_GLOBAL_INDEX;
    made->c_index = (uint32_t) cid;
    made->c_contextid.cid_base = 0;
    made->c_contextid.cid_sub.u64 = (uint64_t) cid;
#if OPAL_ENABLE_FT_MPI
    made->c_epoch = OWN_EPOCHS | (uint32_t) generation;
#else
    (void) generation;
#endif
#endif
}

static int cid_of(const struct ompi_communicator_t *comm)
{
#if OMPI_MAJOR_VERSION < 5
    return (int) comm->c_contextid;
#else
    return (int) comm->c_index;
#endif
}

int hitopo_glue_make_comm(struct ompi_communicator_t *comm, int size, int *ranks, int64_t cid, int64_t generation,
                          struct opal_info_t *hints, struct ompi_communicator_t **made)
{
    int rc = set_group(comm, size, ranks, made);

    if (OMPI_SUCCESS != rc) {
        return rc;
    }
    set_cid(*made, cid, generation);
    opal_pointer_array_set_item(&ompi_mpi_communicators, (int) cid, *made);
    snprintf((*made)->c_name, MPI_MAX_OBJECT_NAME, "MPI COMMUNICATOR %d SPLIT_TYPE FROM %d", (int) cid, cid_of(comm));
    hitopo_glue_keep_hints(*made, hints);
    rc = MCA_PML_CALL(add_comm(*made));
    if (OMPI_SUCCESS == rc) {
        OMPI_COMM_SET_PML_ADDED(*made);
    }
    return rc;
}

/* Raises the event of MPI_T for a new communicator; the payload is that of Open MPI's ompi_comm_activate. */
static void notify_tools(struct ompi_communicator_t *made)
{
#if __has_include("ompi/runtime/ompi_mpit_events.h")
    struct {
        int32_t size;
        int32_t pad;
        uint64_t handle;
    } payload = {ompi_comm_size(made), 0,
                 OMPI_MPIT_ABI_OMPI == ompi_mpit_callback_abi ? (uint64_t) (uintptr_t) made : 0};

    if (NULL != ompi_event_comm_created) {
        mca_base_event_raise(ompi_event_comm_created, NULL, &payload);
    }
#else
    (void) made;
#endif
}

/* Open MPI 6 chooses algorithms by it. */
#ifdef OMPI_COMM_DISJOINT_SET

int hitopo_glue_num_local(struct ompi_communicator_t *made)
{
    int num = 0;

    for (int rank = 0; rank < ompi_comm_size(made); ++rank) {
        num += hitopo_glue_is_local(made, rank) ? 1 : 0;
    }
    return num;
}

static void set_spread(struct ompi_communicator_t *made, bool is_spread)
{
    made->c_flags |= OMPI_COMM_DISJOINT_SET | (is_spread ? OMPI_COMM_DISJOINT : 0);
}

#else

int hitopo_glue_num_local(struct ompi_communicator_t *made)
{
    (void) made;
    return 0;
}

static void set_spread(struct ompi_communicator_t *made, bool is_spread)
{
    (void) made;
    (void) is_spread;
}

#endif

int hitopo_glue_finish_comm(struct ompi_communicator_t *made, bool is_spread)
{
    set_spread(made, is_spread);
    int rc = mca_coll_base_comm_select(made);

    if (OMPI_SUCCESS == rc) {
        notify_tools(made);
    }
    return rc;
}

void hitopo_glue_drop_comm(struct ompi_communicator_t *made)
{
    OBJ_RELEASE(made);
}

void hitopo_glue_free_comm(struct ompi_communicator_t **comm)
{
    if (MPI_COMM_NULL != *comm) {
        (void) ompi_comm_free(comm);
    }
}

struct ompi_communicator_t *hitopo_glue_comm_null(void)
{
    return MPI_COMM_NULL;
}

#if OMPI_MAJOR_VERSION < 5

bool hitopo_glue_is_in_set(const char *name)
{
    (void) name;
    return false;
}

#else

static bool lists_self(const pmix_info_t *answer)
{
    if (!PMIX_CHECK_KEY(answer, PMIX_QUERY_PSET_MEMBERSHIP) || PMIX_DATA_ARRAY != answer->value.type
        || PMIX_PROC != answer->value.data.darray->type) {
        return false;
    }
    const pmix_proc_t *members = answer->value.data.darray->array;
    for (size_t i = 0; i < answer->value.data.darray->size; ++i) {
        if (PMIX_CHECK_PROCID(&members[i], &opal_process_info.myprocid)) {
            return true;
        }
    }
    return false;
}

/* MPI_Group_from_session_pset of 5.0.7 writes beyond its group (docs/upstream.md). */
bool hitopo_glue_is_in_set(const char *name)
{
    pmix_query_t query;
    pmix_info_t *answers = NULL;
    size_t num_answers = 0;
    bool is_member = false;

    PMIx_Query_construct(&query);
    (void) PMIx_Argv_append_nosize(&query.keys, PMIX_QUERY_PSET_MEMBERSHIP);
    PMIx_Query_qualifiers_create(&query, 1);
    (void) PMIx_Info_load(&query.qualifiers[0], PMIX_PSET_NAME, name, PMIX_STRING);
    if (PMIX_SUCCESS == PMIx_Query_info(&query, 1, &answers, &num_answers)) {
        for (size_t i = 0; i < num_answers && !is_member; ++i) {
            is_member = lists_self(&answers[i]);
        }
        PMIx_Info_free(answers, num_answers);
    }
    PMIx_Query_destruct(&query);
    return is_member;
}

#endif

bool hitopo_glue_is_local(struct ompi_communicator_t *comm, int rank)
{
    ompi_proc_t *proc = ompi_group_peer_lookup_existing(comm->c_local_group, rank);

    return NULL != proc && OPAL_PROC_ON_LOCAL_NODE(proc->super.proc_flags);
}

int hitopo_glue_make_group(struct ompi_communicator_t *comm, int size, int *ranks, struct ompi_group_t **made)
{
    return MPI_SUCCESS == hitopo_mpi_group_incl(comm->c_local_group, size, ranks, made) ? OMPI_SUCCESS : OMPI_ERROR;
}
