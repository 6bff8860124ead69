/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements in memory.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include <string.h>

#include "mpi.h"

#include "ompi/constants.h"

/* Packed at once: Open MPI 4.1 and 5.0 count some copied bytes in an int. */
#define MAX_AT_ONCE ((size_t) 1 << 30)

/* No basic element has more: MPI_C_LONG_DOUBLE_COMPLEX has 32. */
#define MAX_BASIC_BYTES 64

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

/* The block that holds byte `at` of the message: the last one that begins there or before. */
static int block_with(const hitopo_coll_blocks_t *blocks, int num, size_t at)
{
    int first = 0, end = num;

    while (end - first > 1) {
        const int middle = first + (end - first) / 2;
        if (blocks->begins[middle] <= at) {
            first = middle;
        } else {
            end = middle;
        }
    }
    return first;
}

/* Moves to byte `at` of the message, or to the beginning of the basic element that is cut there, if it is to be packed:
 * a convertor cannot pack a part of one. Returns the number of bytes before it. */
static size_t move_to(hitopo_coll_packing_t *packing, size_t at, bool is_packing)
{
    const hitopo_coll_blocks_t *blocks = packing->blocks;
    void *elements = packing->base;
    size_t count = packing->count;
    int block = 0;

    if (NULL != blocks) {
        block = block_with(blocks, packing->num_blocks, at);
        at -= blocks->begins[block];
        count = blocks->counts[block] / hitopo_coll_bytes_in(packing->type, 1);
        elements = hitopo_coll_byte(elements, packing->places[block]);
    }
    size_t position = at;
    if (block != packing->block || is_packing != packing->is_packing) {
        opal_convertor_cleanup(&packing->convertor);
        if (is_packing) {
            opal_convertor_copy_and_prepare_for_send(ompi_mpi_local_convertor, &packing->type->super, count, elements,
                                                     0, &packing->convertor);
        } else {
            opal_convertor_copy_and_prepare_for_recv(ompi_mpi_local_convertor, &packing->type->super, count, elements,
                                                     0, &packing->convertor);
        }
        packing->block = block;
        packing->is_packing = is_packing;
    }
    if (position != packing->convertor.bConverted) {
        size_t beginning = 0;
        opal_convertor_set_position(&packing->convertor, &beginning);
        opal_convertor_set_position(&packing->convertor, &position);
    }
    return at - position;
}

/* Packs or unpacks the next bytes, `num` or fewer. Returns their number. */
static size_t copy_next(hitopo_coll_packing_t *packing, char *packed, size_t num)
{
    struct iovec part = {packed, num < MAX_AT_ONCE ? num : MAX_AT_ONCE};
    uint32_t num_parts = 1;

    num = part.iov_len;
    if (packing->is_packing) {
        (void) opal_convertor_pack(&packing->convertor, &part, &num_parts, &num);
    } else {
        (void) opal_convertor_unpack(&packing->convertor, &part, &num_parts, &num);
    }
    return num;
}

int hitopo_coll_pack(hitopo_coll_messages_t *messages, size_t at, size_t num_bytes, char *to)
{
    hitopo_coll_packing_t *packing = &((hitopo_coll_call_t *) messages)->packing;

    while (num_bytes > 0) {
        char whole[MAX_BASIC_BYTES];
        const size_t before = move_to(packing, at, true);
        size_t num = 0 == before ? copy_next(packing, to, num_bytes) : 0;
        if (0 == num) { /* a basic element begins before `at`, or ends behind the segment */
            const size_t got = copy_next(packing, whole, sizeof(whole));
            if (got <= before) {
                return OMPI_ERROR;
            }
            num = got - before < num_bytes ? got - before : num_bytes;
            memcpy(to, whole + before, num);
        }
        to += num;
        at += num;
        num_bytes -= num;
    }
    return OMPI_SUCCESS;
}

int hitopo_coll_unpack(hitopo_coll_messages_t *messages, const char *from, size_t at, size_t num_bytes)
{
    hitopo_coll_packing_t *packing = &((hitopo_coll_call_t *) messages)->packing;

    if (num_bytes > 0) {
        (void) move_to(packing, at, false);
    }
    while (num_bytes > 0) {
        const size_t num = copy_next(packing, (char *) from, num_bytes);
        if (0 == num) {
            return OMPI_ERROR;
        }
        from += num;
        num_bytes -= num;
    }
    return OMPI_SUCCESS;
}

void hitopo_coll_use_packing(hitopo_coll_call_t *call, const hitopo_coll_packing_t *packing)
{
    call->packing = *packing;
    OBJ_CONSTRUCT(&call->packing.convertor, opal_convertor_t);
    call->packing.block = -1;
    call->messages.is_packed = true;
}

int hitopo_coll_copy(hitopo_coll_messages_t *messages, const void *from, void *to, size_t count)
{
    return 0 == count ? OMPI_SUCCESS
                      : ompi_datatype_copy_content_same_ddt(((hitopo_coll_call_t *) messages)->type, (int32_t) count,
                                                            to, (char *) from);
}

/* Where Open MPI has accelerators, it asks them about both. */
int hitopo_coll_copy_bytes(void *to, const void *from, size_t num_bytes)
{
    if (0 == num_bytes) {
        return OMPI_SUCCESS;
    }
#if OMPI_MAJOR_VERSION < 5 && !OPAL_CUDA_SUPPORT
    memcpy(to, from, num_bytes);
    return OMPI_SUCCESS;
#else
    return ompi_datatype_copy_content_same_ddt(&ompi_mpi_byte.dt, num_bytes, to, (char *) from);
#endif
}
