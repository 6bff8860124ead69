/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The questions beside splitting. Expected values were worked out by hand for two jobs: one node of
 * SMT_CORES, and the nodes and switches of MAP.
 */
/* ranks: 1 2 4 8 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

/* 2 packages, each one NUMA node and one L3 cache, of 2 cores of 2 threads. */
#define SMT_CORES "pack:2 [numa] l3:1 core:2 pu:2"

/* Ranks 0-3 and 4-7 are nodes of one switch. */
#define MAP "shape switch:1 node:2 ranks:4\n"

static int rank, size;

/* ---- MPI_Get_hw_resource_info ---- */

/* The bindings of test_resource_info, by rank modulo 4, and what each is restricted to one instance of. */
static const char *const bindings[] = {"0", "2-3", "0-3", "0-4"};

typedef struct key_t {
    const char *uri;
    int is_restricted[4]; /* by binding */
} resource_key_t;

static const resource_key_t resource_keys[] = {
    {"hitopo://Cluster", {0, 0, 0, 0}}, /* nobody knows it */
    {"hitopo://Island", {0, 0, 0, 0}},  {"hitopo://Switch", {0, 0, 0, 0}}, {"hitopo://Node", {1, 1, 1, 1}},
    {"hitopo://L2NUMA", {1, 1, 1, 1}}, /* no boards: one holds all */
    {"hitopo://Socket", {1, 1, 1, 0}},  {"hitopo://Core", {1, 1, 0, 0}},   {"hitopo://HWThread", {1, 0, 0, 0}},
    {"hwloc://Machine", {1, 1, 1, 1}},  {"hwloc://Package", {1, 1, 1, 0}}, {"hwloc://NUMANode", {1, 1, 1, 0}},
    {"hwloc://L3Cache", {1, 1, 1, 0}},  {"hwloc://Core", {1, 1, 0, 0}},    {"hwloc://PU", {1, 0, 0, 0}},
};
#define NUM_RESOURCE_KEYS ((int) (sizeof(resource_keys) / sizeof(resource_keys[0])))

/* A guided split by the key gives a communicator exactly where it is true. */
static void check_key(MPI_Info info, const resource_key_t *key)
{
    const int is_restricted = key->is_restricted[rank % 4];
    MPI_Comm newcomm = split_guided(MPI_COMM_WORLD, key->uri);

    CHECK(has_value(info, key->uri, is_restricted ? "true" : "false"));
    CHECK((MPI_COMM_NULL != newcomm) == is_restricted);
    if (!has_value(info, key->uri, is_restricted ? "true" : "false") || (MPI_COMM_NULL != newcomm) != is_restricted) {
        fprintf(stderr, "rank %d: the key was %s\n", rank, key->uri);
    }
    free_comm(&newcomm);
}

static void test_resource_info(void)
{
    MPI_Info first, second;
    int num_keys = -1;

    simulate(SMT_CORES, bindings[rank % 4], NULL);
    CHECK(MPI_SUCCESS == MPI_Get_hw_resource_info(&first));
    CHECK(MPI_SUCCESS == PMPI_Get_hw_resource_info(&second));
    CHECK(first != second);
    MPI_Info_set(first, "mine", "1");
    CHECK(has_value(second, "mine", NULL));
    MPI_Info_get_nkeys(second, &num_keys);
    CHECK(NUM_RESOURCE_KEYS == num_keys);
    for (int i = 0; i < NUM_RESOURCE_KEYS; ++i) {
        check_key(second, &resource_keys[i]);
    }
    MPI_Info_free(&first);
    MPI_Info_free(&second);
    CHECK(MPI_INFO_NULL == first && MPI_INFO_NULL == second);
}

