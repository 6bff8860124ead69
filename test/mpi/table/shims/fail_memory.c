/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload in which, at rank FAIL_RANK, every allocation that HiTopo's libraries make fails from the
 * FAIL_FROM-th on, for FAIL_COUNT of them (default 1), as on a node without memory. Prints how many there were at the
 * end if FAIL_TELLS is set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t num_bytes);
extern void *__libc_memalign(size_t alignment, size_t num_bytes);

static long num_seen = 0;

static long setting(const char *name, long otherwise)
{
    const char *value = getenv(name);

    return NULL == value ? otherwise : atol(value);
}

static int is_failing_rank(void)
{
    static int is_it = -1;

    if (0 > is_it) {
        const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *failing = getenv("FAIL_RANK");
        is_it = NULL != rank && NULL != failing && 0 == strcmp(rank, failing);
    }
    return is_it;
}

static int is_in(const void *address, const char *library)
{
    Dl_info found;

    return 0 != dladdr(address, &found) && NULL != found.dli_fname && NULL != strstr(found.dli_fname, library);
}

/* `operator new` calls malloc from libstdc++ where that is no part of our libraries: then who called it counts. */
static const void *beyond_new(const void *caller)
{
    void *frames[8];
    int num_frames = is_in(caller, "libstdc++") ? backtrace(frames, 8) : 0;
    int i = 0;

    while (i < num_frames && frames[i] != caller) {
        ++i;
    }
    while (i < num_frames && is_in(frames[i], "libstdc++")) {
        ++i;
    }
    return i < num_frames ? frames[i] : caller;
}

static int is_ours(const void *caller)
{
    static __thread int is_looking = 0;
    int is_it = 0;

    if (!is_looking) {
        is_looking = 1; /* dladdr and backtrace may allocate */
        is_it = is_in(beyond_new(caller), "hitopo.so");
        is_looking = 0;
    }
    return is_it;
}

static int fails(const void *caller)
{
    if (!is_failing_rank() || !is_ours(caller)) {
        return 0;
    }
    ++num_seen;
    const long from = setting("FAIL_FROM", 1);
    return num_seen >= from && num_seen < from + setting("FAIL_COUNT", 1);
}

void *malloc(size_t num_bytes)
{
    if (fails(__builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(num_bytes);
}

void *aligned_alloc(size_t alignment, size_t num_bytes)
{
    if (fails(__builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_memalign(alignment, num_bytes);
}

int posix_memalign(void **memory, size_t alignment, size_t num_bytes)
{
    if (fails(__builtin_return_address(0))) {
        return ENOMEM;
    }
    *memory = __libc_memalign(alignment, num_bytes);
    return NULL == *memory ? ENOMEM : 0;
}

/* No process waits in MPI_Finalize for one that dies: mpirun 4.1.4 would crash or hang (docs/upstream.md, 67). */
int MPI_Finalize(void)
{
    int (*own)(void) = (int (*)(void)) dlsym(RTLD_NEXT, "MPI_Finalize");

    MPI_Barrier(MPI_COMM_WORLD);
    return own();
}

__attribute__((destructor)) static void tell(void)
{
    if (NULL != getenv("FAIL_TELLS") && is_failing_rank()) {
        fprintf(stderr, "allocations: %ld\n", num_seen);
    }
}
