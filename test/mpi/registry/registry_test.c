/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered communicators: who is one, since when and until when; bad handles.
 */
/* ranks: 1 2 4 */
#include "test/mpi/checks.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"
#include "test/mpi/table/resident.h"

/* No call may succeed, nor end the program: its error handler is the default. */
static int is_refused(MPI_Comm comm, int error)
{
    return error == MPIX_Comm_register(comm, "name") && error == MPIX_Comm_unregister(comm)
           && 0 == MPIX_Comm_is_registered(comm);
}

static void check_world(void)
{
    CHECK(0 == MPIX_Comm_is_registered(MPI_COMM_WORLD));
    CHECK(MPI_ERR_ARG == MPIX_Comm_unregister(MPI_COMM_WORLD));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(MPI_COMM_WORLD, "all"));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(MPI_COMM_WORLD, NULL));
    CHECK(1 == MPIX_Comm_is_registered(MPI_COMM_WORLD) && 0 == MPIX_Comm_is_registered(MPI_COMM_SELF));
    CHECK(MPI_SUCCESS == MPIX_Comm_unregister(MPI_COMM_WORLD));
    CHECK(0 == MPIX_Comm_is_registered(MPI_COMM_WORLD));
    CHECK(MPI_ERR_ARG == MPIX_Comm_unregister(MPI_COMM_WORLD));
}

static void check_duplicates(void)
{
    MPI_Comm comm, copy, same;

    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0, &comm);
    CHECK(0 == MPIX_Comm_is_registered(comm));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "halves"));
    MPI_Comm_dup(comm, &copy);
    same = comm;
    CHECK(1 == MPIX_Comm_is_registered(same) && 0 == MPIX_Comm_is_registered(copy));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(copy, "halves")); /* names may repeat */
    CHECK(MPI_SUCCESS == MPIX_Comm_unregister(comm));
    CHECK(0 == MPIX_Comm_is_registered(comm) && 1 == MPIX_Comm_is_registered(copy));
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
}

/* The names of the seed, whose prototype has no const. */
static void check_short_names(void)
{
    MPI_Comm comm;
    char name[] = "short";
    int (*reg)(MPI_Comm, char *) = Comm_register;

    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    CHECK(0 == Comm_is_registered(comm));
    CHECK(MPI_SUCCESS == reg(comm, name) && 1 == Comm_is_registered(comm));
    CHECK(MPI_SUCCESS == Comm_unregister(comm) && 0 == MPIX_Comm_is_registered(comm));
    CHECK(0 == PMPIX_Comm_is_registered(MPI_COMM_WORLD));
    MPI_Comm_free(&comm);
}

static void check_bad_handles(void)
{
    MPI_Comm comm, stale;
    static char no_communicator[4096];

    CHECK(is_refused(NULL, MPI_ERR_COMM));
    CHECK(is_refused(MPI_COMM_NULL, MPI_ERR_COMM));
    CHECK(is_refused((MPI_Comm) 1, MPI_ERR_COMM));
    CHECK(is_refused((MPI_Comm) (intptr_t) -1, MPI_ERR_COMM));
    CHECK(is_refused((MPI_Comm) (void *) no_communicator, MPI_ERR_COMM));
    CHECK(is_refused((MPI_Comm) (void *) &num_failed, MPI_ERR_COMM));

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    stale = comm;
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "to be freed"));
    MPI_Comm_free(&comm);
    CHECK(is_refused(comm, MPI_ERR_COMM));
    CHECK(is_refused(stale, MPI_ERR_COMM));
}

static int delete_registers(MPI_Comm comm, int key, void *value, void *extra)
{
    (void) key;
    (void) value;
    (void) extra;
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "too late"));
    CHECK(1 == MPIX_Comm_is_registered(comm));
    return MPI_SUCCESS;
}

/* Deletes that register a communicator which is being freed. Attributes go last set first: ours before, or there is
 * none yet. */
static void check_delete_functions(void)
{
    int keyval;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_registers, &keyval, NULL);
    for (int has_registration = 0; has_registration < 2; ++has_registration) {
        MPI_Comm comm, stale, next;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_attr(comm, keyval, NULL);
        CHECK(!has_registration || MPI_SUCCESS == MPIX_Comm_register(comm, "in time"));
        stale = comm;
        MPI_Comm_free(&comm);
        MPI_Comm_dup(MPI_COMM_WORLD, &next); /* often in the same place */
        CHECK(0 == MPIX_Comm_is_registered(next) && MPI_ERR_ARG == MPIX_Comm_unregister(next));
        CHECK(next == stale || is_refused(stale, MPI_ERR_COMM));
        MPI_Comm_free(&next);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* and one that nobody asks for before MPI_Finalize */
        MPI_Comm_set_attr(comm, keyval, NULL);
        MPI_Comm_free(&comm);
    }
    MPI_Comm_free_keyval(&keyval);
}

/* Between even and odd ranks. */
static void check_intercommunicator(void)
{
    const int rank = rank_of(MPI_COMM_WORLD), side = rank % 2;
    MPI_Comm half, between, stale;

    if (size_of(MPI_COMM_WORLD) < 2) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &between);
    CHECK(0 == MPIX_Comm_is_registered(between));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(between, "between"));
    CHECK(1 == MPIX_Comm_is_registered(between) && 0 == MPIX_Comm_is_registered(half));
    stale = between;
    MPI_Comm_free(&between);
    CHECK(is_refused(stale, MPI_ERR_COMM));
    MPI_Comm_free(&half);
}

/* Local: only rank 0 calls, and nobody waits. */
static void check_local(void)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (0 == rank_of(MPI_COMM_WORLD)) {
        CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "mine"));
        CHECK(1 == MPIX_Comm_is_registered(comm));
        CHECK(MPI_SUCCESS == MPIX_Comm_unregister(comm));
        CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "mine"));
    } else {
        CHECK(0 == MPIX_Comm_is_registered(comm));
    }
    MPI_Comm_free(&comm);
}

/* Registrations live as long as their communicators. */
static void make_and_free(int i)
{
    MPI_Comm comm;

    (void) i;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(0 == MPIX_Comm_is_registered(comm));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "one of many"));
    CHECK(1 == MPIX_Comm_is_registered(comm));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Comm leaked;

    CHECK(is_refused(MPI_COMM_WORLD, MPI_ERR_OTHER) && is_refused(NULL, MPI_ERR_OTHER));
    MPI_Init(&argc, &argv);
    check_world();
    check_duplicates();
    check_short_names();
    check_bad_handles();
    check_intercommunicator();
    check_local();
    check_delete_functions();

    (void) make_and_free_many(make_and_free);
    MPI_Comm_dup(MPI_COMM_WORLD, &leaked);
    CHECK(MPI_SUCCESS == MPIX_Comm_register(leaked, "leaked"));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(MPI_COMM_WORLD, "all"));
    int status = finish();
    if (!is_refused(leaked, MPI_ERR_OTHER) || !is_refused(MPI_COMM_WORLD, MPI_ERR_OTHER)) {
        fprintf(stderr, "something is registered after MPI_Finalize\n");
        status = EXIT_FAILURE;
    }
    return status;
}
