/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The predefined datatypes of MPI, and the predefined operations that each of them has (MPI 4.0, 6.9.2).
 */
#ifndef TEST_MPI_COLL_PREDEFINED_TYPES_H
#define TEST_MPI_COLL_PREDEFINED_TYPES_H

#include <float.h>
#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { INTEGER = 1, FORTRAN_INTEGER = 2, BITS = 4, LOGICAL = 8, FLOATING = 16, COMPLEX = 32, PAIR = 64, OTHER = 128 };

/* One number, or two, as they are packed. */
typedef struct {
    int size;
    bool is_floating;
} part_t;

typedef struct {
    const char *name;
    MPI_Datatype type;
    unsigned group; /* one of those above */
    part_t parts[2];
} predefined_t;

#define PARTS(type, group, size, is_floating, other_size, is_other_floating) \
    {                                                                        \
#type, type, group,                                                  \
        {                                                                    \
            {size, is_floating},                                             \
            {                                                                \
                other_size, is_other_floating                                \
            }                                                                \
        }                                                                    \
    }
#define WHOLE(group, type, c) PARTS(type, group, sizeof(c), false, 0, false)
#define REAL(type, c) PARTS(type, FLOATING, sizeof(c), true, 0, false)
#define TWO_REALS(type, c) PARTS(type, COMPLEX, sizeof(c), true, sizeof(c), true)
#define WITH_INDEX(type, c, is_floating) PARTS(type, PAIR, sizeof(c), is_floating, sizeof(int), false)

static const predefined_t all_predefined[] =
    {WHOLE(INTEGER, MPI_INT, int),
     WHOLE(INTEGER, MPI_LONG, long),
     WHOLE(INTEGER, MPI_SHORT, short),
     WHOLE(INTEGER, MPI_UNSIGNED_SHORT, short),
     WHOLE(INTEGER, MPI_UNSIGNED, int),
     WHOLE(INTEGER, MPI_UNSIGNED_LONG, long),
     WHOLE(INTEGER, MPI_LONG_LONG, long long),
     WHOLE(INTEGER, MPI_UNSIGNED_LONG_LONG, long long),
     WHOLE(INTEGER, MPI_SIGNED_CHAR, char),
     WHOLE(INTEGER, MPI_UNSIGNED_CHAR, char),
     WHOLE(INTEGER, MPI_INT8_T, int8_t),
     WHOLE(INTEGER, MPI_INT16_T, int16_t),
     WHOLE(INTEGER, MPI_INT32_T, int32_t),
     WHOLE(INTEGER, MPI_INT64_T, int64_t),
     WHOLE(INTEGER, MPI_UINT8_T, int8_t),
     WHOLE(INTEGER, MPI_UINT16_T, int16_t),
     WHOLE(INTEGER, MPI_UINT32_T, int32_t),
     WHOLE(INTEGER, MPI_UINT64_T, int64_t),
     WHOLE(FORTRAN_INTEGER, MPI_AINT, MPI_Aint),
     WHOLE(FORTRAN_INTEGER, MPI_OFFSET, MPI_Offset),
     WHOLE(FORTRAN_INTEGER, MPI_COUNT, MPI_Count),
     WHOLE(FORTRAN_INTEGER, MPI_INTEGER, MPI_Fint),
     WHOLE(FORTRAN_INTEGER, MPI_INTEGER1, int8_t),
     WHOLE(FORTRAN_INTEGER, MPI_INTEGER2, int16_t),
     WHOLE(FORTRAN_INTEGER, MPI_INTEGER4, int32_t),
     WHOLE(FORTRAN_INTEGER, MPI_INTEGER8, int64_t),
     WHOLE(LOGICAL, MPI_C_BOOL, bool),
     WHOLE(LOGICAL, MPI_LOGICAL, MPI_Fint),
     WHOLE(BITS, MPI_BYTE, char),
     WHOLE(OTHER, MPI_PACKED, char),
     WHOLE(OTHER, MPI_CHAR, char),
     WHOLE(OTHER, MPI_WCHAR, wchar_t),
     WHOLE(OTHER, MPI_CHARACTER, char),
     REAL(MPI_FLOAT, float),
     REAL(MPI_DOUBLE, double),
     REAL(MPI_LONG_DOUBLE, long double),
     REAL(MPI_REAL, float),
     REAL(MPI_REAL4, float),
     REAL(MPI_REAL8, double),
     REAL(MPI_DOUBLE_PRECISION, double),
     TWO_REALS(MPI_C_FLOAT_COMPLEX, float),
     TWO_REALS(MPI_C_DOUBLE_COMPLEX, double),
     TWO_REALS(MPI_C_LONG_DOUBLE_COMPLEX, long double),
     TWO_REALS(MPI_COMPLEX, float),
     TWO_REALS(MPI_COMPLEX8, float),
     TWO_REALS(MPI_COMPLEX16, double),
     TWO_REALS(MPI_DOUBLE_COMPLEX, double),
     WITH_INDEX(MPI_FLOAT_INT, float, true),
     WITH_INDEX(MPI_DOUBLE_INT, double, true),
     WITH_INDEX(MPI_LONG_DOUBLE_INT, long double, true),
     WITH_INDEX(MPI_LONG_INT, long, false),
     WITH_INDEX(MPI_SHORT_INT, short, false),
     WITH_INDEX(MPI_2INT, int, false),
     {"MPI_2REAL", MPI_2REAL, PAIR, {{sizeof(float), true}, {sizeof(float), true}}},
     {"MPI_2DOUBLE_PRECISION", MPI_2DOUBLE_PRECISION, PAIR, {{sizeof(double), true}, {sizeof(double), true}}},
     {"MPI_2INTEGER", MPI_2INTEGER, PAIR, {{sizeof(MPI_Fint), false}, {sizeof(MPI_Fint), false}}}};
