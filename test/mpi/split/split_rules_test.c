/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What the standard says of one split: the order of ranks, what is written to the info and what is not,
 * what newcomm inherits, error classes, MPI_COMM_SELF.
 */
/* ranks: 1 2 4 7 */
#include <limits.h>

#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

static int rank, size;

static int package_of(int process)
{
    return process / 2 % 2;
}

/* ---- ranks in the new communicator ---- */

static void try_keys(const int keys[])
{
    MPI_Comm newcomm;
    MPI_Info info = info_with(HW_TYPE, "Package");
    int place = 0;

    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, keys[rank], info, &newcomm));
    for (int i = 0; i < size; ++i) {
        place += package_of(i) == package_of(rank) && (keys[i] < keys[rank] || (keys[i] == keys[rank] && i < rank));
    }
    CHECK(MPI_COMM_NULL != newcomm && place == rank_of(newcomm));
    CHECK(is_split_by(MPI_COMM_WORLD, newcomm, package_of(rank), keys[rank]));
    free_comm(&newcomm);
    MPI_Info_free(&info);
}

static void test_keys(void)
{
    static const int extremes[] = {INT_MAX, INT_MIN, 0, -1, INT_MIN, INT_MAX, 1};
    int keys[sizeof(extremes) / sizeof(extremes[0])];
    const int count = (int) (sizeof(keys) / sizeof(keys[0]));

    try_keys(extremes);
    for (int kind = 0; kind < 7; ++kind) {
        for (int i = 0; i < count; ++i) {
            const int kinds[] = {i,                       /* as ranks */
                                 -7,                      /* equal, negative */
                                 -i,                      /* descending */
                                 INT_MAX - count + 1 + i, /* in order up to the largest */
                                 INT_MIN + count - 1 - i, /* descending to the smallest */
                                 i % 2 ? INT_MAX : INT_MIN,
                                 i / 2};
            keys[i] = kinds[kind];
        }
        try_keys(keys);
    }
}

/* A key of a process that takes no part counts for nothing, even if it breaks the order. */
static void test_key_of_abstainer(void)
{
    MPI_Comm newcomm = MPI_COMM_WORLD;
    const int is_out = 1 == rank;

    CHECK(MPI_SUCCESS
          == MPI_Comm_split_type(MPI_COMM_WORLD, is_out ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, is_out ? INT_MIN : rank,
                                 MPI_INFO_NULL, &newcomm));
    CHECK(is_split_by(MPI_COMM_WORLD, newcomm, is_out ? MPI_UNDEFINED : 0, rank));
    free_comm(&newcomm);
}

/* ---- the unguided split and its info ---- */

/* On FOUR_CORES one process has no strict subset; each of two has its hardware thread; more have packages. */
static int unguided_color(void)
{
    return 1 == size ? MPI_UNDEFINED : 2 == size ? rank : package_of(rank);
}
static const char *unguided_type(void)
{
    return 2 == size ? "hwloc://PU" : "hwloc://Package";
}

static void try_unguided(int split_type)
{
    MPI_Comm newcomm;
    MPI_Info info = info_with(HW_TYPE, "hwloc://Core"); /* no input */
    int num_keys = -1;

    MPI_Info_set(info, "mine", "untouched");
    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, split_type, rank, info, &newcomm));
    CHECK(is_split_by(MPI_COMM_WORLD, newcomm, unguided_color(), rank));
    CHECK(has_value(info, HW_TYPE, 1 == size ? "hwloc://Core" : unguided_type()));
    CHECK(has_value(info, "mine", "untouched"));
    MPI_Info_get_nkeys(info, &num_keys);
    CHECK(2 == num_keys);
    free_comm(&newcomm);
    MPI_Info_free(&info);

    /* An empty one is filled, and MPI_INFO_NULL is one too. */
    info = 0 == rank ? MPI_INFO_NULL : info_with("", NULL);
    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, split_type, rank, info, &newcomm));
    CHECK(is_split_by(MPI_COMM_WORLD, newcomm, unguided_color(), rank));
    CHECK(MPI_INFO_NULL == info || has_value(info, HW_TYPE, 1 == size ? NULL : unguided_type()));
    free_comm(&newcomm);
    free_info(&info);
}

/* A process that abstains is left out of its group; the plan, and so its type's name, does not change. */
static void test_unguided_abstainer(void)
{
    MPI_Comm newcomm;
    MPI_Info info = info_with(HW_TYPE, "before");
    const int is_out = size - 1 == rank;

    CHECK(
        MPI_SUCCESS
        == MPI_Comm_split_type(MPI_COMM_WORLD, is_out ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &newcomm));
    CHECK(is_split_by(MPI_COMM_WORLD, newcomm, is_out ? MPI_UNDEFINED : unguided_color(), 0));
    CHECK(has_value(info, HW_TYPE, is_out ? "before" : unguided_type()));
    free_comm(&newcomm);
    MPI_Info_free(&info);
}

