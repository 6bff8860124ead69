/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Predefined operations for what they are defined for, and two of the user's for elements of any type, on their bytes.
 */
#ifndef TEST_MPI_COLL_RANDOM_OPERATIONS_H
#define TEST_MPI_COLL_RANDOM_OPERATIONS_H

#include <pthread.h>
#include <sched.h>

#include "test/mpi/coll/random_elements.h"

/* Where in an element the bytes of its data are, for the user's operations. MPI gives them the type alone, and calls
 * them in any thread. */
#define MAX_OFFSETS 1024
typedef struct operand_t {
    MPI_Datatype type, copy;
    MPI_Aint extent, copy_begins, offsets[MAX_OFFSETS];
    int num_offsets, num_users;
    struct operand_t *next;
} operand_t;
static operand_t *operands;
static pthread_mutex_t operands_lock = PTHREAD_MUTEX_INITIALIZER;

/* The operations will be called for the element's type, which lives as long, and for a copy of it, which may be freed
 * and whose elements begin so many bytes behind. */
static operand_t *begin_operand(const element_t *element, MPI_Datatype copy, MPI_Aint copy_begins)
{
    operand_t *operand = malloc(sizeof(*operand));
    array_t mask = mask_for(element, 1);

    unpack_parts(element, mask.base, 1, put_untold);
    *operand = (operand_t){.type = element->type, .copy = copy, .copy_begins = copy_begins, .extent = element->extent};
    for (size_t i = 0; i < mask.num_bytes; ++i) {
        if (NOBODYS != mask.memory[i] && operand->num_offsets < MAX_OFFSETS) {
            operand->offsets[operand->num_offsets++] = mask.memory + i - mask.base;
        }
    }
    free(mask.memory);
    pthread_mutex_lock(&operands_lock);
    operand->next = operands;
    operands = operand;
    pthread_mutex_unlock(&operands_lock);
    return operand;
}

/* Operations of other threads may be at it: a predefined type is everybody's. */
static void end_operand(operand_t *operand)
{
    pthread_mutex_lock(&operands_lock);
    while (0 < operand->num_users) {
        pthread_mutex_unlock(&operands_lock);
        sched_yield();
        pthread_mutex_lock(&operands_lock);
    }
    operand_t **at = &operands;
    while (*at != operand) {
        at = &(*at)->next;
    }
    *at = operand->next;
    pthread_mutex_unlock(&operands_lock);
    free(operand);
}

/* The last one, since a new type may be where a freed one was. */
static operand_t *take_operand(MPI_Datatype type)
{
    pthread_mutex_lock(&operands_lock);
    operand_t *operand = operands;
    while (operand->type != type && operand->copy != type) {
        operand = operand->next;
    }
    ++operand->num_users;
    pthread_mutex_unlock(&operands_lock);
    return operand;
}

static void leave_operand(operand_t *operand)
{
    pthread_mutex_lock(&operands_lock);
    --operand->num_users;
    pthread_mutex_unlock(&operands_lock);
}

/* merge(from, to, offsets, num): of one element. */
static void merge_elements(void *in, void *inout, int num, MPI_Datatype type,
                           void (*merge)(const unsigned char *, unsigned char *, const MPI_Aint *, int))
{
    operand_t *operand = take_operand(type);
    const MPI_Aint begin = type == operand->copy ? operand->copy_begins : 0;

    for (int e = 0; e < num; ++e) {
        const MPI_Aint at = begin + e * operand->extent;
        merge((unsigned char *) in + at, (unsigned char *) inout + at, operand->offsets, operand->num_offsets);
    }
    leave_operand(operand);
}

static void add_one(const unsigned char *from, unsigned char *to, const MPI_Aint *offsets, int num)
{
    for (int i = 0; i < num; ++i) {
        to[offsets[i]] = (unsigned char) (to[offsets[i]] + from[offsets[i]]);
    }
}

static void add_bytes(void *in, void *inout, int *num, MPI_Datatype *type)
{
    merge_elements(in, inout, *num, *type, add_one);
}

static void mix_one(const unsigned char *from, unsigned char *to, const MPI_Aint *offsets, int num)
{
    for (int i = 0; i < num; ++i) {
        to[offsets[i]] = (unsigned char) (3 * from[offsets[i]] - 5 * to[offsets[i]]);
    }
}

/* Said to commute, but order and brackets show. */
static void mix_bytes(void *in, void *inout, int *num, MPI_Datatype *type)
{
    merge_elements(in, inout, *num, *type, mix_one);
}

/* Two bytes (a, b) are the function a x + b, modulo 256: which comes first matters. Of a last single one, the first
 * rank's is left. */
static void compose_one(const unsigned char *from, unsigned char *to, const MPI_Aint *offsets, int num)
{
    for (int i = 0; i + 1 < num; i += 2) {
        const unsigned a = from[offsets[i]], b = from[offsets[i + 1]];
        to[offsets[i + 1]] = (unsigned char) (a * to[offsets[i + 1]] + b);
        to[offsets[i]] = (unsigned char) (a * to[offsets[i]]);
    }
    if (num % 2) {
        to[offsets[num - 1]] = from[offsets[num - 1]];
    }
}

static void compose(void *in, void *inout, int *num, MPI_Datatype *type)
{
    merge_elements(in, inout, *num, *type, compose_one);
}

typedef struct {
    const char *name;
    MPI_Op op;                   /* a predefined one */
    MPI_User_function *function; /* the user's, else NULL */
    bool commutes;
} operation_t;

/* is_ordered: one that does not commute; may_be_ordered: that may be. */
static operation_t random_operation(const element_t *element, bool is_ordered, bool may_be_ordered)
{
    int i = below(NUM_OPS + 3);

    if (is_ordered || (may_be_ordered && i == NUM_OPS)) {
        return (operation_t){.name = "an ordered one", .function = compose};
    }
    for (int num = 0; is_predefined(element) && i < NUM_OPS && num < NUM_OPS; ++num, i = (i + 1) % NUM_OPS) {
        if (predefined_ops[i].groups & element->parts[0]->group) {
            return (operation_t){.name = predefined_ops[i].name, .op = predefined_ops[i].op};
        }
    }
    return (operation_t){.name = "sum of bytes", .function = add_bytes, .commutes = true};
}

/* in: of the lower ranks; inout: becomes the result. */
static void reduce_local(const operation_t *operation, void *in, void *inout, int num, MPI_Datatype type)
{
    if (NULL != operation->function) {
        operation->function(in, inout, &num, &type);
    } else {
        MPI_Reduce_local(in, inout, num, type, operation->op);
    }
}

#endif