#define NUM_PREDEFINED ((int) (sizeof(all_predefined) / sizeof(*all_predefined)))

static inline int size_of_parts(const predefined_t *of)
{
    return of->parts[0].size + of->parts[1].size;
}

/* Whether this MPI has it, and it is what the table says: Fortran's may be absent, or of other sizes. Main without
 * Fortran has two of its pairs, but no operations on these. */
static inline bool is_there(const predefined_t *which)
{
    int size = 0, size_of_real = 0;

    if (MPI_2REAL == which->type || MPI_2DOUBLE_PRECISION == which->type) {
        MPI_Type_size(MPI_REAL, &size_of_real);
        if (sizeof(float) != size_of_real) {
            return false;
        }
    }
    return MPI_DATATYPE_NULL != which->type && MPI_SUCCESS == MPI_Type_size(which->type, &size)
           && size == size_of_parts(which);
}

static const struct {
    const char *name;
    MPI_Op op;
    unsigned groups;
} predefined_ops[] = {{"MPI_MAX", MPI_MAX, INTEGER | FORTRAN_INTEGER | FLOATING},
                      {"MPI_MIN", MPI_MIN, INTEGER | FORTRAN_INTEGER | FLOATING},
                      {"MPI_SUM", MPI_SUM, INTEGER | FORTRAN_INTEGER | FLOATING | COMPLEX},
                      {"MPI_PROD", MPI_PROD, INTEGER | FORTRAN_INTEGER | FLOATING | COMPLEX},
                      {"MPI_LAND", MPI_LAND, INTEGER | LOGICAL},
                      {"MPI_LOR", MPI_LOR, INTEGER | LOGICAL},
                      {"MPI_LXOR", MPI_LXOR, INTEGER | LOGICAL},
                      {"MPI_BAND", MPI_BAND, INTEGER | FORTRAN_INTEGER | BITS},
                      {"MPI_BOR", MPI_BOR, INTEGER | FORTRAN_INTEGER | BITS},
                      {"MPI_BXOR", MPI_BXOR, INTEGER | FORTRAN_INTEGER | BITS},
                      {"MPI_MINLOC", MPI_MINLOC, PAIR},
                      {"MPI_MAXLOC", MPI_MAXLOC, PAIR}};
#define NUM_OPS ((int) (sizeof(predefined_ops) / sizeof(*predefined_ops)))

static inline void put_integer(char *to, int size, int64_t value)
{
    const int8_t one = (int8_t) value;
    const int16_t two = (int16_t) value;
    const int32_t four = (int32_t) value;
    const void *const as[] = {NULL, &one, &two, NULL, &four, NULL, NULL, NULL, &value};

    memcpy(to, as[size], (size_t) size);
}

static inline long double floating_at(const char *from, int size)
{
    float single;
    double two;
    long double longest;

    if (size == sizeof(single)) {
        memcpy(&single, from, sizeof(single));
        return single;
    }
    if (size == sizeof(two)) {
        memcpy(&two, from, sizeof(two));
        return two;
    }
    memcpy(&longest, from, sizeof(longest));
    return longest;
}

static inline long double epsilon_of(int size)
{
    return size == sizeof(float) ? FLT_EPSILON : size == sizeof(double) ? DBL_EPSILON : LDBL_EPSILON;
}

/* How many bytes of a number mean something: x86's long double has ten. */
static inline int num_meaningful(const part_t *part)
{
    return part->is_floating && part->size == sizeof(long double) && LDBL_MANT_DIG == 64 ? 10 : part->size;
}

static inline void put_floating(char *to, const part_t *part, double value)
{
    const float single = (float) value;
    const long double longest = (long double) value;
    const void *as = part->size == sizeof(single)  ? (const void *) &single
                     : part->size == sizeof(value) ? (const void *) &value
                                                   : (const void *) &longest;

    memcpy(to, as, (size_t) num_meaningful(part));
}

#endif
