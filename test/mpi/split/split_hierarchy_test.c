/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * MPIX_Comm_split_roots and MPIX_Comm_split_hierarchy against the loop that they stand for, written with
 * MPI_Comm_split_type and MPI_Comm_split; some hierarchies also against groups worked out by hand.
 */
/* ranks: 1 2 4 7 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

#define MAX_STEPS 12

static int rank, size;

/* ---- MPIX_Comm_split_roots ---- */

typedef struct comms_t {
    MPI_Comm child, roots;
} comms_t;

/* The roots communicator as one would make it oneself: the children's rank 0s, in the order of `parent`. */
static MPI_Comm roots_by_hand(MPI_Comm parent, MPI_Comm child)
{
    const int is_root = MPI_COMM_NULL != child && 0 == rank_of(child);
    MPI_Comm roots;

    MPI_Comm_split(parent, is_root ? 0 : MPI_UNDEFINED, rank_of(parent), &roots);
    return roots;
}

static int is_same(MPI_Comm a, MPI_Comm b)
{
    int result = MPI_UNEQUAL;

    if (MPI_COMM_NULL == a || MPI_COMM_NULL == b) {
        return a == b;
    }
    MPI_Comm_compare(a, b, &result);
    return MPI_CONGRUENT == result;
}

/* color: by hand, of this process's child; parent's rank 0 comes before every key. */
static void try_roots(MPI_Comm parent, int split_type, int key, const char *value, int color)
{
    MPI_Comm newcomm = parent, roots = parent, expected;
    MPI_Info info = info_with(NULL == value ? NULL : HW_TYPE, value);
    int first_key;

    CHECK(MPI_SUCCESS == MPIX_Comm_split_roots(parent, split_type, key, info, &newcomm, &roots));
    MPI_Allreduce(&key, &first_key, 1, MPI_INT, MPI_MIN, parent);
    CHECK(is_split_by(parent, newcomm, color, 0 == rank_of(parent) ? first_key : key));
    CHECK(0 != rank_of(parent) || MPI_COMM_NULL == newcomm || 0 == rank_of(newcomm));
    expected = roots_by_hand(parent, newcomm);
    CHECK(is_same(roots, expected));
    CHECK(MPI_COMM_NULL == roots || is_usable(roots));
    CHECK(0 != rank_of(parent) || MPI_COMM_NULL == newcomm || 0 == rank_of(roots));
    free_comm(&expected);
    free_comm(&roots);
    free_comm(&newcomm);
    free_info(&info);
}

static void test_roots(void)
{
    const int package = rank / 2 % 2, core = rank % 4;
    MPI_Comm reversed;

    try_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, rank, "Package", package);
    try_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, -rank, "Package", package);
    try_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_RESOURCE_GUIDED, 3 == rank ? -9 : 0, "Core", core);
    try_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank % 2 ? -1 : 2147483647, NULL, 0);
    try_roots(MPI_COMM_WORLD, MPIX_COMM_TYPE_ADDRESS_SPACE, 0, NULL, rank);
    try_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, "L3Cache", MPI_UNDEFINED);
    /* Rank 0 takes no part, as any other: the lowest of those that do leads. */
    for (int out = 0; out < size; ++out) {
        try_roots(MPI_COMM_WORLD, rank == out ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_GUIDED, rank, "Package",
                  rank == out ? MPI_UNDEFINED : package);
    }
    try_roots(MPI_COMM_SELF, MPI_COMM_TYPE_SHARED, 0, NULL, 0);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    try_roots(reversed, MPI_COMM_TYPE_HW_GUIDED, rank, "Package", package);
    MPI_Comm_free(&reversed);
}

/* ---- MPIX_Comm_split_hierarchy ---- */

typedef struct loop_t {
    int num_steps;
    MPI_Comm child[MAX_STEPS], roots[MAX_STEPS];
    char type[MAX_STEPS][MPI_MAX_INFO_VAL + 1];
} loop_t;

