/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements in memory.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include <stdlib.h>

#include "mpi.h"

#include "ompi/constants.h"
#include "opal/datatype/opal_convertor.h"

/* Packed at once: Open MPI 4.1 and 5.0 count some of what they copy in an int. */
#define MAX_AT_ONCE ((size_t) 1 << 30)

size_t hitopo_coll_bytes_in(ompi_datatype_t *type, size_t count)
{
    size_t size;

    ompi_datatype_type_size(type, &size);
    return size * count;
}

bool hitopo_coll_is_plain(ompi_datatype_t *type, size_t count)
{
    ptrdiff_t true_lb, true_extent;

    ompi_datatype_get_true_extent(type, &true_lb, &true_extent);
    return 0 == true_lb && ompi_datatype_is_contiguous_memory_layout(type, count > 1 ? 2 : (int32_t) count);
}

char *hitopo_coll_element(const void *base, ptrdiff_t index, ompi_datatype_t *type)
{
    ptrdiff_t lb, extent;

    ompi_datatype_get_extent(type, &lb, &extent);
    return hitopo_coll_byte(base, (size_t) (index * extent));
}

static int copy_packed(void *elements, size_t count, ompi_datatype_t *type, char *packed, size_t num_bytes,
                       bool is_packing)
{
    opal_convertor_t convertor;
    size_t left = num_bytes;

    OBJ_CONSTRUCT(&convertor, opal_convertor_t);
    int rc = is_packing ? opal_convertor_copy_and_prepare_for_send(ompi_mpi_local_convertor, &type->super, count,
                                                                   elements, 0, &convertor)
                        : opal_convertor_copy_and_prepare_for_recv(ompi_mpi_local_convertor, &type->super, count,
                                                                   elements, 0, &convertor);
    while (OPAL_SUCCESS == rc && left > 0) {
        size_t num = left < MAX_AT_ONCE ? left : MAX_AT_ONCE;
        struct iovec part = {packed, num};
        uint32_t num_parts = 1;
        if (is_packing) {
            (void) opal_convertor_pack(&convertor, &part, &num_parts, &num);
        } else {
            (void) opal_convertor_unpack(&convertor, &part, &num_parts, &num);
        }
        packed += num;
        left -= num;
        rc = 0 == num ? OMPI_ERROR : OMPI_SUCCESS;
    }
    OBJ_DESTRUCT(&convertor);
    return rc;
}

int hitopo_coll_pack(const void *from, size_t count, ompi_datatype_t *type, char *to, size_t room)
{
    const size_t num_bytes = hitopo_coll_bytes_in(type, count);
    const int rc = copy_packed((void *) from, count, type, to, num_bytes < room ? num_bytes : room, true);

    return OMPI_SUCCESS == rc && num_bytes > room ? MPI_ERR_TRUNCATE : rc;
}

int hitopo_coll_unpack(const char *from, void *to, size_t count, ompi_datatype_t *type)
{
    return copy_packed(to, count, type, (char *) from, hitopo_coll_bytes_in(type, count), false);
}

void hitopo_coll_free_sent(void *memory, int rc)
{
    if (OMPI_SUCCESS == rc) {
        free(memory);
    }
}

bool hitopo_coll_can_reduce(struct ompi_op_t *op, ompi_datatype_t *type)
{
    ptrdiff_t lb, extent;
    int commutes = 0;

    ompi_datatype_get_extent(type, &lb, &extent);
    return extent > 0 && MPI_SUCCESS == PMPI_Op_commutative(op, &commutes) && 0 != commutes;
}
