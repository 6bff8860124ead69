/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds libmpi_abi by the names of loaded libraries: its symbols are in libmpi, too.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "ompi/mca/hitopo/base/framework/hitopo_base_abi.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompi/mca/hitopo/base/framework/hitopo_base_mpi.h"

static bool has_abi;

/* "libmpi_abi.so.1", but not "libmpi_abi_tools.so". */
static bool is_abi_name(const char *name)
{
    static const char abi[] = "libmpi_abi.so";
    const size_t length = sizeof(abi) - 1;

    return 0 == strncmp(name, abi, length) && ('\0' == name[length] || '.' == name[length]);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return NULL == slash ? path : slash + 1;
}

/* "" where it has none. glibc makes the table's address absolute where that section may be written. */
static const char *soname_of(const ElfW(Dyn) * entry, ElfW(Addr) base)
{
    ElfW(Addr) strings = 0;
    const ElfW(Dyn) *soname = NULL;

    for (; DT_NULL != entry->d_tag; ++entry) {
        if (DT_STRTAB == entry->d_tag) {
            strings = entry->d_un.d_ptr < base ? base + entry->d_un.d_ptr : entry->d_un.d_ptr;
        } else if (DT_SONAME == entry->d_tag) {
            soname = entry;
        }
    }
    return 0 == strings || NULL == soname ? "" : (const char *) (uintptr_t) (strings + soname->d_un.d_val);
}

/* Its file can have another name than its soname, which links of that name lead to. */
static int is_abi(struct dl_phdr_info *object, size_t size, void *context)
{
    (void) size;
    (void) context;
    if (NULL != object->dlpi_name && is_abi_name(base_name(object->dlpi_name))) {
        return 1;
    }
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        if (PT_DYNAMIC == object->dlpi_phdr[i].p_type) {
            const ElfW(Addr) address = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
            return is_abi_name(soname_of((const ElfW(Dyn) *) (uintptr_t) address, object->dlpi_addr));
        }
    }
    return 0;
}

/* It does not print by the MCA, which is Open MPI's to start. */
static void print(void)
{
    const char *verbose = getenv("OMPI_MCA_hitopo_base_verbose");

    if (NULL != verbose && 0 < atoi(verbose)) {
        fputs("HiTopo is off: this program uses the standard ABI of MPI (libmpi_abi is loaded)\n", stderr);
    }
}

bool ompi_hitopo_base_has_abi(void)
{
    return __atomic_load_n(&has_abi, __ATOMIC_ACQUIRE);
}

bool ompi_hitopo_base_stays_out(void)
{
    return !HITOPO_IN_TREE && ompi_hitopo_base_has_abi();
}

bool ompi_hitopo_base_find_abi(void)
{
    if (!ompi_hitopo_base_has_abi() && 0 != dl_iterate_phdr(is_abi, NULL)
        && !__atomic_exchange_n(&has_abi, true, __ATOMIC_ACQ_REL) && ompi_hitopo_base_stays_out()) {
        print();
    }
    return ompi_hitopo_base_stays_out();
}
