/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A tool of MPI_T's events, as Open MPI 6.1 has them: of each communicator that a split of HiTopo makes it is told
 * once, at its members, and once when it is freed. Says what is wrong, and how many it saw in all.
 */
#include <mpi.h>
#include <mpi-ext.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_STEPS 8

typedef struct seen_t {
    int num;
    int32_t size;
    uint64_t handle;
} seen_t;

static seen_t created, freed;
static int num_failed, num_made;

static void on_created(MPI_T_event_instance event, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                       void *data)
{
    (void) registration, (void) safety, (void) data;
    ++created.num;
    MPI_T_event_read(event, 0, &created.size);
    MPI_T_event_read(event, 1, &created.handle);
}

static void on_freed(MPI_T_event_instance event, MPI_T_event_registration registration, MPI_T_cb_safety safety,
                     void *data)
{
    (void) registration, (void) safety, (void) data;
    ++freed.num;
    MPI_T_event_read(event, 0, &freed.handle);
}

static void expect(const char *what, int is_true)
{
    if (!is_true) {
        printf("%s: %d created, %d freed\n", what, created.num, freed.num);
        ++num_failed;
    }
}

static void listen(const char *name, MPI_T_event_cb_function callback)
{
    MPI_T_event_registration registration = MPI_T_EVENT_REGISTRATION_NULL;
    int event = 0;

    expect(name, MPI_SUCCESS == MPI_T_event_get_index(name, &event)
                     && MPI_SUCCESS == MPI_T_event_handle_alloc(event, NULL, MPI_INFO_NULL, &registration)
                     && MPI_SUCCESS
                            == MPI_T_event_register_callback(registration, MPI_T_CB_REQUIRE_NONE, MPI_INFO_NULL, NULL,
                                                             callback));
}

static void forget_all(void)
{
    created = freed = (seen_t){0};
}

/* The last one that was told of. */
static int is_last(MPI_Comm comm)
{
    int size;

    MPI_Comm_size(comm, &size);
    return (uint64_t) (uintptr_t) comm == created.handle && size == created.size;
}

/* comms: what one split made here. */
static void expect_events(const char *what, int num, MPI_Comm *comms)
{
    int num_here = 0, has_last = 0;

    for (int i = 0; i < num; ++i) {
        if (MPI_COMM_NULL != comms[i]) {
            ++num_here;
            has_last |= is_last(comms[i]);
        }
    }
    expect(what, num_here == created.num && 0 == freed.num && has_last == (0 < num_here));
    for (int i = 0; i < num; ++i) {
        if (MPI_COMM_NULL != comms[i]) {
            uint64_t handle = (uint64_t) (uintptr_t) comms[i];
            MPI_Comm_free(&comms[i]);
            expect(what, handle == freed.handle);
        }
    }
    expect(what, num_here == freed.num);
    num_made += num_here;
    forget_all();
}

static void split(const char *what, int type, MPI_Info info)
{
    MPI_Comm comms[2] = {MPI_COMM_NULL, MPI_COMM_NULL};

    MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, info, &comms[0]);
    expect_events(what, 1, comms);
    MPIX_Comm_split_roots(MPI_COMM_WORLD, type, 0, info, &comms[0], &comms[1]);
    expect_events(what, 2, comms);
}

static void split_hierarchy(void)
{
    MPI_Comm comms[2 * MAX_STEPS];
    const char *types[MAX_STEPS];
    int num_steps = 0;

    for (int i = 0; i < 2 * MAX_STEPS; ++i) {
        comms[i] = MPI_COMM_NULL;
    }
    MPIX_Comm_split_hierarchy(MPI_COMM_WORLD, MAX_STEPS, comms, comms + MAX_STEPS, types, &num_steps);
    expect_events("hierarchy", 2 * MAX_STEPS, comms);
}

int main(int argc, char **argv)
{
    MPI_Info info;
    int rank, provided;

    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    listen("ompi.mpi.communicator_created", on_created);
    listen("ompi.mpi.communicator_freed", on_freed);

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", "hwloc://Package");
    split("guided", MPI_COMM_TYPE_HW_GUIDED, info);
    split("unguided", MPI_COMM_TYPE_HW_UNGUIDED, MPI_INFO_NULL);
    split("shared", MPI_COMM_TYPE_SHARED, MPI_INFO_NULL);
    split("some alone", 0 == rank ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, MPI_INFO_NULL);
    split_hierarchy();
    MPI_Info_free(&info);

    if (0 == rank) {
        printf("%d wrong of %d\n", num_failed, num_made);
    }
    MPI_T_finalize();
    MPI_Finalize();
    return 0 != num_failed;
}
