/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators: sizes and ranks, the messages of the exchange, and whether a communicator is still the same.
 */
#include "ompi_config.h"

#include <stdio.h>
#include <stdlib.h>

#include "mpi.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"
#include "ompi/errhandler/errcode-internal.h"
#include "ompi/group/group.h"
#if OMPI_MAJOR_VERSION >= 5
#include "ompi/instance/instance.h"
#endif
#include "ompi/mca/coll/base/coll_tags.h"
#include "ompi/errhandler/errcode.h"
#include "ompi/mca/coll/coll.h"
#include "ompi/mca/pml/pml.h"
#include "ompi/proc/proc.h"
#include "ompi/request/request.h"
#include "ompi/runtime/mpiruntime.h"
#if OMPI_MAJOR_VERSION >= 5
#include "ompi/runtime/ompi_rte.h"
#include "ompi/runtime/params.h"
#endif
#include "opal/class/opal_hash_table.h"
#include "opal/class/opal_pointer_array.h"
#include "opal/util/error.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

struct ompi_communicator_t *hitopo_glue_world(void)
{
    return &ompi_mpi_comm_world.comm;
}

struct ompi_communicator_t *hitopo_glue_self(void)
{
    return &ompi_mpi_comm_self.comm;
}

bool hitopo_glue_has_world(void)
{
    const int32_t state = ompi_mpi_state;

    return OMPI_MPI_STATE_INIT_COMPLETED <= state && state < OMPI_MPI_STATE_FINALIZE_PAST_COMM_SELF_DESTRUCT;
}

bool hitopo_glue_is_up(void)
{
#if OMPI_MAJOR_VERSION < 5
    return hitopo_glue_has_world();
#else
    return 0 < ompi_instance_count;
#endif
}

uint32_t hitopo_glue_job(void)
{
    return ompi_proc_local()->super.proc_name.jobid;
}

/* A process's rank in MPI_COMM_WORLD is its vpid. */
int hitopo_glue_job_rank(void)
{
    const ompi_proc_t *self = ompi_proc_local();

    return NULL == self ? 0 : (int) self->super.proc_name.vpid;
}

int hitopo_glue_job_size(void)
{
#if OMPI_MAJOR_VERSION < 5
    return ompi_comm_size(&ompi_mpi_comm_world.comm);
#else
    return (int) ompi_process_info.num_procs;
#endif
}

bool hitopo_glue_is_inter(const struct ompi_communicator_t *comm)
{
    return OMPI_COMM_IS_INTER(comm);
}

int hitopo_glue_rank(const struct ompi_communicator_t *comm)
{
    return ompi_comm_rank((ompi_communicator_t *) comm);
}

int hitopo_glue_size(const struct ompi_communicator_t *comm)
{
    return ompi_comm_size((ompi_communicator_t *) comm);
}

int hitopo_glue_remote_size(const struct ompi_communicator_t *comm)
{
    return OMPI_COMM_IS_INTER(comm) ? ompi_comm_remote_size((ompi_communicator_t *) comm) : 0;
}

/* ompi_group_translate_ranks would compare all pairs. */
int hitopo_glue_world_ranks(const struct ompi_communicator_t *comm, bool is_remote, uint32_t *ranks)
{
    ompi_group_t *group = is_remote ? comm->c_remote_group : comm->c_local_group;
    const opal_process_name_t self = ompi_proc_local()->super.proc_name;
    const uint32_t job_size = (uint32_t) hitopo_glue_job_size();

    for (int i = 0; i < group->grp_proc_count; ++i) {
        const opal_process_name_t name = ompi_group_get_proc_name(group, i);
        if (name.jobid != self.jobid || name.vpid >= job_size) {
            return OMPI_ERR_NOT_FOUND;
        }
        ranks[i] = name.vpid;
    }
    return OMPI_SUCCESS;
}

static bool has_outsiders(ompi_group_t *group)
{
    const opal_process_name_t self = ompi_proc_local()->super.proc_name;

    for (int i = 0; i < group->grp_proc_count; ++i) {
        if (ompi_group_get_proc_name(group, i).jobid != self.jobid) {
            return true;
        }
    }
    return false;
}

bool ompi_hitopo_base_has_outsiders(const struct ompi_communicator_t *comm)
{
    return has_outsiders(comm->c_local_group) || (OMPI_COMM_IS_INTER(comm) && has_outsiders(comm->c_remote_group));
}

