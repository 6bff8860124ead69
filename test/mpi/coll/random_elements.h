/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random datatypes, and arrays of their elements in memory whose gaps are watched.
 */
#ifndef TEST_MPI_COLL_RANDOM_ELEMENTS_H
#define TEST_MPI_COLL_RANDOM_ELEMENTS_H

#include <stdlib.h>

#include "test/mpi/coll/predefined_types.h"

/* ---- random numbers ---- */

/* A seed at first, in each thread. All ranks that start with the same draw the same. */
static __thread uint64_t state;

static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int) ((state >> 33) % (uint64_t) n);
}

/* ---- elements ---- */

/* Its packed bytes are those of parts[0], parts[1], .. in turn. */
#define MAX_PARTS 3
typedef struct {
    const char *what; /* how it was made */
    MPI_Datatype type;
    const predefined_t *parts[MAX_PARTS];
    int num_parts, size;
    MPI_Aint extent, true_lb, true_extent;
} element_t;

static const predefined_t *random_predefined(void)
{
    const predefined_t *which;

    do {
        which = &all_predefined[below(NUM_PREDEFINED)];
    } while (!is_there(which));
    return which;
}

/* docs/upstream.md, 42 and 44 */
static bool may_have_gaps(const predefined_t *which)
{
    const int number = COMPLEX == which->group ? size_of_parts(which) : which->parts[0].size;

    return number <= (OMPI_MAJOR_VERSION < 5 ? 16 : 8);
}

static const predefined_t *random_part(void)
{
    const predefined_t *which;

    do {
        which = random_predefined();
    } while (!may_have_gaps(which));
    return which;
}

static element_t measured(element_t element)
{
    MPI_Aint lb;

    MPI_Type_commit(&element.type);
    MPI_Type_size(element.type, &element.size);
    MPI_Type_get_extent(element.type, &lb, &element.extent);
    MPI_Type_get_true_extent(element.type, &element.true_lb, &element.true_extent);
    return element;
}

static element_t element_of(const predefined_t *part)
{
    return measured((element_t){.what = part->name, .type = part->type, .parts = {part}, .num_parts = 1});
}

static bool is_predefined(const element_t *element)
{
    return 1 == element->num_parts && element->type == element->parts[0]->type;
}

static void drop(element_t *element)
{
    if (!is_predefined(element)) {
        MPI_Type_free(&element->type);
    }
}

/* The last step of making a type from another one that is no longer needed. */
static void resize(MPI_Datatype *type, MPI_Aint lb, MPI_Aint extent)
{
    MPI_Datatype whole = *type;

    MPI_Type_create_resized(whole, lb, extent, type);
    MPI_Type_free(&whole);
}

/* Three kinds of numbers with gaps between them. */
static element_t random_struct(void)
{
    element_t element = {.what = "struct", .num_parts = MAX_PARTS};
    MPI_Datatype types[MAX_PARTS];
    int ones[MAX_PARTS] = {1, 1, 1};
    MPI_Aint begins[MAX_PARTS] = {0, 40, 88};

    for (int i = 0; i < MAX_PARTS; ++i) {
        element.parts[i] = random_part();
        types[i] = element.parts[i]->type;
    }
    MPI_Type_create_struct(MAX_PARTS, ones, begins, types, &element.type);
    return measured(element);
}

enum { CONTIGUOUS, VECTOR, INDEXED, LONGER, SHIFTED, NEGATIVE, EMPTY, INTERLEAVED, NUM_KINDS };

/* num: elements that the greatest array will have, over which interleaved ones are spread. */
static element_t derived(int kind, const predefined_t *part, int num)
{
    static const char *const names[] = {"contiguous", "vector",   "indexed", "resized",
                                        "shifted",    "negative", "empty",   "interleaved"};
    element_t element = {.what = names[kind], .parts = {part}, .num_parts = 1};
    MPI_Datatype *type = &element.type, from = part->type;
    int lengths[] = {2, 0, 1, 3}, begins[] = {7, 0, 5, 1}, one = 1;
    MPI_Aint lb, extent, behind = 16, before = -48;

    MPI_Type_get_extent(from, &lb, &extent);
    switch (kind) {
    case CONTIGUOUS:
        MPI_Type_contiguous(1 + num % 4, from, type);
        break;
    case VECTOR:
        MPI_Type_vector(3, 2, 3, from, type);
        break;
    case INDEXED:
        MPI_Type_indexed(4, lengths, begins, from, type);
        break;
    case LONGER:
        MPI_Type_contiguous(2, from, type);
        resize(type, 0, 2 * extent + 24);
        break;
    case SHIFTED:
        MPI_Type_create_hindexed(1, &one, &behind, from, type);
        resize(type, 8, extent + 32);
        break;
    case NEGATIVE:
        MPI_Type_create_hindexed(1, &one, &before, from, type);
        resize(type, -64, extent + 40);
        break;
    case EMPTY:
        MPI_Type_contiguous(0, from, type);
        resize(type, 0, num % 2 ? 0 : 16);
        break;
    default:
        MPI_Type_vector(3, 1, num > 0 ? num : 1, from, type);
        resize(type, 0, extent);
    }
    return measured(element);
}

