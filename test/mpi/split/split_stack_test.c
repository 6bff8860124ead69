/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * How much of its stack a split takes, for threads of programs that give them little: counted in a thread whose stack
 * was painted before.
 */
/* ranks: 2 */
/* mpirun: --bind-to none --mca hitopo hwloc,hostname */
#define _GNU_SOURCE
#include <pthread.h>

#include "test/mpi/table/binding.h"
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

/* ./check builds for other Open MPIs without optimization (test/check/steps.sh), and sanitizers take stack of their
 * own. */
#if OMPI_MAJOR_VERSION != 4
enum { is_optimized = 0 };
#elif defined(__has_feature)
enum { is_optimized = !__has_feature(address_sanitizer) };
#else
enum { is_optimized = 1 };
#endif

#define STACK_BYTES (1 << 20)
#define MAX_BYTES 12288 /* three quarters of the least stack of a thread; progress of Open MPI takes half of it */
#define PAINT 0x5a

static unsigned char *stack;

static void split_shared(void)
{
    MPI_Comm newcomm;

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &newcomm);
    MPI_Comm_free(&newcomm);
}

static void split_by_core(void)
{
    MPI_Comm newcomm = split_guided(MPI_COMM_WORLD, "Core");

    free_comm(&newcomm);
}

static void split_hierarchy(void)
{
    MPI_Comm newcomms[8], rootscomms[8];
    int num = -1;

    CHECK(MPI_SUCCESS == MPIX_Comm_split_hierarchy(MPI_COMM_WORLD, 8, newcomms, rootscomms, NULL, &num));
    for (int i = 0; i < num; ++i) {
        free_comm(&newcomms[i]);
        free_comm(&rootscomms[i]);
    }
}

/* The lowest byte that it wrote, from where it began. */
static void *run(void *split)
{
    unsigned char *const begin = __builtin_frame_address(0);
    static size_t num_bytes;

    memset(stack, PAINT, (size_t) (begin - stack) - 1024); /* below memset's own frame */
    (*(void (**)(void)) split)();
    unsigned char *lowest = stack;
    while (PAINT == *lowest) {
        ++lowest;
    }
    num_bytes = (size_t) (begin - lowest);
    return &num_bytes;
}

static void check_split(void (*split)(void), const char *name)
{
    pthread_attr_t attributes;
    pthread_t thread;
    void *num_bytes = NULL;

    pthread_attr_init(&attributes);
    CHECK(0 == pthread_attr_setstack(&attributes, stack, STACK_BYTES));
    CHECK(0 == pthread_create(&thread, &attributes, run, &split) && 0 == pthread_join(thread, &num_bytes));
    pthread_attr_destroy(&attributes);
    if (NULL == num_bytes || MAX_BYTES < *(size_t *) num_bytes) {
        fprintf(stderr, "%s: %zu bytes\n", name, NULL == num_bytes ? 0 : *(size_t *) num_bytes);
        CHECK(!"few bytes of the stack");
    }
}

int main(int argc, char **argv)
{
    cpu_set_t allowed;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (!is_optimized) {
        fprintf(stderr, "SKIPPED: this build takes more stack than users' do\n");
        return finish();
    }
    sched_getaffinity(0, sizeof(allowed), &allowed);
    stack = aligned_alloc(4096, STACK_BYTES);
    split_shared(); /* what is looked up once, and connections */
    check_split(split_shared, "shared memory");
    check_split(split_by_core, "cores");
    check_split(split_hierarchy, "hierarchy");
    if (1 < CPU_COUNT(&allowed)) {
        const cpu_set_t first = first_of(&allowed);
        if (1 == rank_of(MPI_COMM_WORLD)) {
            bind_all_threads(&first);
        }
        check_split(split_by_core, "cores, after a rebind");
    }
    free(stack);
    return finish();
}
