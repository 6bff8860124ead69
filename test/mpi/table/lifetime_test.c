/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Tables live as long as their communicators: 10 000 are made and freed, some are never freed, and the
 * resident memory of the second half is flat. Threads keep nothing of those that are gone.
 */
/* ranks: 2 4 */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "test/mpi/checks.h"
#include "test/mpi/table/resident.h"

#define NUM_LEAKED 10

/* A table is over 100 bytes a process: 5000 leaked ones would be seen.
 * Half of them share the world's group and table, half have their own. */
static void make_and_free(int i)
{
    MPI_Comm comm;

    if (i % 2) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    } else {
        MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, i, &comm);
    }
    int32_t addr[8];
    CHECK(0 == ompi_hitopo_read_addr(inner(comm), 0, addr));
    CHECK(0 == ompi_hitopo_read_addr(inner(comm), size_of(comm) - 1, addr));
    int32_t **rows = ompi_hitopo_get_addrs(inner(comm));
    CHECK(NULL != rows && 0 == memcmp(rows[size_of(comm) - 1], addr, sizeof(addr)));
    MPI_Comm_free(&comm);
}

static int use_first(MPI_Comm comm, int key, void *value, void *extra)
{
    int32_t addr[8];

    (void) key, (void) value, (void) extra;
    CHECK(NULL != ompi_hitopo_get_addrs(inner(comm)));
    for (int i = 0; i < 3; ++i) { /* the second finds what the first looked up */
        CHECK(0 == ompi_hitopo_read_addr(inner(comm), 0, addr));
    }
    return MPI_SUCCESS;
}

/* A table that is made while its communicator goes is not that of the next one at the same address, of more processes.
 */
static void check_first_use_at_the_end(void)
{
    int key, num_at_same_address = 0;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_first, &key, NULL);
    for (int i = 0; i < 50; ++i) {
        MPI_Comm alone, all;
        MPI_Comm_dup(MPI_COMM_SELF, &alone);
        MPI_Comm_set_attr(alone, key, NULL);
        const MPI_Comm was = alone;
        MPI_Comm_free(&alone);
        MPI_Comm_dup(MPI_COMM_WORLD, &all);
        num_at_same_address += all == was;
        int32_t addr[8];
        CHECK(0 == ompi_hitopo_read_addr(inner(all), size_of(all) - 1, addr));
        CHECK(NULL != ompi_hitopo_get_addr(inner(all), size_of(all) - 1));
        MPI_Comm_free(&all);
    }
    if (0 == num_at_same_address) {
        fprintf(stderr, "SKIPPED: this allocator (a sanitizer's?) gave no address twice\n");
    }
    MPI_Comm_free_keyval(&key);
}

static MPI_Comm read_of;
static atomic_int num_reads;

static void *read_twice(void *unused)
{
    int32_t addr[8];

    CHECK(0 == ompi_hitopo_read_addr(inner(read_of), 0, addr));
    num_reads = 1;
    while (1 == num_reads) {
        usleep(1000);
    }
    CHECK(0 == ompi_hitopo_read_addr(inner(MPI_COMM_WORLD), 0, addr));
    return unused;
}

/* A thread that read of a communicator, and does something else now, keeps nothing of it. */
static void check_reading_thread(void)
{
    pthread_t thread;
    int num_tables, num_holders;

    MPI_Comm_split(MPI_COMM_WORLD, rank_of(MPI_COMM_WORLD) % 2, 0, &read_of);
    CHECK(0 == pthread_create(&thread, NULL, read_twice, NULL));
    while (1 != num_reads) {
        usleep(1000);
    }
    ompi_hitopo_count_live(&num_tables, &num_holders);
    CHECK(2 == num_tables);
    MPI_Comm_free(&read_of);
    ompi_hitopo_count_live(&num_tables, &num_holders);
    CHECK(1 == num_tables);
    num_reads = 2;
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    (void) make_and_free_many(make_and_free);

    int num_tables, num_holders;
    ompi_hitopo_count_live(&num_tables, &num_holders);
    CHECK(1 == num_tables); /* the world's */
    check_reading_thread();
    for (int i = 0; i < NUM_LEAKED; ++i) {
        MPI_Comm leaked;
        MPI_Comm_dup(MPI_COMM_WORLD, &leaked);
        CHECK(NULL != ompi_hitopo_get_addrs(inner(leaked)));
    }
    ompi_hitopo_count_live(&num_tables, &num_holders);
    CHECK(num_holders >= NUM_LEAKED);
    if (NULL == getenv("HITOPO_TEST_NUM_COMMS")) { /* valgrind would see what Open MPI loses then */
        check_first_use_at_the_end();
    }
    return finish();
}
