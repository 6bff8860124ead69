/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What becomes of wrong arguments, and what is no matter of groups: what newcomm inherits, that memory is shared, that
 * questions are local. Groups, orders, infos and answers are test/mpi/oracle's.
 */
/* ranks: 1 2 4 7 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

static int rank, size;

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
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2 % 2, 0, &theirs);
    CHECK(ours->c_flags == theirs->c_flags);
    free_comm(&ours);
    free_comm(&theirs);
    MPI_Info_free(&info);
}

/* ---- errors ---- */

#define CHECK_ERROR(error, call) CHECK(error == class_of(call))

/* By the handler of MPI_COMM_WORLD, where there is no other. */
static void test_errors_without_communicator(void)
{
    MPI_Comm newcomm;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_ERR_COMM, MPI_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &newcomm));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

static void test_errors_of_splits(MPI_Comm comm)
{
    MPI_Comm steps[2], roots[2], newcomm = MPI_COMM_WORLD;
    MPI_Info both = info_with(HW_TYPE, "core");
    const char *types[2];
    int num_steps;

    MPI_Info_set(both, "mpi_pset_name", "mpi://WORLD");
    CHECK_ERROR(MPI_ERR_ARG, MPI_Comm_split_type(comm, 4711, 0, MPI_INFO_NULL, &newcomm));
    CHECK_ERROR(MPI_ERR_ARG, PMPI_Comm_split_type(comm, -1, 0, MPI_INFO_NULL, &newcomm));
    CHECK_ERROR(MPI_ERR_INFO, MPIX_Comm_split_type(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, both, &newcomm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_roots(comm, 4711, 0, MPI_INFO_NULL, &newcomm, roots));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_hierarchy(comm, -1, steps, roots, types, &num_steps));
    if (size > 1) { /* they do not ask for the same */
        const int split_type = 0 == rank ? MPI_COMM_TYPE_SHARED : MPI_COMM_TYPE_HW_GUIDED;
        CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_roots(comm, split_type, 0, MPI_INFO_NULL, &newcomm, roots));
        CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_hierarchy(comm, 0 == rank ? 1 : 2, steps, roots, types, &num_steps));
    }
    MPI_Info_free(&both);
}

/* Between groups there are neither roots nor a hierarchy. */
static void test_errors_between(MPI_Comm comm)
{
    MPI_Comm side, both, newcomms[2], roots[2];
    int num_steps;

    MPI_Comm_split(comm, rank % 2, 0, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &both);
    MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_split_hierarchy(both, 2, newcomms, roots, NULL, &num_steps));
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_split_roots(both, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, newcomms, roots));
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
}

static void test_errors_of_questions(MPI_Comm comm)
{
    MPI_Info info = info_with("MPI_HIER_LEVEL", "before");
    MPI_Group group;
    int below[] = {-1}, beyond[] = {0, size};
    char *type;

    CHECK_ERROR(MPI_ERR_RANK, MPIX_Get_min_hw_domain(comm, 1, below, &type));
    CHECK_ERROR(MPI_ERR_RANK, MPIX_Get_min_hw_domain(comm, 2, beyond, &type));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Get_min_hw_domain(comm, -1, beyond, &type));
    CHECK_ERROR(MPI_ERR_RANK, MPIX_Get_min_hierarchy(comm, 1, below, info));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Get_min_hierarchy(comm, -1, beyond, info));
    CHECK(has_value(info, "MPI_HIER_LEVEL", "before"));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Get_hw_domain_neighbours(comm, -1, MPIX_HW_METRIC_COMPUTE, &group));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Get_hw_domain_neighbours(comm, 1, 0, &group));
    CHECK_ERROR(MPI_ERR_ARG, PMPIX_Get_hw_domain_neighbours(comm, 1, 4, &group));
    MPI_Info_free(&info);
}

static void test_errors(void)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    test_errors_without_communicator();
    test_errors_of_splits(comm);
    if (size > 1) {
        test_errors_between(comm);
    }
    test_errors_of_questions(comm);
    CHECK(is_usable(comm));
    MPI_Comm_free(&comm);
}

/* One process has no place for a result: an error at all, and nothing is left of the attempt. */
static void try_without_place(MPI_Comm comm, int culprit)
{
    MPI_Comm newcomms[4], roots[4];
    const int is_it = rank == culprit;
    MPI_Comm *const no_comm = is_it ? NULL : newcomms, *const no_roots = is_it ? NULL : roots;
    const int type_of_culprit = is_it ? MPI_UNDEFINED : MPI_COMM_TYPE_HW_UNGUIDED;
    int num_steps = -1;

    num_handled = 0;
    CHECK_ERROR(MPI_ERR_ARG, MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, no_comm));
    CHECK(is_it || MPI_COMM_NULL == newcomms[0]);
    CHECK_ERROR(MPI_ERR_ARG, MPI_Comm_split_type(comm, type_of_culprit, 0, MPI_INFO_NULL, no_comm));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_roots(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, newcomms, no_roots));
    CHECK(MPI_COMM_NULL == newcomms[0] && (is_it || MPI_COMM_NULL == roots[0]));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_roots(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, no_comm, roots));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_hierarchy(comm, 4, newcomms, roots, NULL, is_it ? NULL : &num_steps));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_hierarchy(comm, 4, no_comm, roots, NULL, &num_steps));
    CHECK_ERROR(MPI_ERR_ARG, MPIX_Comm_split_hierarchy(comm, 4, newcomms, no_roots, NULL, &num_steps));
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

/* ---- questions ---- */

/* If any of these communicated, rank 0 alone would hang in it. */
static void test_local(void)
{
    MPI_Info info;
    MPI_Group group;
    char *type;
    int ranks[] = {0}, num;

    if (0 == rank) {
        CHECK(MPI_SUCCESS == MPI_Get_hw_resource_info(&info));
        CHECK(MPI_SUCCESS == MPIX_Get_hw_topology_info(&num, info));
        MPI_Info_free(&info);
        CHECK(MPI_INFO_NULL == info);
        CHECK(MPI_SUCCESS == MPIX_Get_hw_domain_info(MPI_COMM_WORLD, &num, ranks, &type, MPI_INFO_NULL));
        CHECK(1 == num && 0 == ranks[0] && 0 == strcmp("Unknown", type)); /* no split made it */
        CHECK(MPI_SUCCESS == MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 1, ranks, &type));
        CHECK(MPI_SUCCESS == MPIX_Get_hw_domain_neighbours(MPI_COMM_WORLD, 1, MPIX_HW_METRIC_NETWORK, &group));
        MPI_Group_free(&group);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    init_on_four_cores(&argc, &argv, &rank, &size);
    test_inheritance();
    test_flags();
    test_errors();
    test_no_place();
    test_shared_memory();
    test_local();
    return finish();
}