bool ompi_hitopo_base_has_session(const struct ompi_communicator_t *comm)
{
#if OMPI_MAJOR_VERSION < 5
    (void) comm;
    return false;
#else
    return NULL != comm->instance && ompi_mpi_instance_default != comm->instance;
#endif
}

bool hitopo_glue_member(const struct ompi_communicator_t *comm, bool is_remote, int i, uint32_t *job, uint32_t *rank)
{
    ompi_group_t *group = is_remote ? comm->c_remote_group : comm->c_local_group;
    const opal_process_name_t name = ompi_group_get_proc_name(group, i);
    const ompi_proc_t *process = ompi_group_peer_lookup_existing(group, i);

    *job = name.jobid;
    *rank = name.vpid;
    return NULL != process && OPAL_PROC_ON_LOCAL_NODE(process->super.proc_flags);
}

bool hitopo_glue_is_first_group(const struct ompi_communicator_t *comm)
{
    const opal_process_name_t local = ompi_group_get_proc_name(comm->c_local_group, 0);
    const opal_process_name_t remote = ompi_group_get_proc_name(comm->c_remote_group, 0);

    return local.jobid != remote.jobid ? local.jobid < remote.jobid : local.vpid < remote.vpid;
}

static struct ompi_communicator_t *side(struct ompi_communicator_t *comm, bool is_remote)
{
    return OMPI_COMM_IS_INTER(comm) && !is_remote ? comm->c_local_comm : comm;
}

/* With Open MPI's fault tolerance another process may have ended, and then it does not wait. */
static bool may_survive(void)
{
#if OMPI_MAJOR_VERSION >= 5 && OPAL_ENABLE_FT_MPI
    return ompi_ftmpi_enabled;
#else
    return false;
#endif
}

/* rc: of a message between this process and others. Where it failed, the other side would wait for ever, and so the job
 * ends, as it does by a message of the program's own. */
static int passed(struct ompi_communicator_t *comm, const char *others, int rc)
{
    char text[HITOPO_ERROR_TEXT_BYTES];

    if (OMPI_SUCCESS != rc && !may_survive()) {
        hitopo_glue_error_text(rc, text);
        hitopo_glue_help("unreachable", others, text, "");
        (void) ompi_mpi_abort(comm, ompi_errcode_get_mpi_code(rc));
    }
    return rc;
}

static int passed_rank(struct ompi_communicator_t *comm, int rank, int rc)
{
    char other[32];

    snprintf(other, sizeof(other), "rank %d", rank);
    return passed(comm, other, rc);
}

/* Any other error of a collective may be one of all processes. */
static int reached_all(struct ompi_communicator_t *comm, int rc)
{
    return OMPI_ERR_UNREACH == rc ? passed(comm, "some process", rc) : rc;
}

int hitopo_glue_allgather(struct ompi_communicator_t *comm, bool is_remote, const int64_t *send, int num,
                          int64_t *receive)
{
    comm = side(comm, is_remote);
    return reached_all(comm, comm->c_coll->coll_allgather(send, num, MPI_INT64_T, receive, num, MPI_INT64_T, comm,
                                                          comm->c_coll->coll_allgather_module));
}

static int allreduce_max(struct ompi_communicator_t *comm, const void *send, int64_t *receive, int num)
{
    return reached_all(comm, comm->c_coll->coll_allreduce(send, receive, num, MPI_INT64_T, MPI_MAX, comm,
                                                          comm->c_coll->coll_allreduce_module));
}

/* Between groups, an allreduce gives each side the other's result; no memory that one process may lack. */
int hitopo_glue_allreduce_max(struct ompi_communicator_t *comm, const int64_t *send, int64_t *receive, int num)
{
    if (!OMPI_COMM_IS_INTER(comm)) {
        return allreduce_max(comm, send, receive, num);
    }
    int rc = allreduce_max(comm, send, receive, num);
    if (OMPI_SUCCESS != rc) {
        return rc;
    }
    for (int i = 0; i < num; ++i) {
        receive[i] = receive[i] > send[i] ? receive[i] : send[i];
    }
    return allreduce_max(comm->c_local_comm, MPI_IN_PLACE, receive, num);
}

/* A blocking collective's tag, which no message of the program and no nonblocking collective has. */
enum { TAG = MCA_COLL_BASE_TAG_BARRIER };

/* A wait for two requests at once would end with the first that fails. num_bytes: of the message. */
static int wait_for(ompi_request_t *request, size_t *num_bytes)
{
    MPI_Status status = {._ucount = 0};
    int rc = MPI_REQUEST_NULL == request ? OMPI_SUCCESS : ompi_request_wait(&request, &status);

    if (OMPI_SUCCESS != rc && MPI_REQUEST_NULL != request) {
        (void) ompi_request_free(&request);
    }
    *num_bytes = status._ucount;
    return rc;
}

