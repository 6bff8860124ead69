/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered communicators, by an attribute.
 */
#include "ompi_config.h"

#include <pthread.h>

#include "mpi.h"

#include "ompi/constants.h"

#include "ompi/communicator/registry/registered.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

static void forget(MPI_Comm comm, void *value)
{
    (void) comm;
    (void) value;
}

static hitopo_base_attribute_t registered = {MPI_KEYVAL_INVALID, forget, NULL};

static int check(struct ompi_communicator_t *comm)
{
    return !hitopo_glue_is_up() ? MPI_ERR_OTHER : !hitopo_glue_is_live(comm) ? MPI_ERR_COMM : MPI_SUCCESS;
}

/* Open MPI lets go of its own lock while it calls a delete function, and would release a value twice if two threads
 * replace or delete it. It calls none of the program's for this attribute, so this lock never waits for itself. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int ompi_hitopo_comm_register(struct ompi_communicator_t *comm)
{
    int error = check(comm);

    pthread_mutex_lock(&lock);
    if (MPI_SUCCESS == error && NULL == ompi_hitopo_base_attribute_get(&registered, comm)
        && OMPI_SUCCESS != ompi_hitopo_base_attribute_set(&registered, comm, &registered)) {
        error = MPI_ERR_NO_MEM;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int ompi_hitopo_comm_unregister(struct ompi_communicator_t *comm)
{
    int error = check(comm);

    pthread_mutex_lock(&lock);
    if (MPI_SUCCESS == error && NULL == ompi_hitopo_base_attribute_get(&registered, comm)) {
        error = MPI_ERR_ARG;
    }
    if (MPI_SUCCESS == error) {
        ompi_hitopo_base_attribute_delete(&registered, comm);
    }
    pthread_mutex_unlock(&lock);
    return error;
}

int ompi_hitopo_comm_is_registered(struct ompi_communicator_t *comm)
{
    return MPI_SUCCESS == check(comm) && NULL != ompi_hitopo_base_attribute_get(&registered, comm);
}

void hitopo_registry_stop(void)
{
    ompi_hitopo_base_attribute_end(&registered);
}
