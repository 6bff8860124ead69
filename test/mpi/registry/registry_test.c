/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered communicators: who is one, under which name, since when and until when; what the profiler sees
 * of it; bad handles.
 */
/* ranks: 1 2 4 */
#include "test/mpi/checks.h"
#include "ompi/communicator/registry/comm_registry.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"

#define NUM_LEAKED 3

static int num_freed = 0;
static ompi_hitopo_registration_t *last_freed = NULL;
static void *last_profile = NULL;
static char last_name[32];

static void freed(ompi_hitopo_registration_t *registration)
{
    last_freed = registration;
    last_profile = registration->profile;
    ompi_hitopo_registration_name(registration, last_name, sizeof(last_name));
    num_freed += 0 != strcmp(last_name, "too late"); /* those go when they are noticed */
}

static uint32_t generation(void)
{
    return __atomic_load_n(&ompi_hitopo_registry_generation, __ATOMIC_ACQUIRE);
}

static int is_called(MPI_Comm comm, const char *expected)
{
    char name[64] = "untouched";

    ompi_hitopo_registration_name(ompi_hitopo_registration(inner(comm)), name, sizeof(name));
    return 0 == strcmp(name, expected);
}

/* No call may succeed, nor end the program: its error handler is the default. */
static int is_refused(MPI_Comm comm, int error)
{
    return error == MPIX_Comm_register(comm, "name") && error == MPIX_Comm_unregister(comm)
           && 0 == MPIX_Comm_is_registered(comm) && NULL == ompi_hitopo_registration(inner(comm));
}

static void check_world(void)
{
    CHECK(1 == MPIX_Comm_is_registered(MPI_COMM_WORLD));
    CHECK(is_called(MPI_COMM_WORLD, "MPI_COMM_WORLD"));
    CHECK(0 == MPIX_Comm_is_registered(MPI_COMM_SELF));
    CHECK(MPI_ERR_ARG == MPIX_Comm_unregister(MPI_COMM_SELF));
    CHECK(MPI_SUCCESS == MPIX_Comm_unregister(MPI_COMM_WORLD));
    CHECK(0 == MPIX_Comm_is_registered(MPI_COMM_WORLD));
    CHECK(MPI_ERR_ARG == MPIX_Comm_unregister(MPI_COMM_WORLD));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(MPI_COMM_WORLD, "all"));
    CHECK(1 == MPIX_Comm_is_registered(MPI_COMM_WORLD) && is_called(MPI_COMM_WORLD, "all"));
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
    CHECK(ompi_hitopo_registration(inner(comm)) != ompi_hitopo_registration(inner(copy)));
    CHECK(MPI_SUCCESS == MPIX_Comm_unregister(comm));
    CHECK(0 == MPIX_Comm_is_registered(comm) && 1 == MPIX_Comm_is_registered(copy));
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
}

static void check_names(void)
{
    MPI_Comm comm;
    char cut[4] = "xxx", whole[201], held[201];

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    memset(whole, 'n', 200);
    whole[200] = '\0';
    CHECK(is_called(comm, "")); /* asked for, never registered */
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, whole));
    ompi_hitopo_registration_name(ompi_hitopo_registration(inner(comm)), held, sizeof(held));
    CHECK(0 == strcmp(held, whole));
    whole[0] = 'x'; /* it was copied */
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "first") && is_called(comm, "first"));
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "second") && is_called(comm, "second"));
    ompi_hitopo_registration_name(ompi_hitopo_registration(inner(comm)), cut, sizeof(cut));
    CHECK(0 == strcmp(cut, "sec"));
    ompi_hitopo_registration_name(ompi_hitopo_registration(inner(comm)), cut, 0);
    CHECK(0 == strcmp(cut, "sec"));
    MPI_Comm_set_name(comm, "its own");
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, NULL) && is_called(comm, "its own"));
    MPI_Comm_set_name(comm, "its new one");
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "") && is_called(comm, "its new one"));
    CHECK(MPI_SUCCESS == MPIX_Comm_unregister(comm) && is_called(comm, "its new one"));
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
    CHECK(MPI_SUCCESS == reg(comm, name) && 1 == Comm_is_registered(comm) && is_called(comm, "short"));
    CHECK(MPI_SUCCESS == Comm_unregister(comm) && 0 == MPIX_Comm_is_registered(comm));
    CHECK(1 == PMPIX_Comm_is_registered(MPI_COMM_WORLD));
    MPI_Comm_free(&comm);
}

