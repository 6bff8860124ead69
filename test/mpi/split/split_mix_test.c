/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Each mix of arguments across ranks ends everywhere, with the result that the documentation states: all
 * pairs of arguments in three patterns, and random mixes of all. The rules stand in expect(); what an
 * argument gives by itself was worked out by hand for the machine FOUR_CORES.
 */
/* ranks: 1 2 4 7 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

#define MAX_RANKS 64
#define NUM_RANDOM 300
#define SEED 20260701u

/* What an argument asks for. Recognised types come last, each a type of its own. */
typedef enum wish_t {
    ABSTAIN,   /* MPI_UNDEFINED */
    BAD_TYPE,  /* no split type */
    BOTH_KEYS, /* hardware and set in one info */
    NOTHING,   /* no usable info */
    SET,       /* a process set; MPI_COMM_WORLD is of no session */
    ALONE,
    UNGUIDED,
    ALL, /* shared memory, and what one machine has one of */
    PACKAGE,
    CORE,
    MACHINE,
} wish_t;

typedef struct argument_t {
    int split_type;
    wish_t wish;
    const char *key, *value; /* of the info; see info_with */
} argument_t;

#define BOTH "both" /* as key: the two keys of RESOURCE_GUIDED */
#define HSPLIT_TYPE "MPI_HW_DOMAIN_TYPE"
#define SET_NAME "mpi_pset_name"

static const argument_t arguments[] = {
    {MPI_UNDEFINED, ABSTAIN, NULL, NULL},
    {MPI_UNDEFINED, ABSTAIN, HW_TYPE, "Package"},
    {12345, BAD_TYPE, NULL, NULL},
    {-5, BAD_TYPE, HW_TYPE, "Package"},
    {MPI_COMM_TYPE_SHARED, ALL, NULL, NULL},
    {MPI_COMM_TYPE_SHARED, ALL, HW_TYPE, "Core"},
    {MPI_COMM_TYPE_HW_GUIDED, NOTHING, NULL, NULL},
    {MPI_COMM_TYPE_HW_GUIDED, NOTHING, HW_TYPE, NULL},
    {MPI_COMM_TYPE_HW_GUIDED, NOTHING, HSPLIT_TYPE, "Package"},
    {MPI_COMM_TYPE_HW_GUIDED, NOTHING, HW_TYPE, "hosts"},  /* Open MPI's own would take it for host */
    {MPI_COMM_TYPE_HW_GUIDED, NOTHING, HW_TYPE, "nvlink"}, /* which Open MPI's own knows from 6.0 on */
    {MPI_COMM_TYPE_HW_GUIDED, NOTHING, HW_TYPE, " "},
    {MPI_COMM_TYPE_HW_GUIDED, PACKAGE, HW_TYPE, "hwloc://Package"},
    {MPI_COMM_TYPE_HW_GUIDED, PACKAGE, HW_TYPE, "SOCKET"},
    {MPI_COMM_TYPE_HW_GUIDED, CORE, HW_TYPE, "hwloc_obj_core"},
    {MPI_COMM_TYPE_HW_GUIDED, MACHINE, HW_TYPE, "Machine"},
    {MPI_COMM_TYPE_RESOURCE_GUIDED, NOTHING, NULL, NULL},
    {MPI_COMM_TYPE_RESOURCE_GUIDED, NOTHING, HW_TYPE, NULL},
    {MPI_COMM_TYPE_RESOURCE_GUIDED, NOTHING, HW_TYPE, "garbage"},
    {MPI_COMM_TYPE_RESOURCE_GUIDED, PACKAGE, HW_TYPE, "Package"},
    {MPI_COMM_TYPE_RESOURCE_GUIDED, CORE, HW_TYPE, "core"},
    {MPI_COMM_TYPE_RESOURCE_GUIDED, SET, SET_NAME, "mpi://WORLD"},
    {MPI_COMM_TYPE_RESOURCE_GUIDED, SET, SET_NAME, "app://ocean"},
    {MPI_COMM_TYPE_RESOURCE_GUIDED, BOTH_KEYS, BOTH, "Package"},
    {MPI_COMM_TYPE_HW_UNGUIDED, UNGUIDED, NULL, NULL},
    {MPI_COMM_TYPE_HW_UNGUIDED, UNGUIDED, HW_TYPE, "Core"},
    {MPIX_COMM_TYPE_HW_DOMAIN, UNGUIDED, NULL, NULL},
    {MPIX_COMM_TYPE_HW_DOMAIN, UNGUIDED, HW_TYPE, "Package"},
    {MPIX_COMM_TYPE_HW_DOMAIN, PACKAGE, HSPLIT_TYPE, "Socket"},
    {MPIX_COMM_TYPE_HW_DOMAIN, CORE, HSPLIT_TYPE, "Core"},
    {MPIX_COMM_TYPE_HW_DOMAIN, NOTHING, HSPLIT_TYPE, "garbage"},
    {MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, UNGUIDED, NULL, NULL},
    {MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, UNGUIDED, HSPLIT_TYPE, "Core"},
    {MPIX_COMM_TYPE_ADDRESS_SPACE, ALONE, NULL, NULL},
#if OMPI_MAJOR_VERSION >= 6
    {OMPI_COMM_TYPE_NVLINK, NOTHING, NULL, NULL}, /* no process has it here */
#endif
    {OMPI_COMM_TYPE_HWTHREAD, CORE, NULL, NULL},
    {OMPI_COMM_TYPE_CORE, CORE, NULL, NULL},
    {OMPI_COMM_TYPE_SOCKET, PACKAGE, HW_TYPE, "garbage"},
    {OMPI_COMM_TYPE_NUMA, ALL, NULL, NULL},
    {OMPI_COMM_TYPE_L3CACHE, ALONE, NULL, NULL}, /* there is none: each its own */
    {OMPI_COMM_TYPE_BOARD, ALL, NULL, NULL},
    {OMPI_COMM_TYPE_HOST, ALL, NULL, NULL},
    {OMPI_COMM_TYPE_CU, ALL, NULL, NULL},      /* nobody knows a switch: the node */
    {OMPI_COMM_TYPE_CLUSTER, ALL, NULL, NULL}, /* likewise */
};
#define NUM_ARGUMENTS ((int) (sizeof(arguments) / sizeof(arguments[0])))

