/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Without a table: Open MPI's own splits, no steps of a hierarchy, and questions that know nothing.
 */
/* ranks: 1 4 */
/* mpirun: --mca hitopo_base_eager 0 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

static void test_splits(void)
{
    const int rank = rank_of(MPI_COMM_WORLD);
    MPI_Comm newcomm, roots = MPI_COMM_WORLD, steps[2], step_roots[2];
    const char *types[2];
    int num_steps = -1;

    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &newcomm));
    CHECK(is_split_by(MPI_COMM_WORLD, newcomm, 0, -rank));
    free_comm(&newcomm);
    CHECK(MPI_SUCCESS
          == MPIX_Comm_split_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &newcomm, &roots));
    CHECK(is_split_by(MPI_COMM_WORLD, newcomm, 0, 0 == rank ? -100 : -rank));
    CHECK(is_split_by(MPI_COMM_WORLD, roots, 0 == rank ? 0 : MPI_UNDEFINED, 0));
    free_comm(&newcomm);
    free_comm(&roots);
    CHECK(MPI_SUCCESS == MPIX_Comm_split_hierarchy(MPI_COMM_WORLD, 2, steps, step_roots, types, &num_steps));
    CHECK(0 == num_steps && MPI_COMM_NULL == steps[1] && MPI_COMM_NULL == step_roots[1] && '\0' == types[1][0]);
}

/* An error at all, where Open MPI's own split is not alone with its arguments. */
static void test_no_place(void)
{
    const int is_it = size_of(MPI_COMM_WORLD) - 1 == rank_of(MPI_COMM_WORLD);
    MPI_Comm comm, newcomm, roots, steps[2], step_roots[2];
    int num_steps = -1;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(MPI_ERR_ARG
          == class_of(
              MPIX_Comm_split_roots(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, is_it ? NULL : &newcomm, &roots)));
    CHECK(MPI_ERR_ARG
          == class_of(
              MPIX_Comm_split_roots(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &newcomm, is_it ? NULL : &roots)));
    CHECK(MPI_COMM_NULL == newcomm && (is_it || MPI_COMM_NULL == roots));
    CHECK(MPI_ERR_ARG
          == class_of(MPIX_Comm_split_hierarchy(comm, 2, steps, step_roots, NULL, is_it ? NULL : &num_steps)));
    CHECK(is_usable(comm));
    MPI_Comm_free(&comm);
}

static void test_questions(void)
{
    int num_levels = -1, num_domains = -1, place = -1, rank = rank_of(MPI_COMM_WORLD), size = -1;
    char *type = NULL;
    MPI_Group group = MPI_GROUP_NULL;

    CHECK(MPI_SUCCESS == MPIX_Get_hw_topology_info(&num_levels, MPI_INFO_NULL) && 0 == num_levels);
    CHECK(MPI_SUCCESS == MPIX_Get_hw_domain_info(MPI_COMM_WORLD, &num_domains, &place, &type, MPI_INFO_NULL));
    CHECK(1 == num_domains && 0 == place && NULL != type && 0 == strcmp(type, "Unknown"));
    CHECK(MPI_SUCCESS == MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 1, &rank, &type) && 0 == strcmp(type, "Unknown"));
    CHECK(MPI_SUCCESS == MPIX_Get_min_hw_domain(MPI_COMM_WORLD, 0, NULL, &type) && 0 == strcmp(type, "Invalid"));
    CHECK(MPI_SUCCESS == MPIX_Get_hw_domain_neighbours(MPI_COMM_WORLD, 1, MPIX_HW_METRIC_NETWORK, &group));
    CHECK(MPI_GROUP_NULL != group && MPI_SUCCESS == MPI_Group_size(group, &size) && 0 == size);
    if (MPI_GROUP_NULL != group) {
        MPI_Group_free(&group);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test_splits();
    test_no_place();
    test_questions();
    return finish();
}