/* Local: one process alone may ask. */
static void test_resource_info_is_local(void)
{
    if (0 == rank) {
        MPI_Info info;
        CHECK(MPI_SUCCESS == MPI_Get_hw_resource_info(&info));
        MPI_Info_free(&info);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- MPIX_Get_hw_topology_info ---- */

static void check_levels(const char *const types[], int num_types)
{
    MPI_Info info = info_with("mine", "kept");
    int num_levels = -1, num_keys = -1;

    CHECK(MPI_SUCCESS == MPIX_Get_hw_topology_info(&num_levels, MPI_INFO_NULL));
    CHECK(num_types == num_levels);
    CHECK(MPI_SUCCESS == PMPIX_Get_hw_topology_info(&num_levels, info));
    CHECK(num_types == num_levels);
    MPI_Info_get_nkeys(info, &num_keys);
    CHECK(num_types + 1 == num_keys);
    for (int i = 0; i < num_types; ++i) {
        char key[32];
        snprintf(key, sizeof(key), "MPI_HW_LEVEL%d", i);
        CHECK(has_value(info, key, types[i]));
        /* The key serves as value: the same communicator as by the type. */
        MPI_Comm by_key = split_guided(MPI_COMM_WORLD, key), by_type = split_guided(MPI_COMM_WORLD, types[i]);
        int result = MPI_UNEQUAL;
        CHECK(MPI_COMM_NULL != by_key && MPI_COMM_NULL != by_type);
        if (MPI_COMM_NULL != by_key && MPI_COMM_NULL != by_type) {
            MPI_Comm_compare(by_key, by_type, &result);
            CHECK(MPI_CONGRUENT == result);
        }
        free_comm(&by_key);
        free_comm(&by_type);
    }
    MPI_Comm beyond = split_guided(MPI_COMM_WORLD, "MPI_HW_LEVEL99");
    CHECK(MPI_COMM_NULL == beyond);
    MPI_Info_free(&info);
}

static void test_topology_info(void)
{
    static const char *const types[] = {"hitopo://Switch",  "hitopo://Node",   "hwloc://Machine", "hwloc://Package",
                                        "hwloc://NUMANode", "hwloc://L3Cache", "hwloc://Core",    "hwloc://PU"};

    simulate(SMT_CORES, "hwthread", MAP);
    check_levels(types, 8);
    simulate(SMT_CORES, "hwthread", NULL);
    check_levels(types + 1, 7); /* nobody knows a switch */
}

/* ---- MPIX_Get_hw_domain_info ---- */

static void check_domain(MPI_Comm comm, int num, int place, const char *type)
{
    int num_subcomms = -1, domain_rank = -1;
    char *name = NULL;

    CHECK(MPI_SUCCESS == MPIX_Get_hw_domain_info(comm, &num_subcomms, &domain_rank, &name, MPI_INFO_NULL));
    CHECK(num == num_subcomms && place == domain_rank && NULL != name && 0 == strcmp(type, name));
    if (NULL != name && (num != num_subcomms || place != domain_rank || 0 != strcmp(type, name))) {
        fprintf(stderr, "rank %d: %d of %d of %s\n", rank, domain_rank, num_subcomms, name);
    }
    CHECK(MPI_SUCCESS == PMPIX_Get_hw_domain_info(comm, &num_subcomms, &domain_rank, &name, MPI_INFO_NULL));
    CHECK(num == num_subcomms);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

/* Process i of a node is on hardware thread i: its core is i / 2, its package 0 for all four. */
static void test_domain_info(void)
{
    MPI_Comm newcomm, copy;
    MPI_Info info = info_with("mpi_hw_resource_type", "core");

    simulate(SMT_CORES, "hwthread", MAP);
    check_domain(MPI_COMM_WORLD, 1, 0, "Unknown");
    check_domain(MPI_COMM_SELF, 1, 0, "Unknown");

    newcomm = split_guided(MPI_COMM_WORLD, "core");
    check_domain(newcomm, (size + 1) / 2, rank / 2, "hwloc://Core");
    MPI_Comm_dup(newcomm, &copy);
    MPI_Comm_free(&newcomm);
    check_domain(copy, (size + 1) / 2, rank / 2, "hwloc://Core"); /* a duplicate keeps it */
    MPI_Comm_free(&copy);

    newcomm = split_guided(MPI_COMM_WORLD, "hitopo://Node");
    check_domain(newcomm, (size + 3) / 4, rank / 4, "hitopo://Node");
    MPI_Comm_free(&newcomm);

    /* Keys in descending order change ranks, and not the places by lowest rank of the parent. */
    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, -rank, info, &newcomm));
    check_domain(newcomm, (size + 1) / 2, rank / 2, "hwloc://Core");
    MPI_Comm_free(&newcomm);

    /* Without core 0's processes there is one communicator less. */
    const int is_out = rank < 2;
    CHECK(MPI_SUCCESS
          == MPI_Comm_split_type(MPI_COMM_WORLD, is_out ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_GUIDED, 0, info, &newcomm));
    CHECK(is_out == (MPI_COMM_NULL == newcomm));
    if (!is_out) {
        check_domain(newcomm, (size + 1) / 2 - 1, rank / 2 - 1, "hwloc://Core");
        MPI_Comm_free(&newcomm);
    }

    /* Each of 2 has its thread, each of 4 on one node its core, each of 8 its node. */
    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &newcomm));
    CHECK((1 == size) == (MPI_COMM_NULL == newcomm));
    if (1 != size) {
        const int each = size / 2 < 4 ? size / 2 : 4;
        check_domain(newcomm, smaller(2, size), rank / each,
                     2 == size   ? "hwloc://PU"
                     : 4 == size ? "hwloc://Core"
                                 : "hwloc://L3Cache");
        MPI_Comm_free(&newcomm);
    }
    MPI_Info_free(&info);
}