/* Only unguided splits write. */
static void test_guided_leaves_info(void)
{
    static const int types[] = {MPI_COMM_TYPE_SHARED,         MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_RESOURCE_GUIDED,
                                MPIX_COMM_TYPE_ADDRESS_SPACE, OMPI_COMM_TYPE_CORE,     MPI_UNDEFINED};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
        MPI_Comm newcomm;
        MPI_Info info = info_with(HW_TYPE, "socket");
        int num_keys = -1;
        CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, types[i], 0, info, &newcomm));
        CHECK((MPI_COMM_NULL == newcomm) == (MPI_UNDEFINED == types[i]));
        MPI_Info_get_nkeys(info, &num_keys);
        CHECK(1 == num_keys && has_value(info, HW_TYPE, "socket"));
        free_comm(&newcomm);
        MPI_Info_free(&info);
    }
}

/* ---- what only Open MPI's own split may know ---- */

/* Different names, of which at most one is known to anybody: MPI_COMM_NULL, and no process waits for another. Open
 * MPI's own would take each word that begins with one of its own. */
static void test_different_names(void)
{
    static const char *const names[] = {"nonsense", "nvlink", "hosts"};
    MPI_Info info = info_with(HW_TYPE, names[rank % 3]);
    MPI_Comm newcomm = MPI_COMM_WORLD, roots = MPI_COMM_WORLD;

    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, rank, info, &newcomm));
    CHECK(MPI_COMM_NULL == newcomm);
    CHECK(MPI_SUCCESS == MPIX_Comm_split_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &newcomm, &roots));
    CHECK(MPI_COMM_NULL == newcomm && MPI_COMM_NULL == roots);
    MPI_Info_free(&info);
    for (int i = 0; i < 3; ++i) {
        CHECK(MPI_COMM_NULL == split_guided(MPI_COMM_WORLD, names[i]));
    }
}

/* No process has it here. */
static void test_nvlink(void)
{
#if OMPI_MAJOR_VERSION >= 6
    MPI_Comm newcomm = MPI_COMM_WORLD;
    const int is_out = 1 == rank;

    CHECK(MPI_SUCCESS
          == MPI_Comm_split_type(MPI_COMM_WORLD, is_out ? MPI_UNDEFINED : OMPI_COMM_TYPE_NVLINK, 0, MPI_INFO_NULL,
                                 &newcomm));
    CHECK(MPI_COMM_NULL == newcomm);
#endif
    MPI_Info info = info_with(1 == rank ? NULL : HW_TYPE, "nvlink");
    MPI_Comm found = MPI_COMM_WORLD, roots = MPI_COMM_WORLD;

    CHECK(MPI_SUCCESS == MPIX_Comm_split_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &found, &roots));
    CHECK(MPI_COMM_NULL == found && MPI_COMM_NULL == roots);
    free_info(&info);
}

/* ---- what newcomm inherits ---- */

static void test_inheritance(void)
{
    MPI_Comm parent, newcomm, none = MPI_COMM_NULL;
    MPI_Errhandler handler, of_newcomm;
    MPI_Info hints = info_with("mpi_assert_no_any_source", "true"), kept;
    int keyval, number = 7, flag = -1, *value = NULL;

    MPI_Comm_dup_with_info(MPI_COMM_WORLD, hints, &parent);
    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_set_errhandler(parent, handler);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(parent, keyval, &number);
    MPI_Comm_get_info(parent, &kept);
    CHECK(has_value(kept, "mpi_assert_no_any_source", "true"));
    MPI_Info_free(&kept);

    newcomm = split_guided(parent, "Package");
    CHECK(MPI_COMM_NULL != newcomm);
    MPI_Comm_get_attr(newcomm, keyval, &value, &flag);
    CHECK(!flag);
    MPI_Comm_get_info(newcomm, &kept);
    CHECK(!has_value(kept, "mpi_assert_no_any_source", "true"));
    CHECK(has_value(kept, HW_TYPE, NULL) && has_value(kept, "MPI_HW_DOMAIN_TYPE", NULL)
          && has_value(kept, "MPI_HW_DOMAIN_NUM", NULL) && has_value(kept, "MPI_HW_DOMAIN_RANK", NULL));
    MPI_Info_free(&kept);
    MPI_Comm_get_errhandler(newcomm, &of_newcomm);
    CHECK(of_newcomm == handler);
    num_handled = 0;
    CHECK(MPI_SUCCESS != MPI_Comm_split_type(newcomm, 4711, 0, MPI_INFO_NULL, &none) && 1 == num_handled);

    MPI_Errhandler_free(&of_newcomm);
    MPI_Errhandler_free(&handler);
    MPI_Comm_free_keyval(&keyval);
    MPI_Info_free(&hints);
    MPI_Comm_free(&newcomm);
    MPI_Comm_free(&parent);
}

