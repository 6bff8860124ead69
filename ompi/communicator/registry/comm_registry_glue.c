/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the registry needs of Open MPI: which communicators there are, and when one is freed.
 */
#include "ompi_config.h"

#include "mpi.h"

#include "opal/class/opal_pointer_array.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"

#include "ompi/communicator/registry/comm_registry_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"

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

static void forget(MPI_Comm comm, void *value)
{
    hitopo_registry_forget(comm, value);
}

static hitopo_base_attribute_t registered = {MPI_KEYVAL_INVALID, forget};

int hitopo_glue_watch_registered(struct ompi_communicator_t *comm, void *registration)
{
    return hitopo_base_attribute_set(&registered, comm, registration);
}

void *hitopo_glue_watched_registration(struct ompi_communicator_t *comm)
{
    return hitopo_base_attribute_get(&registered, comm);
}

void hitopo_glue_unwatch_registered(struct ompi_communicator_t *comm)
{
    hitopo_base_attribute_delete(&registered, comm);
}

void hitopo_glue_stop_watching_registered(void)
{
    hitopo_base_attribute_end(&registered);
}
