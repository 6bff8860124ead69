/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Splits of splits and of duplicates, freed in any order; thousands made and freed leave nothing; splits of
 * intercommunicators; after a forced disagreement about the lowest free context id.
 */
/* ranks: 1 2 4 7 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

#define NUM_SPLITS 2000
#define NUM_HELD 40

static int rank, size;

static int package_of(int process)
{
    return process / 2 % 2;
}
static int core_of(int process)
{
    return process % 4;
}

/* ---- communicators of communicators ---- */

static void test_descendants(int order)
{
    MPI_Comm package, core, copy, of_copy, reversed, of_reversed;

    package = split_guided(MPI_COMM_WORLD, "Package");
    CHECK(is_split_by(MPI_COMM_WORLD, package, package_of(rank), rank));
    core = split_guided(package, "Core");
    CHECK(is_split_by(MPI_COMM_WORLD, core, core_of(rank), rank));
    MPI_Comm_dup(core, &copy);
    of_copy = split_guided(copy, "Machine");
    CHECK(is_split_by(MPI_COMM_WORLD, of_copy, core_of(rank), rank));
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    of_reversed = split_guided(reversed, "Package");
    CHECK(is_split_by(MPI_COMM_WORLD, of_reversed, package_of(rank), -rank));

    MPI_Comm *const all[] = {&package, &core, &copy, &of_copy, &reversed, &of_reversed};
    static const int orders[][6] = {{0, 1, 2, 3, 4, 5}, {5, 4, 3, 2, 1, 0}, {2, 0, 4, 3, 5, 1}};
    for (int i = 0; i < 6; ++i) {
        MPI_Comm_free(all[orders[order][i]]);
    }
    CHECK(is_usable(MPI_COMM_WORLD));
}

/* ---- thousands ---- */

/* In blocks, so that many are alive at once; freed in another order. */
static void test_thousands(void)
{
    const char *count = getenv("HITOPO_TEST_NUM_COMMS"); /* few under valgrind and the sanitizers */
    const int num_splits = NULL == count ? NUM_SPLITS : atoi(count);
    MPI_Comm held[NUM_HELD];
    int before[2], after[2];

    ompi_hitopo_count_live(&before[0], &before[1]);
    for (int i = 0; i < num_splits; i += NUM_HELD) {
        for (int j = 0; j < NUM_HELD; ++j) {
            held[j] = j % 4 == 3 ? split_guided(held[j - 1], "Machine") /* of a communicator, the same group */
                                 : split_guided(MPI_COMM_WORLD, j % 2 ? "Core" : "Package");
        }
        for (int j = 0; j < NUM_HELD; ++j) {
            MPI_Comm_free(&held[(j * 7) % NUM_HELD]);
        }
    }
    ompi_hitopo_count_live(&after[0], &after[1]);
    CHECK(before[0] == after[0] && before[1] == after[1]);
}

/* ---- intercommunicators ---- */

/* A split of an intercommunicator joins both sides' processes of one instance; MPI_COMM_NULL where a side
 * has none, as from MPI_Comm_split. */
static void check_intercomm(MPI_Comm both, const char *type, int color)
{
    MPI_Comm expected, newcomm = split_guided(both, type);
    int result = MPI_UNEQUAL;

    MPI_Comm_split(both, color, rank_of(both), &expected);
    CHECK((MPI_COMM_NULL == newcomm) == (MPI_COMM_NULL == expected));
    if (MPI_COMM_NULL != newcomm && MPI_COMM_NULL != expected) {
        int is_inter = 0, sum = 0, one = 1, num_remote = -1;
        MPI_Comm_test_inter(newcomm, &is_inter);
        MPI_Comm_compare(newcomm, expected, &result);
        CHECK(is_inter && MPI_CONGRUENT == result);
        MPI_Comm_remote_size(newcomm, &num_remote);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, newcomm);
        CHECK(sum == num_remote);
    }
    free_comm(&newcomm);
    free_comm(&expected);
}