int ompi_hitopo_base_swap(struct ompi_communicator_t *comm, hitopo_glue_peer_t to, const void *sent, size_t num_sent,
                          hitopo_glue_peer_t from, void *received, size_t capacity, size_t *num_received)
{
    ompi_request_t *incoming = MPI_REQUEST_NULL, *outgoing = MPI_REQUEST_NULL;
    int received_rc = OMPI_SUCCESS, sent_rc = OMPI_SUCCESS;
    size_t num_sent_away;

    *num_received = 0;
    if (0 <= from.rank) {
        received_rc =
            MCA_PML_CALL(irecv(received, capacity, MPI_BYTE, from.rank, TAG, side(comm, from.is_remote), &incoming));
        received_rc = passed_rank(comm, from.rank, received_rc);
    }
    if (0 <= to.rank) {
        sent_rc = MCA_PML_CALL(isend(sent, num_sent, MPI_BYTE, to.rank, TAG, MCA_PML_BASE_SEND_STANDARD,
                                     side(comm, to.is_remote), &outgoing));
        sent_rc = passed_rank(comm, to.rank, sent_rc);
    }
    if (OMPI_SUCCESS == received_rc) {
        received_rc = passed_rank(comm, from.rank, wait_for(incoming, num_received));
    }
    if (OMPI_SUCCESS == sent_rc) {
        sent_rc = passed_rank(comm, to.rank, wait_for(outgoing, &num_sent_away));
    }
    return OMPI_SUCCESS != sent_rc ? sent_rc : received_rc;
}

void hitopo_glue_error_text(int status, char text[HITOPO_ERROR_TEXT_BYTES])
{
    snprintf(text, HITOPO_ERROR_TEXT_BYTES, "%s",
             status <= 0 ? opal_strerror(status) : ompi_mpi_errnum_get_string(status));
}

void ompi_hitopo_base_end_job(struct ompi_communicator_t *comm, const char *function, int code)
{
    char process[32], why[HITOPO_ERROR_TEXT_BYTES];

    snprintf(process, sizeof(process), "rank %d", hitopo_glue_job_rank());
    hitopo_glue_error_text(code, why);
    if (!hitopo_glue_help("ended-job", process, function, why)) {
        fprintf(stderr, "HiTopo ends the job: %s cannot go on in %s (%s).\n", process, function, why);
    }
    (void) ompi_mpi_abort(comm, ompi_errcode_get_mpi_code(code));
    abort();
}

/* Some slots hold no communicator: one that is being made is reserved by a small number. */
static bool is_listed(const struct ompi_communicator_t *comm)
{
    bool found = false;

    OPAL_THREAD_LOCK(&ompi_mpi_communicators.lock);
    for (int i = 0; i < ompi_mpi_communicators.size && !found; ++i) {
        found = comm == ompi_mpi_communicators.addr[i];
    }
    OPAL_THREAD_UNLOCK(&ompi_mpi_communicators.lock);
    return found;
}

bool hitopo_glue_is_live(const struct ompi_communicator_t *comm)
{
    const uintptr_t first_page = 4096;

    return first_page <= (uintptr_t) comm && is_listed(comm) && !ompi_comm_invalid((ompi_communicator_t *) comm);
}

void *hitopo_glue_token(const struct ompi_communicator_t *comm)
{
    return comm->c_keyhash;
}

/* From 6.1 on a communicator that goes gives its table back twice where it is not the last to hold it (ompi_comm_free
 * and the destructor): so there are two references, of which it may have taken one. */
#define GIVES_BACK_TWICE (OMPI_MAJOR_VERSION > 6 || (6 == OMPI_MAJOR_VERSION && 0 < OMPI_MINOR_VERSION))

void *hitopo_glue_keep_token(struct ompi_communicator_t *comm)
{
    OBJ_RETAIN(comm->c_keyhash);
    if (GIVES_BACK_TWICE) {
        OBJ_RETAIN(comm->c_keyhash);
    }
    return comm->c_keyhash;
}

void hitopo_glue_drop_token(void *token)
{
    opal_hash_table_t *attributes = token;

    if (NULL == attributes) {
        return;
    }
    if (GIVES_BACK_TWICE && 2 < attributes->super.obj_reference_count) {
        OBJ_RELEASE(attributes);
    }
    OBJ_RELEASE(attributes);
}
