/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Predefined operations for what they are defined for, and two of the user's for elements of any type, on their bytes.
 */
#ifndef TEST_MPI_COLL_RANDOM_OPERATIONS_H
#define TEST_MPI_COLL_RANDOM_OPERATIONS_H

#include "test/mpi/coll/random_elements.h"

/* The element that the user's operations are called for, and where the bytes of its data are. */
#define MAX_OFFSETS 1024
static struct {
    MPI_Aint extent, offsets[MAX_OFFSETS];
    int num_offsets;
} operand;

static void begin_operations(const element_t *element)
{
    array_t mask = mask_for(element, 1);

    unpack_parts(element, mask.base, 1, put_untold);
    operand.extent = element->extent;
    operand.num_offsets = 0;
    for (size_t i = 0; i < mask.num_bytes; ++i) {
        if (NOBODYS != mask.memory[i] && operand.num_offsets < MAX_OFFSETS) {
            operand.offsets[operand.num_offsets++] = mask.memory + i - mask.base;
        }
    }
    free(mask.memory);
}

static unsigned char *byte_of(void *elements, int element, int i)
{
    return (unsigned char *) elements + element * operand.extent + operand.offsets[i];
}

static void add_bytes(void *in, void *inout, int *num, MPI_Datatype *type)
{
    (void) type;
    for (int e = 0; e < *num; ++e) {
        for (int i = 0; i < operand.num_offsets; ++i) {
            unsigned char *to = byte_of(inout, e, i);
            *to = (unsigned char) (*to + *byte_of(in, e, i));
        }
    }
}

/* Two bytes (a, b) are the function a x + b, modulo 256: which comes first matters. Of a last single one, the first
 * rank's is left. */
static void compose(void *in, void *inout, int *num, MPI_Datatype *type)
{
    (void) type;
    for (int e = 0; e < *num; ++e) {
        for (int i = 0; i + 1 < operand.num_offsets; i += 2) {
            const unsigned a = *byte_of(in, e, i), b = *byte_of(in, e, i + 1);
            unsigned char *first = byte_of(inout, e, i), *second = byte_of(inout, e, i + 1);
            *second = (unsigned char) (a * *second + b);
            *first = (unsigned char) (a * *first);
        }
        if (operand.num_offsets % 2) {
            *byte_of(inout, e, operand.num_offsets - 1) = *byte_of(in, e, operand.num_offsets - 1);
        }
    }
}

typedef struct {
    const char *name;
    MPI_Op op;
} operation_t;

static MPI_Op sum_of_bytes, composition;

static void make_operations(void)
{
    MPI_Op_create(add_bytes, 1, &sum_of_bytes);
    MPI_Op_create(compose, 0, &composition);
}

static void free_operations(void)
{
    MPI_Op_free(&sum_of_bytes);
    MPI_Op_free(&composition);
}

static operation_t random_operation(const element_t *element, bool is_ordered, bool may_be_ordered)
{
    int i = below(NUM_OPS + 3);

    if (is_ordered || (may_be_ordered && i == NUM_OPS)) {
        return (operation_t){"an ordered one", composition};
    }
    for (int num = 0; is_predefined(element) && i < NUM_OPS && num < NUM_OPS; ++num, i = (i + 1) % NUM_OPS) {
        if (predefined_ops[i].groups & element->parts[0]->group) {
            return (operation_t){predefined_ops[i].name, predefined_ops[i].op};
        }
    }
    return (operation_t){"sum of bytes", sum_of_bytes};
}

/* What all ranks' contributions give in their order, without any message: the caller's to free. */
static array_t merged(const element_t *element, int num, int num_ranks, MPI_Op op)
{
    array_t result = array_for(element, num);

    fill(element, result.base, num, 0);
    for (int rank = 1; rank < num_ranks; ++rank) {
        array_t next = array_for(element, num), before = result;
        fill(element, next.base, num, rank);
        MPI_Reduce_local(before.base, next.base, num, element->type, op);
        result = next;
        free(before.memory);
    }
    return result;
}

#endif