/* The loop of the standard's example, with the roots communicators that the Forum's slides make. */
static void run_loop(MPI_Comm comm, loop_t *loop)
{
    MPI_Comm parent = comm;

    for (loop->num_steps = 0; MPI_COMM_NULL != parent && loop->num_steps < MAX_STEPS; ++loop->num_steps) {
        const int i = loop->num_steps;
        MPI_Info info = info_with(HW_TYPE, "unknown");
        int flag = 0;
        CHECK(MPI_SUCCESS
              == MPI_Comm_split_type(parent, MPI_COMM_TYPE_HW_UNGUIDED, rank_of(parent), info, &loop->child[i]));
        MPI_Info_get(info, HW_TYPE, MPI_MAX_INFO_VAL, loop->type[i], &flag);
        MPI_Info_free(&info);
        loop->roots[i] = roots_by_hand(parent, loop->child[i]);
        parent = loop->child[i];
        if (MPI_COMM_NULL == parent) {
            break;
        }
    }
    CHECK(loop->num_steps < MAX_STEPS);
}

static void free_loop(loop_t *loop)
{
    for (int i = 0; i < loop->num_steps; ++i) {
        free_comm(&loop->child[i]);
        free_comm(&loop->roots[i]);
    }
    free_comm(&loop->roots[loop->num_steps]); /* of a step in which this process got no child; always NULL */
}

/* max_steps from 0 to more than enough; what lies beyond the arrays stays. */
static void try_hierarchy(MPI_Comm comm, const loop_t *loop, int max_steps, int is_named)
{
    MPI_Comm steps[MAX_STEPS + 1], roots[MAX_STEPS + 1];
    const char *types[MAX_STEPS + 1];
    int num_steps = -1;

    for (int i = 0; i <= MAX_STEPS; ++i) {
        steps[i] = roots[i] = MPI_COMM_WORLD;
        types[i] = "untouched";
    }
    CHECK(MPI_SUCCESS == MPIX_Comm_split_hierarchy(comm, max_steps, steps, roots, is_named ? types : NULL, &num_steps));
    CHECK(num_steps == loop->num_steps);
    for (int i = 0; i < max_steps; ++i) {
        const int is_there = i < loop->num_steps;
        CHECK(is_same(steps[i], is_there ? loop->child[i] : MPI_COMM_NULL));
        CHECK(is_same(roots[i], is_there ? loop->roots[i] : MPI_COMM_NULL));
        CHECK(!is_named || 0 == strcmp(types[i], is_there ? loop->type[i] : ""));
        CHECK(is_named || 0 == strcmp(types[i], "untouched"));
        CHECK(MPI_COMM_NULL == steps[i] || is_usable(steps[i]));
        CHECK(MPI_COMM_NULL == roots[i] || is_usable(roots[i]));
        free_comm(&steps[i]);
        free_comm(&roots[i]);
    }
    CHECK(MPI_COMM_WORLD == steps[max_steps] && MPI_COMM_WORLD == roots[max_steps]);
    CHECK(0 == strcmp(types[max_steps], "untouched"));
}

/* types: by hand, outermost first, or NULL. */
static void test_hierarchy(MPI_Comm comm, int num_steps, const char *const types[])
{
    loop_t loop;

    run_loop(comm, &loop);
    CHECK(num_steps < 0 || num_steps == loop.num_steps);
    for (int i = 0; i < num_steps && i < loop.num_steps; ++i) {
        CHECK(0 == strcmp(types[i], loop.type[i]));
        if (0 != strcmp(types[i], loop.type[i])) {
            fprintf(stderr, "rank %d: step %d is %s, not %s\n", rank, i, loop.type[i], types[i]);
        }
    }
    for (int max_steps = 0; max_steps <= 4; ++max_steps) {
        try_hierarchy(comm, &loop, max_steps, max_steps % 2);
    }
    try_hierarchy(comm, &loop, MAX_STEPS, 1);
    free_loop(&loop);
}