/* Sides: the first `num_left` processes and the others. */
static void test_intercomm(int num_left)
{
    const int is_right = rank >= num_left;
    MPI_Comm side, both, newcomm = MPI_COMM_WORLD;

    MPI_Comm_split(MPI_COMM_WORLD, is_right, 0, &side);
    MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_right ? 0 : num_left, 0, &both);
    check_intercomm(both, "Machine", 0);
    check_intercomm(both, "Package", package_of(rank));
    check_intercomm(both, "Core", core_of(rank));
    check_intercomm(both, "L3Cache", MPI_UNDEFINED);

    /* One side abstains as a whole; then keys are out of order. */
    CHECK(MPI_SUCCESS
          == MPI_Comm_split_type(both, is_right ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &newcomm));
    CHECK(MPI_COMM_NULL == newcomm);
    CHECK(MPI_SUCCESS == MPI_Comm_split_type(both, MPI_COMM_TYPE_SHARED, -rank, MPI_INFO_NULL, &newcomm));
    CHECK(MPI_COMM_NULL != newcomm && size_of(newcomm) - 1 - rank_of(newcomm) == rank_of(side));
    free_comm(&newcomm);

    /* The sides disagree: both hear of it. */
    MPI_Comm_set_errhandler(both, MPI_ERRORS_RETURN);
    CHECK(MPI_ERR_ARG
          == class_of(MPI_Comm_split_type(both, is_right ? MPI_COMM_TYPE_SHARED : MPIX_COMM_TYPE_ADDRESS_SPACE, 0,
                                          MPI_INFO_NULL, &newcomm)));
    MPI_Comm_free(&both);
    MPI_Comm_free(&side);
}

/* ---- context ids ---- */

/* A message of a process to itself finds its communicator by the context id. */
static int can_talk_to_itself(MPI_Comm comm)
{
    int sent = 1, received = 0;

    MPI_Sendrecv(&sent, 1, MPI_INT, 0, 0, &received, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    return 1 == received;
}

/* Even ranks hold the odd ones of 2 * num_pairs ids, odd ranks the even ones: the lowest that one proposes is
 * taken at the next, again and again, until all pairs are through or the proposals give up. */
static void test_context_ids(int num_pairs)
{
    MPI_Comm held[NUM_HELD];

    for (int i = 0; i < 2 * num_pairs; ++i) {
        MPI_Comm_dup(MPI_COMM_SELF, &held[i]);
    }
    for (int i = rank % 2; i < 2 * num_pairs; i += 2) {
        MPI_Comm_free(&held[i]);
    }
    for (int i = 0; i < 3; ++i) {
        MPI_Comm package = split_guided(MPI_COMM_WORLD, "Package"), core = split_guided(package, "Core"), steps[4],
                 roots[4];
        int num_steps = -1;
        CHECK(is_split_by(MPI_COMM_WORLD, package, package_of(rank), rank));
        CHECK(is_split_by(package, core, core_of(rank), rank));
        CHECK(MPI_SUCCESS == MPIX_Comm_split_hierarchy(MPI_COMM_WORLD, 4, steps, roots, NULL, &num_steps));
        for (int j = 0; j < num_steps; ++j) {
            CHECK(is_usable(steps[j]));
            free_comm(&steps[j]);
            CHECK(MPI_COMM_NULL == roots[j] || is_usable(roots[j]));
            free_comm(&roots[j]);
        }
        for (int j = 1 - rank % 2; j < 2 * num_pairs; j += 2) {
            CHECK(can_talk_to_itself(held[j])); /* nobody took its id */
        }
        MPI_Comm_free(&core);
        MPI_Comm_free(&package);
    }
    for (int i = 1 - rank % 2; i < 2 * num_pairs; i += 2) {
        CHECK(can_talk_to_itself(held[i]));
        MPI_Comm_free(&held[i]);
    }
}

int main(int argc, char **argv)
{
    init_on_four_cores(&argc, &argv, &rank, &size);
    const int num_before = num_communicators();
    for (int order = 0; order < 3; ++order) {
        test_descendants(order);
    }
    test_context_ids(1);
    test_context_ids(4);
    test_context_ids(NUM_HELD / 2);
    for (int num_left = 1; num_left < size; num_left += 2) {
        test_intercomm(num_left);
    }
    test_thousands();
    CHECK(num_communicators() == num_before); /* none is lost */
    return finish();
}
