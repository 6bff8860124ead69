/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What becomes of the hints in a split's info: the new communicators have those that Open MPI's own
 * MPI_Comm_split_type gives them, and act on them.
 */
/* ranks: 1 2 4 7 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

#include "ompi/info/info.h"

/* Whether they show the same keys and values. */
static int is_same_info(MPI_Comm a, MPI_Comm b)
{
    MPI_Info of_a, of_b;
    int num_keys = -1, num_others = -2, is_same;

    MPI_Comm_get_info(a, &of_a);
    MPI_Comm_get_info(b, &of_b);
    MPI_Info_get_nkeys(of_a, &num_keys);
    MPI_Info_get_nkeys(of_b, &num_others);
    is_same = num_keys == num_others;
    for (int i = 0; i < num_keys; ++i) {
        char key[MPI_MAX_INFO_KEY + 1], value[MPI_MAX_INFO_VAL + 1];
        int flag = 0;
        MPI_Info_get_nthkey(of_a, i, key);
        MPI_Info_get(of_a, key, MPI_MAX_INFO_VAL, value, &flag);
        is_same = is_same && flag && has_value(of_b, key, value);
    }
    MPI_Info_free(&of_a);
    MPI_Info_free(&of_b);
    return is_same;
}

/* The hints that the PML looks at: 4.1 leaves the other bits as its allocator found them (docs/upstream.md, 36). */
static unsigned acts_on(MPI_Comm comm)
{
    return comm->c_assertions & (OMPI_COMM_ASSERT_NO_ANY_SOURCE | OMPI_COMM_ASSERT_ALLOW_OVERTAKE);
}

/* The same hints as from Open MPI's own split, which MPI_Comm_split_type is not here. */
static void check_hints_are_open_mpis(MPI_Info hints)
{
    MPI_Comm newcomm, expected = MPI_COMM_NULL;

    CHECK(OMPI_SUCCESS == ompi_comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, &hints->super, &expected));
    CHECK(MPI_SUCCESS == MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, hints, &newcomm));
    CHECK(is_same_info(expected, newcomm));
    CHECK(acts_on(expected) == acts_on(newcomm));
    CHECK(is_usable(newcomm));
    MPI_Comm_free(&newcomm);
    MPI_Comm_free(&expected);
}

/* Nothing says how it was split. */
static void check_kept(MPI_Comm newcomm)
{
    MPI_Info kept;

    MPI_Comm_get_info(newcomm, &kept);
    CHECK(has_value(kept, "mpi_assert_no_any_source", "true"));
    CHECK(has_value(kept, "mpi_assert_allow_overtaking", "true"));
    CHECK(has_value(kept, HW_TYPE, NULL) && has_value(kept, "MPI_HW_DOMAIN_TYPE", NULL));
    MPI_Info_free(&kept);
}

static void check_hints(MPI_Comm *newcomm)
{
    if (MPI_COMM_NULL != *newcomm) {
        check_kept(*newcomm);
        CHECK(is_usable(*newcomm));
    }
    free_comm(newcomm);
}

/* Keys in order and not, all taking part and not: one allreduce, and more. */
static void test_hints(void)
{
    const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
    static const int types[] = {MPI_COMM_TYPE_SHARED,         MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_RESOURCE_GUIDED,
                                MPIX_COMM_TYPE_ADDRESS_SPACE, OMPI_COMM_TYPE_CORE,     MPIX_COMM_TYPE_HW_DOMAIN,
                                MPI_COMM_TYPE_HW_UNGUIDED};
    MPI_Info hints = info_with("mpi_assert_no_any_source", "true");
    MPI_Comm newcomm, rootscomm;

    check_hints_are_open_mpis(MPI_INFO_NULL);
    MPI_Info_set(hints, "mpi_assert_allow_overtaking", "true");
    MPI_Info_set(hints, "ompi_assert_lazy_barrier", "true");
    MPI_Info_set(hints, "nobody", "knows");
    check_hints_are_open_mpis(hints);
    MPI_Info_set(hints, HW_TYPE, "Package");
    MPI_Info_set(hints, "MPI_HW_DOMAIN_TYPE", "Package");
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
        const int is_out = size > 1 && 0 == rank;
        MPI_Comm_split_type(MPI_COMM_WORLD, types[i], rank, hints, &newcomm);
        check_hints(&newcomm);
        MPI_Comm_split_type(MPI_COMM_WORLD, is_out ? MPI_UNDEFINED : types[i], -rank, hints, &newcomm);
        check_hints(&newcomm);
        MPIX_Comm_split_roots(MPI_COMM_WORLD, types[i], 0, hints, &newcomm, &rootscomm);
        check_hints(&newcomm);
        check_hints(&rootscomm);
    }
    MPI_Info_free(&hints);
}

/* Between groups it is Open MPI's split that makes them. */
static void test_between_groups(void)
{
    const int rank = rank_of(MPI_COMM_WORLD), is_odd = rank % 2;
    MPI_Info hints = info_with("mpi_assert_no_any_source", "true");
    MPI_Comm half, both, newcomm;

    MPI_Info_set(hints, "mpi_assert_allow_overtaking", "true");
    MPI_Info_set(hints, HW_TYPE, "Machine");
    MPI_Comm_split(MPI_COMM_WORLD, is_odd, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !is_odd, 0, &both);
    CHECK(MPI_SUCCESS == MPI_Comm_split_type(both, MPI_COMM_TYPE_HW_GUIDED, 0, hints, &newcomm));
    CHECK(MPI_COMM_NULL != newcomm);
    check_kept(newcomm);
    free_comm(&newcomm);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Info_free(&hints);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    simulate(FOUR_CORES, "core", NULL);
    test_hints();
    if (size_of(MPI_COMM_WORLD) > 1) {
        test_between_groups();
    }
    return finish();
}
