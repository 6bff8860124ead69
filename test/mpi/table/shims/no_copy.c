/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload in which, at the ranks of NO_COPY_RANKS ("0 3"), the system refuses one step of making or opening the
 * sealed copy of HiTopo's exchange: NO_COPY is "memfd_create", "open" or "mmap". Prints how often it did at the end.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int num_refused = 0;

static int is_refused(const char *step)
{
    const char *wanted = getenv("NO_COPY"), *ranks = getenv("NO_COPY_RANKS"), *own = getenv("OMPI_COMM_WORLD_RANK");
    char padded[256], rank[16];

    if (NULL == wanted || NULL == ranks || NULL == own || 0 != strcmp(wanted, step)) {
        return 0;
    }
    snprintf(padded, sizeof(padded), " %s ", ranks);
    snprintf(rank, sizeof(rank), " %s ", own);
    if (NULL == strstr(padded, rank)) {
        return 0;
    }
    ++num_refused;
    return 1;
}

int memfd_create(const char *name, unsigned flags)
{
    if (0 == strcmp(name, "hitopo") && is_refused("memfd_create")) {
        errno = ENOSYS;
        return -1;
    }
    return (int) syscall(SYS_memfd_create, name, flags);
}

static int open_with(const char *path, int flags, mode_t mode)
{
    if (0 == strncmp(path, "/proc/", 6) && NULL != strstr(path, "/fd/") && is_refused("open")) {
        errno = EACCES;
        return -1;
    }
    return (int) syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static mode_t mode_of(int flags, va_list rest)
{
    return 0 != (flags & (O_CREAT | __O_TMPFILE)) ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list rest;

    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_with(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;

    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_with(path, flags | O_LARGEFILE, mode);
}

/* Nothing else of HiTopo's maps what it shares for reading. */
void *mmap(void *place, size_t num_bytes, int protection, int flags, int file, off_t offset)
{
    Dl_info caller;

    if (PROT_READ == protection && MAP_SHARED == flags && NULL != getenv("NO_COPY")
        && 0 != dladdr(__builtin_return_address(0), &caller) && NULL != caller.dli_fname
        && NULL != strstr(caller.dli_fname, "hitopo.so") && is_refused("mmap")) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *) syscall(SYS_mmap, place, num_bytes, protection, flags, file, offset);
}

__attribute__((destructor)) static void tell(void)
{
    if (0 != num_refused) {
        fprintf(stderr, "refused: %d\n", num_refused);
    }
}