static void check_generation(void)
{
    MPI_Comm comm, copy;
    uint32_t seen;
    int profile;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    ompi_hitopo_registration_t *registration = ompi_hitopo_registration(inner(comm));
    CHECK(NULL != registration && 0 == registration->is_registered && NULL == registration->profile);
    registration->profile = &profile;

    seen = generation();
    MPI_Comm_dup(comm, &copy);
    CHECK(0 == MPIX_Comm_is_registered(copy) && 0 == MPIX_Comm_is_registered(comm));
    CHECK(MPI_ERR_ARG == MPIX_Comm_unregister(comm));
    CHECK(registration == ompi_hitopo_registration(inner(comm)));
    MPI_Comm_free(&copy); /* never asked for: it has none */
    CHECK(seen == generation());

    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "kept"));
    CHECK(seen != generation() && 1 == registration->is_registered);
    seen = generation();
    CHECK(MPI_SUCCESS == MPIX_Comm_unregister(comm));
    CHECK(seen != generation() && 0 == registration->is_registered);
    seen = generation();
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "kept again"));
    CHECK(seen != generation() && 1 == registration->is_registered);
    CHECK(registration == ompi_hitopo_registration(inner(comm)) && &profile == registration->profile);

    seen = generation();
    ompi_hitopo_registry_observe(freed);
    MPI_Comm_free(&comm);
    CHECK(seen != generation());
    CHECK(1 == num_freed && last_freed == registration && last_profile == &profile);
    CHECK(0 == strcmp(last_name, "kept again"));

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(NULL != ompi_hitopo_registration(inner(comm)));
    MPI_Comm_free(&comm); /* also where it is not registered */
    CHECK(2 == num_freed);
    ompi_hitopo_registry_observe(NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    CHECK(MPI_SUCCESS == MPIX_Comm_register(comm, "unobserved"));
    MPI_Comm_free(&comm);
    CHECK(2 == num_freed);
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
    CHECK(is_refused((MPI_Comm) (void *) &num_freed, MPI_ERR_COMM));

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

/* What registers a communicator while it is being freed. Attributes go last set first: ours before, or there is
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

int main(int argc, char **argv)
{
    CHECK(is_refused(MPI_COMM_WORLD, MPI_ERR_OTHER) && is_refused(NULL, MPI_ERR_OTHER));
    MPI_Init(&argc, &argv);
    check_world();
    check_duplicates();
    check_names();
    check_short_names();
    check_generation();
    check_bad_handles();
    check_intercommunicator();
    check_local();
    check_delete_functions();

    /* At MPI_Finalize go the leaked ones, and the world's. */
    for (int i = 0; i < NUM_LEAKED; ++i) {
        MPI_Comm leaked;
        MPI_Comm_dup(MPI_COMM_WORLD, &leaked);
        CHECK(MPI_SUCCESS == MPIX_Comm_register(leaked, "leaked"));
    }
    num_freed = 0;
    ompi_hitopo_registry_observe(freed);
    int status = finish();
    if (NUM_LEAKED + 1 != num_freed || !is_refused(MPI_COMM_WORLD, MPI_ERR_OTHER)) {
        fprintf(stderr, "MPI_Finalize ended %d registrations, not %d\n", num_freed, NUM_LEAKED + 1);
        status = EXIT_FAILURE;
    }
    return status;
}