static MPI_Comm world;
static int rank, size;
static const argument_t *chosen[MAX_RANKS]; /* by rank */

typedef struct outcome_t {
    int error, color;
} outcome_t;

/* The communicator of this process when all ask for the same. */
static int color_of(wish_t wish)
{
    switch (wish) {
    case ALL:
    case MACHINE:
        return 0;
    case PACKAGE:
        return rank / 2 % 2;
    case CORE:
        return rank % 4;
    case ALONE:
        return rank;
    case UNGUIDED: /* two processes fill one package, so their cores are the largest strict subsets */
        return 1 == size ? MPI_UNDEFINED : 2 == size ? rank : rank / 2 % 2;
    default:
        return MPI_UNDEFINED;
    }
}

static int has_wish(wish_t wish)
{
    for (int i = 0; i < size; ++i) {
        if (chosen[i]->wish == wish) {
            return 1;
        }
    }
    return 0;
}

/* The split types of all but those that abstain are one, and one that exists. */
static int is_type_agreed(int *split_type)
{
    *split_type = MPI_UNDEFINED;
    for (int i = 0; i < size; ++i) {
        if (ABSTAIN != chosen[i]->wish) {
            if (MPI_UNDEFINED != *split_type && *split_type != chosen[i]->split_type) {
                return 0;
            }
            *split_type = chosen[i]->split_type;
        }
    }
    return !has_wish(BAD_TYPE);
}

/* Whether somebody splits by this type and gives a value, be it garbage, to the key. */
static int has_key(int split_type, const char *key)
{
    for (int i = 0; i < size; ++i) {
        if (split_type == chosen[i]->split_type && NULL != chosen[i]->value && 0 == strcmp(chosen[i]->key, key)) {
            return 1;
        }
    }
    return 0;
}