/* What Open MPI's components go by: as of a communicator that MPI_Comm_split makes. From 6.0 on they tell whether
 * members share a node, and all groups here are alike in that. */
static void test_flags(void)
{
    MPI_Info info = info_with(HW_TYPE, "Package");
    MPI_Comm ours, theirs;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &ours);
    MPI_Comm_split(MPI_COMM_WORLD, package_of(rank), 0, &theirs);
    CHECK(ours->c_flags == theirs->c_flags);
    free_comm(&ours);
    free_comm(&theirs);
    MPI_Info_free(&info);
}

/* ---- errors ---- */

static int has_class(int code, int error_class)
{
    return class_of(code) == error_class;
}

static void test_errors(void)
{
    MPI_Comm comm, newcomm = MPI_COMM_WORLD;
    MPI_Info both = info_with(HW_TYPE, "core");

    MPI_Info_set(both, "mpi_pset_name", "mpi://WORLD");
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(has_class(MPI_Comm_split_type(comm, 4711, 0, MPI_INFO_NULL, &newcomm), MPI_ERR_ARG));
    CHECK(has_class(PMPI_Comm_split_type(comm, -1, 0, MPI_INFO_NULL, &newcomm), MPI_ERR_ARG));
    CHECK(has_class(MPIX_Comm_split_type(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, both, &newcomm), MPI_ERR_INFO));
    /* Each process may find these by itself. */
    CHECK(has_class(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, NULL), MPI_ERR_ARG));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(
        has_class(MPI_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &newcomm), MPI_ERR_COMM));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    CHECK(is_usable(comm));
    MPI_Comm_free(&comm);
    MPI_Info_free(&both);
}

/* One process has no place for a result: an error at all, and nothing is left of the attempt. */
static void try_without_place(MPI_Comm comm, int culprit)
{
    MPI_Comm newcomms[4], rootscomms[4];
    const int is_it = rank == culprit;
    int num_steps = -1;

    num_handled = 0;
    CHECK(has_class(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, is_it ? NULL : newcomms),
                    MPI_ERR_ARG));
    CHECK(is_it || MPI_COMM_NULL == newcomms[0]);
    CHECK(has_class(MPI_Comm_split_type(comm, is_it ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL,
                                        is_it ? NULL : newcomms),
                    MPI_ERR_ARG));
    CHECK(has_class(MPIX_Comm_split_roots(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, newcomms,
                                          is_it ? NULL : rootscomms),
                    MPI_ERR_ARG));
    CHECK(MPI_COMM_NULL == newcomms[0] && (is_it || MPI_COMM_NULL == rootscomms[0]));
    CHECK(has_class(MPIX_Comm_split_roots(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, is_it ? NULL : newcomms,
                                          rootscomms),
                    MPI_ERR_ARG));
    CHECK(has_class(MPIX_Comm_split_hierarchy(comm, 4, newcomms, rootscomms, NULL, is_it ? NULL : &num_steps),
                    MPI_ERR_ARG));
    CHECK(has_class(MPIX_Comm_split_hierarchy(comm, 4, is_it ? NULL : newcomms, rootscomms, NULL, &num_steps),
                    MPI_ERR_ARG));
    CHECK(has_class(MPIX_Comm_split_hierarchy(comm, 4, newcomms, is_it ? NULL : rootscomms, NULL, &num_steps),
                    MPI_ERR_ARG));
    CHECK(0 == num_steps && 7 == num_handled);
    CHECK(is_usable(comm));
}

static void test_no_place(void)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    const int before = num_communicators();

    MPI_Comm_create_errhandler(count_error, &handler);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    for (int culprit = 0; culprit < size; ++culprit) {
        try_without_place(comm, culprit);
    }
    MPI_Comm_free(&comm);
    MPI_Errhandler_free(&handler);
    CHECK(num_communicators() == before);
}

/* ---- shared memory ---- */

/* What rank 0 of a shared communicator writes, the others read. */
static void test_shared_memory(void)
{
    MPI_Comm newcomm;
    MPI_Win window;
    MPI_Aint num_bytes;
    int *own, *first, unit;

    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &newcomm));
    CHECK(MPI_SUCCESS == MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, newcomm, &own, &window));
    MPI_Win_shared_query(window, 0, &num_bytes, &unit, &first);
    MPI_Win_fence(0, window);
    if (0 == rank_of(newcomm)) {
        *first = 4711;
    }
    MPI_Win_fence(0, window);
    CHECK(4711 == *first);
    MPI_Win_free(&window);
    MPI_Comm_free(&newcomm);
}

