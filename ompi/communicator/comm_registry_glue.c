/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the registry needs of Open MPI: which communicators there are, and the keyval that tells when one
 * is freed.
 */
#include "ompi_config.h"

#include "mpi.h"

#include "opal/class/opal_pointer_array.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"

#include "ompi/communicator/comm_registry_glue.h"

static int keyval = MPI_KEYVAL_INVALID;

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

static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    (void) key;
    (void) extra;
    hitopo_registry_forget(comm, value);
    return MPI_SUCCESS;
}

/* Without a lock: it would be held while Open MPI waits for its own, under which it calls delete functions,
 * and those may call the registry. The thread that comes second takes the first one's keyval. */
static int watch_keyval(void)
{
    int current = __atomic_load_n(&keyval, __ATOMIC_ACQUIRE);
    int made = MPI_KEYVAL_INVALID;

    if (MPI_KEYVAL_INVALID != current
        || MPI_SUCCESS != PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &made, NULL)) {
        return current;
    }
    if (__atomic_compare_exchange_n(&keyval, &current, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return made;
    }
    (void) PMPI_Comm_free_keyval(&made);
    return current;
}

int hitopo_glue_watch_registered(struct ompi_communicator_t *comm, void *registration)
{
    int key = watch_keyval();

    if (MPI_KEYVAL_INVALID == key || MPI_SUCCESS != PMPI_Comm_set_attr(comm, key, registration)) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    return OMPI_SUCCESS;
}

void *hitopo_glue_watched_registration(struct ompi_communicator_t *comm)
{
    void *registration = NULL;
    int is_there = 0;

    int rc = PMPI_Comm_get_attr(comm, watch_keyval(), &registration, &is_there);
    return MPI_SUCCESS == rc && is_there ? registration : NULL;
}

void hitopo_glue_unwatch_registered(struct ompi_communicator_t *comm)
{
    (void) PMPI_Comm_delete_attr(comm, keyval);
}

void hitopo_glue_stop_watching_registered(void)
{
    if (MPI_KEYVAL_INVALID != keyval) {
        (void) PMPI_Comm_free_keyval(&keyval);
    }
}