static outcome_t expect(void)
{
    const wish_t mine = chosen[rank]->wish;
    const int num_types = has_wish(PACKAGE) + has_wish(CORE) + has_wish(MACHINE);
    outcome_t outcome = {MPI_SUCCESS, MPI_UNDEFINED};
    int split_type;

    if (!is_type_agreed(&split_type)) {
        outcome.error = MPI_ERR_ARG;
    } else if (has_wish(BOTH_KEYS) || (has_wish(SET) && has_key(MPI_COMM_TYPE_RESOURCE_GUIDED, HW_TYPE))) {
        outcome.error = MPI_ERR_INFO;
    } else if (num_types < 2 && !(UNGUIDED == mine && has_key(MPIX_COMM_TYPE_HW_DOMAIN, HSPLIT_TYPE))) {
        /* Where some name a type for MPIX_COMM_TYPE_HW_DOMAIN, those who do not get nothing. */
        outcome.color = color_of(mine);
    }
    return outcome;
}

static MPI_Info make_info(const argument_t *argument)
{
    if (NULL != argument->key && 0 == strcmp(argument->key, BOTH)) {
        MPI_Info info = info_with(HW_TYPE, argument->value);
        MPI_Info_set(info, SET_NAME, "mpi://WORLD");
        return info;
    }
    return info_with(argument->key, argument->value);
}

static void print_mix(outcome_t expected)
{
    fprintf(stderr, "rank %d of %d: expected error %d, colour %d:", rank, size, expected.error, expected.color);
    for (int i = 0; i < size; ++i) {
        fprintf(stderr, " [%d %s=%s]", chosen[i]->split_type, NULL == chosen[i]->key ? "" : chosen[i]->key,
                NULL == chosen[i]->value ? "" : chosen[i]->value);
    }
    fprintf(stderr, "\n");
}

/* One split with the chosen arguments; the error handler returns. */
static void try_mix(int key)
{
    const int failed_before = num_failed;
    const outcome_t expected = expect();
    MPI_Comm newcomm = world;
    MPI_Info info = make_info(chosen[rank]);

    num_handled = 0;
    const int code = MPI_Comm_split_type(world, chosen[rank]->split_type, key, info, &newcomm);
    CHECK(class_of(code) == expected.error);
    CHECK(num_handled == (MPI_SUCCESS != expected.error));
    CHECK(0 == num_handled || last_handled == expected.error);
    if (MPI_SUCCESS == expected.error && MPI_SUCCESS == code) {
        CHECK(is_split_by(world, newcomm, expected.color, key));
        free_comm(&newcomm);
    }
    if (num_failed != failed_before) {
        print_mix(expected);
    }
    free_info(&info);
}

/* The few are rank 0, or the last, or the odd ones. */
static int is_few(int process, int pattern)
{
    return 0 == pattern ? 0 == process : 1 == pattern ? size - 1 == process : process % 2;
}

static void test_pairs(int pattern)
{
    for (int most = 0; most < NUM_ARGUMENTS; ++most) {
        for (int few = 0; few < NUM_ARGUMENTS; ++few) {
            for (int i = 0; i < size; ++i) {
                chosen[i] = &arguments[is_few(i, pattern) ? few : most];
            }
            try_mix(0);
        }
    }
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Two split types in most mixes would only ever give MPI_ERR_ARG: half of them keep to one. */
static void test_random(void)
{
    unsigned state = SEED;

    for (int i = 0; i < NUM_RANDOM; ++i) {
        const argument_t *first = &arguments[next_random(&state) % NUM_ARGUMENTS];
        for (int j = 0; j < size; ++j) {
            do {
                chosen[j] = &arguments[next_random(&state) % NUM_ARGUMENTS];
            } while (i % 8 && ABSTAIN != chosen[j]->wish && chosen[j]->split_type != first->split_type);
        }
        int keys[MAX_RANKS];
        for (int j = 0; j < size; ++j) {
            keys[j] = (int) (next_random(&state) % 5) - 2;
        }
        try_mix(keys[rank]);
    }
}

int main(int argc, char **argv)
{
    MPI_Errhandler handler;

    init_on_four_cores(&argc, &argv, &rank, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &world);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(world, handler);
    const int num_before = num_communicators();
    for (int pattern = 0; pattern < 3; ++pattern) {
        test_pairs(pattern);
    }
    test_random();
    CHECK(is_usable(world));
    CHECK(num_communicators() == num_before); /* those of refused and empty splits came back */
    MPI_Errhandler_free(&handler);
    MPI_Comm_free(&world);
    return finish();
}