static element_t random_element(int num)
{
    const int kind = num > 20000 ? NUM_KINDS + 1 : below(2 * NUM_KINDS);

    if (kind == NUM_KINDS) {
        return random_struct();
    }
    return kind < NUM_KINDS ? derived(kind, random_part(), num) : element_of(random_predefined());
}

/* ---- arrays ---- */

/* Memory around its elements, too: all that is not theirs must stay as it is. */
typedef struct {
    char *memory, *base; /* base: what MPI is given */
    size_t num_bytes;
} array_t;

enum { MARGIN = 64, GAP = 0xA5 };

static array_t array_for(const element_t *element, int num)
{
    const MPI_Aint behind = num > 1 ? (num - 1) * element->extent : 0;
    array_t array = {.num_bytes = (size_t) (element->true_extent + behind) + 2 * MARGIN};

    array.memory = malloc(array.num_bytes);
    memset(array.memory, GAP, array.num_bytes);
    array.base = array.memory + MARGIN - element->true_lb;
    return array;
}

static char *at(const array_t *array, const element_t *element, int64_t index)
{
    return array->base + index * element->extent;
}

static char *packed(const element_t *element, const char *from, int num)
{
    const int size = num * element->size;
    char *bytes = malloc((size_t) size + 1);
    int position = 0;

    MPI_Pack(from, num, element->type, bytes, size, &position, MPI_COMM_SELF);
    return bytes;
}

static void unpack(const element_t *element, const char *bytes, char *to, int num)
{
    int position = 0;

    MPI_Unpack(bytes, num * element->size, &position, to, num, element->type, MPI_COMM_SELF);
}

/* Calls `put` for each number's packed bytes in turn, and unpacks them. */
static void unpack_parts(const element_t *element, char *to, int num,
                         void (*put)(char *at, unsigned group, const part_t *part))
{
    const int size = num * element->size;
    char *bytes = malloc((size_t) size + 1);

    for (int done = 0, i = 0; done < size; i = (i + 1) % element->num_parts) {
        for (int j = 0; j < 2; ++j) {
            const part_t *part = &element->parts[i]->parts[j];
            put(bytes + done, element->parts[i]->group, part);
            done += part->size;
        }
    }
    unpack(element, bytes, to, num);
    free(bytes);
}

/* Integers that are summed are small: Open MPI's vectors of short ones saturate where single ones wrap around. */
static __thread bool is_small;

/* Numbers of both halves of what is true or false; few different ones where the least is looked for. */
static void put_random(char *to, unsigned group, const part_t *part)
{
    if (0 == part->size) {
        return;
    }
    memset(to, 0, (size_t) part->size);
    if (part->is_floating) {
        put_floating(to, part, PAIR == group ? below(5) * 0.5 : 0.5 + below(3000) / 3000.0);
    } else if (is_small || (LOGICAL | PAIR) & group) {
        put_integer(to, part->size, below(LOGICAL == group ? 2 : 4));
    } else if (below(4) > 0) {
        for (int i = 0; i < part->size; i += 4) {
            const int word = below(INT32_MAX);
            memcpy(to + i, &word, (size_t) (part->size - i < 4 ? part->size - i : 4));
        }
    }
}

/* A byte of a mask says what the byte of an array is. */
enum { NOBODYS = 0, UNTOLD = 1, DATA = 2 };

static void put_mask(char *to, unsigned group, const part_t *part)
{
    (void) group;
    memset(to, UNTOLD, (size_t) part->size);
    memset(to, DATA, (size_t) num_meaningful(part));
}

static void put_untold(char *to, unsigned group, const part_t *part)
{
    (void) group;
    memset(to, UNTOLD, (size_t) part->size);
}

static array_t mask_for(const element_t *element, int num)
{
    array_t mask = array_for(element, num);

    memset(mask.memory, NOBODYS, mask.num_bytes);
    return mask;
}

#endif
