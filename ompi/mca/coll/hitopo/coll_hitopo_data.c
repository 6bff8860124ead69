/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements in memory.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_glue.h"

#include <stdlib.h>

#include "mpi.h"

#include "ompi/constants.h"

/* Packed at once: Open MPI 4.1 and 5.0 count what they copy in an int. */
#define MAX_PACKED ((size_t) 1 << 30)

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
    return (char *) base + index * extent;
}

static size_t elements_at_once(ompi_datatype_t *type)
{
    const size_t size = hitopo_coll_bytes_in(type, 1);

    return size < MAX_PACKED && size > 0 ? MAX_PACKED / size : 1;
}

static int copy_packed(void *elements, size_t count, ompi_datatype_t *type, char *packed, bool is_packing)
{
    const size_t most = elements_at_once(type);
    int rc = OMPI_SUCCESS;

    for (size_t done = 0; OMPI_SUCCESS == rc && done < count; done += most) {
        const hitopo_coll_count_t now = (hitopo_coll_count_t) (count - done < most ? count - done : most);
        const hitopo_coll_count_t bytes = (hitopo_coll_count_t) hitopo_coll_bytes_in(type, (size_t) now);
        char *element = hitopo_coll_element(elements, (ptrdiff_t) done, type);
        char *at = packed + hitopo_coll_bytes_in(type, done);
        rc = is_packing ? ompi_datatype_sndrcv(element, now, type, at, bytes, &ompi_mpi_packed.dt)
                        : ompi_datatype_sndrcv(at, bytes, &ompi_mpi_packed.dt, element, now, type);
    }
    return rc;
}

int hitopo_coll_pack(const void *from, size_t count, ompi_datatype_t *type, char *to)
{
    return copy_packed((void *) from, count, type, to, true);
}

int hitopo_coll_unpack(const char *from, void *to, size_t count, ompi_datatype_t *type)
{
    return copy_packed(to, count, type, (char *) from, false);
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
