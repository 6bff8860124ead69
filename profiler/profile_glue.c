/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The profiler's MCA variables, performance variables and messages.
 */
#define _GNU_SOURCE /* process_vm_readv */
#include "ompi_config.h"

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mpi.h"

#include "opal/constants.h"
#include "opal/mca/base/mca_base_pvar.h"
#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/mca/pml/base/base.h"
#include "ompi/mca/pml/base/pml_base_request.h"
#include "ompi/message/message.h"
#include "ompi/proc/proc.h"
#include "ompi/request/request.h"

#include "profiler/profile_glue.h"

static hitopo_profile_settings_t settings;

static void add_int(const char *name, mca_base_var_info_lvl_t level, int usual, int least, int *value, const char *help)
{
    (void) ompi_hitopo_base_register_int("hitopo", "prof", name, help, level, usual, least, value);
}

const hitopo_profile_settings_t *hitopo_profile_register(void)
{
    settings.report = "hitopo-profile.%t.%h.%j.%p.json";
    (void) mca_base_var_register(
        "ompi", "hitopo", "prof", "report",
        "The file that the profiler writes: %t stands for the time of MPI_Init in UTC, %h for the host of "
        "rank 0, %j for the job, %p for the process id of rank 0, %% for %; empty: none",
        MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_READONLY, &settings.report);
    add_int("max_kinds", OPAL_INFO_LVL_5, 256, 1, &settings.max_kinds,
            "How many kinds of communicators the profiler tells apart; further ones are counted together");
    add_int(
        "max_snapshots", OPAL_INFO_LVL_5, 100, 0, &settings.max_snapshots,
        "How many snapshots (MPI_Pcontrol(2)) a process keeps for MPI_Finalize to write; further ones are left out");
    add_int("max_peers", OPAL_INFO_LVL_5, 10000, -1, &settings.max_peers,
            "The largest number of processes of a job whose report has the bytes to each peer; the report of a "
            "larger job has sums for each lane. -1: any");
    add_int("every", OPAL_INFO_LVL_3, 0, 0, &settings.every_s,
            "After how many seconds each process writes what it has counted so far by itself, in its next MPI "
            "call: for jobs that do not come to MPI_Finalize. The files lie in a folder named like the report, "
            "with .parts instead of .json. 0: never");
    add_int(
        "watch", OPAL_INFO_LVL_3, 0, 0, &settings.watch_s,
        "After how many seconds in one MPI call, or outside MPI, a process writes where it is, and on SIGUSR1; "
        "hitopo report --hang tells who waits for whom. The files lie in the folder of hitopo_prof_every. 0: never");
    return &settings;
}

const hitopo_profile_settings_t *hitopo_profile_settings(void)
{
    return &settings;
}

void hitopo_profile_world_ranks(struct ompi_group_t *group, int num, int *world_ranks)
{
    const opal_process_name_t self = ompi_proc_local()->super.proc_name;
    int size = 0;

    (void) PMPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < num; ++i) {
        const opal_process_name_t name = ompi_group_get_proc_name(group, i);
        world_ranks[i] = name.jobid == self.jobid && name.vpid < (uint32_t) size ? (int) name.vpid : MPI_UNDEFINED;
    }
}

void hitopo_profile_warn(const char *text)
{
    opal_output(0, "HiTopo's profiler: %s", text);
}

int hitopo_profile_is_live(struct ompi_communicator_t *comm)
{
    return !ompi_comm_invalid(comm);
}

/* ob1's small sends have the empty request, which names MPI_COMM_WORLD. Only the types of request.h are known: those of
 * a PML differ. */
struct ompi_communicator_t *hitopo_profile_comm_of_request(struct ompi_request_t *request, int *is_sure)
{
    *is_sure = 0;
    if (NULL == request || MPI_REQUEST_NULL == request || &ompi_request_empty == request
        || OMPI_REQUEST_INACTIVE == request->req_state || OMPI_REQUEST_IO == request->req_type
        || OMPI_REQUEST_WIN == request->req_type || OMPI_REQUEST_GEN == request->req_type) {
        return NULL;
    }
    *is_sure = MPI_COMM_WORLD != request->req_mpi_object.comm || !REQUEST_COMPLETE(request);
    return request->req_mpi_object.comm;
}

