/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of communicators: a keyval for each kind, made when it is first needed.
 */
#include "ompi_config.h"

#include "ompi/constants.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_mpi.h"

_Static_assert(HITOPO_BASE_NO_KEYVAL == MPI_KEYVAL_INVALID, "the first keyval");

static int forget(MPI_Comm comm, int key, void *value, void *attribute)
{
    (void) key;
    ((const hitopo_base_attribute_t *) attribute)->forget(comm, value);
    return MPI_SUCCESS;
}

static int copy(MPI_Comm comm, int key, void *attribute, void *value, void *copied, int *is_copied)
{
    void *(*make)(const void *) = ((const hitopo_base_attribute_t *) attribute)->copy;
    void *made = NULL != make ? make(value) : NULL;

    (void) comm;
    (void) key;
    *(void **) copied = made;
    *is_copied = NULL != made;
    return MPI_SUCCESS;
}

/* It takes no lock: it would be held while Open MPI waits for its own, under which it calls delete functions, and those
 * may set attributes. The thread that comes second takes the first one's keyval. */
static int keyval_of(hitopo_base_attribute_t *attribute)
{
    int current = __atomic_load_n(&attribute->keyval, __ATOMIC_ACQUIRE);
    int made = MPI_KEYVAL_INVALID;

    if (MPI_KEYVAL_INVALID != current || MPI_SUCCESS != hitopo_mpi_create_keyval(copy, forget, &made, attribute)) {
        return current;
    }
    if (__atomic_compare_exchange_n(&attribute->keyval, &current, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return made;
    }
    (void) hitopo_mpi_free_keyval(&made);
    return current;
}

int ompi_hitopo_base_attribute_set(hitopo_base_attribute_t *attribute, MPI_Comm comm, void *value)
{
    int keyval = keyval_of(attribute);

    if (MPI_KEYVAL_INVALID == keyval || MPI_SUCCESS != hitopo_mpi_set_attr(comm, keyval, value)) {
        return OMPI_ERR_OUT_OF_RESOURCE;
    }
    return OMPI_SUCCESS;
}

void *ompi_hitopo_base_attribute_get(hitopo_base_attribute_t *attribute, MPI_Comm comm)
{
    int keyval = __atomic_load_n(&attribute->keyval, __ATOMIC_ACQUIRE);
    void *value = NULL;
    int is_there = 0;

    if (MPI_KEYVAL_INVALID == keyval || MPI_SUCCESS != hitopo_mpi_get_attr(comm, keyval, &value, &is_there)) {
        return NULL;
    }
    return is_there ? value : NULL;
}

void ompi_hitopo_base_attribute_delete(hitopo_base_attribute_t *attribute, MPI_Comm comm)
{
    if (MPI_KEYVAL_INVALID != attribute->keyval) {
        (void) hitopo_mpi_delete_attr(comm, attribute->keyval);
    }
}

void ompi_hitopo_base_attribute_end(hitopo_base_attribute_t *attribute)
{
    if (MPI_KEYVAL_INVALID != attribute->keyval) {
        (void) hitopo_mpi_free_keyval(&attribute->keyval);
    }
}