/* ---- MPIX_Get_min_hw_domain, MPIX_Get_min_hierarchy ---- */

static void check_min(int count, int *ranks, const char *expected)
{
    char *type = NULL;
    MPI_Info info = info_with("MPI_HIER_LEVEL", "before");

    CHECK(MPI_SUCCESS == MPIX_Get_min_hw_domain(MPI_COMM_WORLD, count, ranks, &type));
    CHECK(NULL != type && 0 == strcmp(type, expected));
    if (NULL != type && 0 != strcmp(type, expected)) {
        fprintf(stderr, "rank %d: %d ranks from %d: %s, not %s\n", rank, count, ranks[0], type, expected);
    }
    CHECK(MPI_SUCCESS == PMPIX_Get_min_hw_domain(MPI_COMM_WORLD, count, ranks, &type));
    CHECK(MPI_SUCCESS == MPIX_Get_min_hierarchy(MPI_COMM_WORLD, count, ranks, info));
    CHECK(has_value(info, "MPI_HIER_LEVEL", expected));
    CHECK(MPI_SUCCESS == PMPIX_Get_min_hierarchy(MPI_COMM_WORLD, count, ranks, info));
    MPI_Info_free(&info);
}

static int is_among(int count, const int *ranks)
{
    for (int i = 0; i < count; ++i) {
        if (ranks[i] == rank) {
            return 1;
        }
    }
    return 0;
}

static void test_min_domain(void)
{
    static struct {
        int count, ranks[4];
        const char *type;
    } cases[] = {
        {1, {0}, "hwloc://PU"},
        {2, {0, 0}, "hwloc://PU"},
        {2, {1, 0}, "hwloc://Core"},
        {2, {1, 2}, "hwloc://L3Cache"},
        {3, {3, 0, 2}, "hwloc://L3Cache"},
        {2, {0, 4}, "hitopo://Switch"},
        {3, {7, 6, 0}, "hitopo://Switch"},
        {2, {4, 5}, "hwloc://Core"},
    };
    int nobody = 0;

    simulate(SMT_CORES, "hwthread", MAP);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
        int highest = 0;
        for (int j = 0; j < cases[i].count; ++j) {
            highest = cases[i].ranks[j] > highest ? cases[i].ranks[j] : highest;
        }
        if (highest < size) {
            check_min(cases[i].count, cases[i].ranks,
                      is_among(cases[i].count, cases[i].ranks) ? cases[i].type : "Invalid");
        }
    }
    check_min(0, &nobody, "Invalid");

    /* Two clusters have nothing in common that anybody knows. */
    simulate(SMT_CORES, "hwthread", "shape cluster:2 node:1 ranks:1\n");
    if (2 == size) {
        int both[] = {0, 1};
        check_min(2, both, "Unknown");
    }
}

static void test_min_domain_errors(void)
{
    MPI_Comm comm;
    MPI_Info info = info_with("MPI_HIER_LEVEL", "before");
    int below[] = {-1}, beyond[] = {0, 0};
    char *type;

    beyond[1] = size;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(MPI_ERR_RANK == class_of(MPIX_Get_min_hw_domain(comm, 1, below, &type)));
    CHECK(MPI_ERR_RANK == class_of(MPIX_Get_min_hw_domain(comm, 2, beyond, &type)));
    CHECK(MPI_ERR_ARG == class_of(MPIX_Get_min_hw_domain(comm, -1, beyond, &type)));
    CHECK(MPI_ERR_RANK == class_of(MPIX_Get_min_hierarchy(comm, 1, below, info)));
    CHECK(MPI_ERR_ARG == class_of(MPIX_Get_min_hierarchy(comm, -1, beyond, info)));
    CHECK(has_value(info, "MPI_HIER_LEVEL", "before"));
    MPI_Info_free(&info);
    MPI_Comm_free(&comm);
}

