/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload that tells HiTopo another host name from rank OTHER_FROM on, as in a second container of one host, of the
 * greatest length that Linux has for one; Open MPI itself hears the real one.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_elsewhere(const void *caller)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK"), *from = getenv("OTHER_FROM");
    Dl_info library;

    return NULL != rank && NULL != from && atoi(rank) >= atoi(from) && 0 != dladdr(caller, &library)
           && NULL != library.dli_fname && NULL != strstr(library.dli_fname, "hitopo.so");
}

int gethostname(char *name, size_t num_bytes)
{
    union {
        void *address;
        int (*call)(char *, size_t);
    } next = {dlsym(RTLD_NEXT, "gethostname")};

    if (is_elsewhere(__builtin_return_address(0))) {
        const char other[] = "a-second-container-whose-name-is-as-long-as-a-host-name-may-be--";
        if (num_bytes < sizeof(other)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(name, other, sizeof(other));
        return 0;
    }
    return next.call(name, num_bytes);
}