struct ompi_communicator_t *hitopo_profile_comm_of_message(struct ompi_message_t *message)
{
    return NULL == message || MPI_MESSAGE_NULL == message || MPI_MESSAGE_NO_PROC == message ? NULL : message->comm;
}

/* Copies memory of this process; 0 where it is not there. */
static int copy_own(void *to, const void *from, size_t num_bytes)
{
    struct iovec local = {to, num_bytes}, remote = {(void *) from, num_bytes};

    return (ssize_t) num_bytes == process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
}

static int request_at(const void *requests, int is_fortran, long i, const void **request)
{
    MPI_Fint index = 0;

    if (!is_fortran) {
        return copy_own(request, (const MPI_Request *) requests + i, sizeof(*request));
    }
    return copy_own(&index, (const MPI_Fint *) requests + i, sizeof(index)) && 0 <= index
           && index < ompi_request_f_to_c_table.size
           && copy_own(request, ompi_request_f_to_c_table.addr + index, sizeof(*request));
}

/* Only ob1's requests are of the PML's base type. */
hitopo_profile_pending_t hitopo_profile_pending(const void *requests, int is_fortran, long i)
{
    hitopo_profile_pending_t pending = {.tag = MPI_ANY_TAG};
    const void *request = NULL;
    ompi_request_t base;
    mca_pml_base_request_t copy;

    if (!request_at(requests, is_fortran, i, &request) || !copy_own(&base, request, sizeof(base))
        || OMPI_REQUEST_ACTIVE != base.req_state || REQUEST_COMPLETE(&base)) {
        return pending;
    }
    pending.comm = base.req_mpi_object.comm;
    pending.what = OMPI_REQUEST_PML == base.req_type ? 'm' : OMPI_REQUEST_COLL == base.req_type ? 'i' : 'o';
    if ('m' == pending.what && 0 == strcmp("ob1", mca_pml_base_selected_component.pmlm_version.mca_component_name)
        && copy_own(&copy, request, sizeof(copy))) {
        pending.what = MCA_PML_REQUEST_RECV == copy.req_type ? 'r' : 's';
        pending.knows_peer = 1;
        pending.peer = copy.req_peer;
        pending.tag = copy.req_tag;
    }
    return pending;
}

/* Parts of one split have the same number of the communicator, and different first members. */
unsigned long long hitopo_profile_identity(struct ompi_communicator_t *comm)
{
    int first = 0;

#if OMPI_MAJOR_VERSION < 5
    const unsigned long long context = comm->c_contextid;
#else
    const unsigned long long context = comm->c_contextid.cid_base * 0x9e3779b97f4a7c15u + comm->c_contextid.cid_sub.u64;
#endif
    if (OMPI_COMM_IS_INTRA(comm)) {
        hitopo_profile_world_ranks(comm->c_local_group, 1, &first);
    }
    return context * 0x9e3779b97f4a7c15u + (unsigned) first + 1;
}

static int read_total(const struct mca_base_pvar_t *pvar, void *value, void *object)
{
    unsigned long long totals[2];
    (void) object;
    if (!hitopo_profile_read_totals(&totals[0], &totals[1])) {
        return OPAL_ERR_NOT_AVAILABLE;
    }
    *(unsigned long long *) value = totals[(intptr_t) pvar->ctx];
    return OPAL_SUCCESS;
}

/* Their class is generic: they have the whole since MPI_Init, as the report, while Open MPI gives those of the classes
 * for counters as differences since a handle was made. */
static void register_total(int number, const char *name, const char *what)
{
    (void) mca_base_pvar_register("ompi", "hitopo", "prof", name, what, OPAL_INFO_LVL_4, MCA_BASE_PVAR_CLASS_GENERIC,
                                  MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG, NULL, MCA_BASE_VAR_BIND_NO_OBJECT,
                                  MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS, read_total, NULL, NULL,
                                  (void *) (intptr_t) number);
}

void hitopo_profile_register_totals(void)
{
    register_total(0, "time_ns", "Nanoseconds that this process was in MPI since MPI_Init");
    register_total(1, "bytes", "Bytes that it sent, and fetched by one-sided calls");
}
