/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the registry needs of Open MPI: when a communicator is freed.
 */
#include "ompi_config.h"

#include <stdio.h>

#include "mpi.h"

#include "ompi/communicator/communicator.h"
#include "ompi/constants.h"

#include "ompi/communicator/registry/comm_registry_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"

void hitopo_glue_copy_comm_name(struct ompi_communicator_t *comm, char *name, size_t capacity)
{
    OPAL_THREAD_LOCK(&comm->c_lock);
    snprintf(name, capacity, "%s", comm->c_name);
    OPAL_THREAD_UNLOCK(&comm->c_lock);
}

static void forget(MPI_Comm comm, void *value)
{
    hitopo_registry_forget(comm, value);
}

static hitopo_base_attribute_t registered = {MPI_KEYVAL_INVALID, forget, NULL};

int hitopo_glue_watch_registered(struct ompi_communicator_t *comm, void *registration)
{
    return ompi_hitopo_base_attribute_set(&registered, comm, registration);
}

void *hitopo_glue_watched_registration(struct ompi_communicator_t *comm)
{
    return ompi_hitopo_base_attribute_get(&registered, comm);
}

void hitopo_glue_unwatch_registered(struct ompi_communicator_t *comm)
{
    ompi_hitopo_base_attribute_delete(&registered, comm);
}

void hitopo_glue_stop_watching_registered(void)
{
    ompi_hitopo_base_attribute_end(&registered);
}