/* FOUR_CORES, process i on core i modulo 4. */
static void test_one_node(void)
{
    static const char *const packages[] = {"hwloc://Package", "hwloc://PU"};

    simulate(FOUR_CORES, "core", NULL);
    test_hierarchy(MPI_COMM_WORLD, 1 == size ? 0 : 2 == size ? 1 : 2, 2 == size ? packages + 1 : packages);
}

/* Rank 0 alone on a switch, ranks 1-4 and 5-6 on two nodes of another, with unlike insides. */
static void test_unequal_nodes(void)
{
    static const char map[] = "rank 0 switch=a node=n0\nrank 1-4 switch=b node=n1\nrank 5-6 switch=b node=n2\n";
    static const char *const alone[] = {"hwloc://PU"};
    static const char *const four[] = {"hitopo://Switch", "hwloc://NUMANode", "hwloc://L3Cache", "hwloc://PU"};
    static const char *const two[] = {"hitopo://Switch", "hwloc://NUMANode", "hwloc://PU"};
    /* n0 and n2 have one NUMA node for all; n1 two L3 caches of two cores. */
    simulate(rank >= 1 && rank <= 4 ? "pack:1 [numa] l3:2 core:2 pu:1" : "pack:1 core:4 pu:1", "core", map);
    if (7 == size) {
        const char *const *types = 0 == rank ? alone : rank <= 4 ? four : two;
        test_hierarchy(MPI_COMM_WORLD, 0 == rank ? 1 : rank <= 4 ? 4 : 3, types);
    } else {
        test_hierarchy(MPI_COMM_WORLD, -1, NULL);
    }
}

/* Processes that are restricted to nothing, and one that spans: some end early, some have no step. */
static void test_spanning(void)
{
    static const char *const bindings[] = {"0", "0-3", "1", "0-1", "2", "3", "none"};
    MPI_Comm odd;

    simulate("pack:2 core:2 pu:1", bindings[rank], NULL);
    test_hierarchy(MPI_COMM_WORLD, -1, NULL);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &odd);
    test_hierarchy(odd, -1, NULL);
    MPI_Comm_free(&odd);
    test_hierarchy(MPI_COMM_SELF, 0, NULL);
}

/* ---- errors ---- */

static void test_errors(void)
{
    MPI_Comm comm, steps[2], roots[2], newcomm;
    const char *types[2];
    int num_steps;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    if (size > 1) {
        const int max_steps = 0 == rank ? 1 : 2;
        const int split_type = 0 == rank ? MPI_COMM_TYPE_SHARED : MPI_COMM_TYPE_HW_GUIDED;
        int code = MPIX_Comm_split_hierarchy(comm, max_steps, steps, roots, types, &num_steps);
        CHECK(MPI_ERR_ARG == class_of(code));
        code = MPIX_Comm_split_roots(comm, split_type, 0, MPI_INFO_NULL, &newcomm, &roots[0]);
        CHECK(MPI_ERR_ARG == class_of(code));
    }
    CHECK(MPI_ERR_ARG == class_of(MPIX_Comm_split_hierarchy(comm, -1, steps, roots, types, &num_steps)));
    CHECK(MPI_ERR_ARG == class_of(MPIX_Comm_split_roots(comm, 4711, 0, MPI_INFO_NULL, &newcomm, &roots[0])));
    if (size > 1) {
        MPI_Comm side, both;
        MPI_Comm_split(comm, rank % 2, 0, &side);
        MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
        MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
        CHECK(MPI_ERR_COMM == class_of(MPIX_Comm_split_hierarchy(both, 2, steps, roots, types, &num_steps)));
        const int code = MPIX_Comm_split_roots(both, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &newcomm, &roots[0]);
        CHECK(MPI_ERR_COMM == class_of(code));
        MPI_Comm_free(&both);
        MPI_Comm_free(&side);
    }
    CHECK(is_usable(comm));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    init_on_four_cores(&argc, &argv, &rank, &size);
    test_roots();
    test_one_node();
    test_unequal_nodes();
    test_spanning();
    test_errors();
    return finish();
}