/* ---- one process, all names of the call, all processes abstaining ---- */

static void test_self(void)
{
    static const int to_itself[] = {MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_HW_GUIDED, MPIX_COMM_TYPE_ADDRESS_SPACE,
                                    OMPI_COMM_TYPE_L3CACHE, OMPI_COMM_TYPE_CLUSTER};
    static const int to_none[] = {MPI_COMM_TYPE_HW_UNGUIDED, MPIX_COMM_TYPE_HW_DOMAIN, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY,
                                  MPI_UNDEFINED};
    MPI_Info info = info_with(HW_TYPE, "Core");
    MPI_Comm newcomm;

    for (size_t i = 0; i < sizeof(to_itself) / sizeof(to_itself[0]); ++i) {
        CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_SELF, to_itself[i], -1, info, &newcomm));
        CHECK(is_split_by(MPI_COMM_SELF, newcomm, 0, 0));
        free_comm(&newcomm);
    }
    for (size_t i = 0; i < sizeof(to_none) / sizeof(to_none[0]); ++i) {
        newcomm = MPI_COMM_SELF;
        CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_SELF, to_none[i], 0, info, &newcomm));
        CHECK(MPI_COMM_NULL == newcomm);
    }
    CHECK(has_value(info, HW_TYPE, "Core"));
    MPI_Info_free(&info);
}

static void test_names_of_the_call(void)
{
    typedef int split_fn(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
    split_fn *const calls[] = {MPI_Comm_split_type, PMPI_Comm_split_type, MPIX_Comm_split_type, PMPIX_Comm_split_type};
    MPI_Info info = info_with("MPI_HW_DOMAIN_TYPE", "Package");

    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); ++i) {
        MPI_Comm newcomm;
        CHECK(MPI_SUCCESS == calls[i](MPI_COMM_WORLD, MPIX_COMM_TYPE_HW_DOMAIN, rank, info, &newcomm));
        CHECK(is_split_by(MPI_COMM_WORLD, newcomm, package_of(rank), rank));
        free_comm(&newcomm);
    }
    MPI_Info_free(&info);
}

/* All are restricted to none of a type that this machine does not have. */
static void test_absent_type(void)
{
    static const char *const values[] = {"hwloc://L3Cache", "L7Cache", "hitopo://Switch", "hwloc://", "mpi://WORLD"};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); ++i) {
        MPI_Comm newcomm = split_guided(MPI_COMM_WORLD, values[i]);
        CHECK(MPI_COMM_NULL == newcomm);
    }
}

/* Every word for the same thing. */
static void test_words(void)
{
    static const struct {
        const char *word;
        int num_cores; /* cores an instance has */
    } words[] = {{"Package", 2},
                 {"hwloc://package", 2},
                 {"HWLOC_OBJ_PACKAGE", 2},
                 {"socket", 2},
                 {"hwloc://Socket", 2},
                 {"hitopo://Socket", 2},
                 {"core", 1},
                 {"HWLOC_OBJ_CORE", 1},
                 {"hitopo://core", 1},
                 {"PU", 1},
                 {"hwthread", 1},
                 {"hwloc://PU", 1},
                 {"hitopo://HWThread", 1},
                 {"NUMANode", 4},
                 {"numa", 4},
                 {"numanode", 4},
                 {"machine", 4},
                 {"hwloc://Machine", 4},
                 {"host", 4},
                 {"node", 4},
                 {"hitopo://Node", 4},
                 {"mpi_shared_memory", 4},
                 {"MPI_Shared_Memory", 4}};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); ++i) {
        MPI_Comm newcomm = split_guided(MPI_COMM_WORLD, words[i].word);
        const int is_right = is_split_by(MPI_COMM_WORLD, newcomm, rank % 4 / words[i].num_cores, rank);
        CHECK(is_right);
        if (!is_right) {
            fprintf(stderr, "the word was %s\n", words[i].word);
        }
        free_comm(&newcomm);
    }
}

int main(int argc, char **argv)
{
    init_on_four_cores(&argc, &argv, &rank, &size);
    test_keys();
    test_key_of_abstainer();
    try_unguided(MPI_COMM_TYPE_HW_UNGUIDED);
    try_unguided(MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY);
    try_unguided(MPIX_COMM_TYPE_HW_DOMAIN);
    if (size > 2) {
        test_unguided_abstainer();
    }
    test_guided_leaves_info();
    test_different_names();
    test_nvlink();
    test_inheritance();
    test_flags();
    test_errors();
    test_no_place();
    test_shared_memory();
    test_self();
    test_names_of_the_call();
    test_absent_type();
    test_words();
    return finish();
}