/* ---- MPIX_Get_hw_domain_neighbours ---- */

/* The group of first..last, cut to the communicator. */
static void check_neighbours(int hops, int metric, int first, int last)
{
    MPI_Group all, expected, group = MPI_GROUP_NULL;
    int range[1][3] = {{first, smaller(last, size - 1), 1}}, result = MPI_UNEQUAL;

    CHECK(MPI_SUCCESS == MPIX_Get_hw_domain_neighbours(MPI_COMM_WORLD, hops, metric, &group));
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_range_incl(all, 1, range, &expected);
    CHECK(MPI_GROUP_NULL != group);
    if (MPI_GROUP_NULL != group) {
        MPI_Group_compare(group, expected, &result);
        MPI_Group_free(&group);
    }
    CHECK(MPI_IDENT == result);
    if (MPI_IDENT != result) {
        fprintf(stderr, "rank %d: not %d to %d within %d hops of metric %d\n", rank, first, last, hops, metric);
    }
    MPI_Group_free(&expected);
    MPI_Group_free(&all);
}

/* Process i of a node is on core i of FOUR_CORES: its package holds i and i + 1 or i - 1. */
static void test_neighbours(void)
{
    const int pair = rank / 2 * 2, node = rank / 4 * 4;

    simulate("pack:2 [numa] core:2 pu:1", "core", MAP);
    for (int metric = MPIX_HW_METRIC_COMPUTE; metric <= MPIX_HW_METRIC_NETWORK; ++metric) {
        check_neighbours(0, metric, rank, rank);
    }
    /* One hop: hardware thread, NUMA node, node. */
    check_neighbours(1, MPIX_HW_METRIC_COMPUTE, rank, rank);
    check_neighbours(1, MPIX_HW_METRIC_MEMORY, pair, pair + 1);
    check_neighbours(1, MPIX_HW_METRIC_NETWORK, node, node + 3);
    /* Two: core, package, switch. */
    check_neighbours(2, MPIX_HW_METRIC_COMPUTE, rank, rank);
    check_neighbours(2, MPIX_HW_METRIC_MEMORY, pair, pair + 1);
    check_neighbours(2, MPIX_HW_METRIC_NETWORK, 0, 7);
    /* Three: package, the one board or the machine; nobody knows islands. */
    check_neighbours(3, MPIX_HW_METRIC_COMPUTE, pair, pair + 1);
    check_neighbours(3, MPIX_HW_METRIC_MEMORY, node, node + 3);
    check_neighbours(3, MPIX_HW_METRIC_NETWORK, 0, 7);
    for (int metric = MPIX_HW_METRIC_COMPUTE; metric <= MPIX_HW_METRIC_NETWORK; ++metric) {
        const int is_network = MPIX_HW_METRIC_NETWORK == metric, is_memory = MPIX_HW_METRIC_MEMORY == metric;
        check_neighbours(1000, metric,
                         is_network  ? 0
                         : is_memory ? node
                                     : pair,
                         is_network  ? 7
                         : is_memory ? node + 3
                                     : pair + 1);
    }
}

/* Bound to a whole package, the first of the compute types that a process is restricted to is that. */
static void test_neighbours_of_unrestricted(void)
{
    simulate("pack:2 [numa] core:2 pu:1", "0-1", NULL);
    check_neighbours(1, MPIX_HW_METRIC_COMPUTE, 0, size - 1);
    simulate("pack:2 [numa] core:2 pu:1", "none", NULL);
    check_neighbours(1, MPIX_HW_METRIC_COMPUTE, rank, rank); /* to none */
    check_neighbours(1, MPIX_HW_METRIC_MEMORY, 0, size - 1); /* the board or the machine */
}

static void test_neighbours_errors(void)
{
    MPI_Comm comm;
    MPI_Group group;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(MPI_ERR_ARG == class_of(MPIX_Get_hw_domain_neighbours(comm, -1, MPIX_HW_METRIC_COMPUTE, &group)));
    CHECK(MPI_ERR_ARG == class_of(MPIX_Get_hw_domain_neighbours(comm, 1, 0, &group)));
    CHECK(MPI_ERR_ARG == class_of(PMPIX_Get_hw_domain_neighbours(comm, 1, 4, &group)));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    test_resource_info();
    test_resource_info_is_local();
    test_topology_info();
    test_domain_info();
    test_min_domain();
    test_min_domain_errors();
    test_neighbours();
    test_neighbours_of_unrestricted();
    test_neighbours_errors();
    return finish();
}
