/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that the processes of a node share. It is a file without a name, which they open in the process that made it:
 * so nothing is left behind by processes that die, and no folder has to have room for it.
 */
#define _GNU_SOURCE /* memfd_create */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mpi.h"

#include "ompi/constants.h"
#include "ompi/mca/pml/pml.h"

/* In another container, process numbers have another meaning: the number leads to other memory or none. So the memory
 * begins with the invitation. */
typedef struct invitation_t {
    int64_t pid;
    int64_t file; /* -1: there is no memory */
    char nonce[48];
} invitation_t;

/* A process maps no more bytes: a program may have thousands of communicators. */
#define MAX_MAPPED ((size_t) 64 << 20)
static size_t num_mapped = 0;

static void unmap(void *memory, size_t num_bytes)
{
    munmap(memory, num_bytes);
    (void) __atomic_sub_fetch(&num_mapped, num_bytes, __ATOMIC_RELAXED);
}

static void *map(int file, size_t num_bytes)
{
    void *memory = __atomic_add_fetch(&num_mapped, num_bytes, __ATOMIC_RELAXED) > MAX_MAPPED
                       ? MAP_FAILED
                       : mmap(NULL, num_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    if (MAP_FAILED == memory) {
        (void) __atomic_sub_fetch(&num_mapped, num_bytes, __ATOMIC_RELAXED);
        return NULL;
    }
    return memory;
}

/* A longer file than that raises SIGXFSZ. */
static bool may_be_as_long(size_t num_bytes)
{
    struct rlimit limit;

    return 0 == getrlimit(RLIMIT_FSIZE, &limit) && num_bytes <= limit.rlim_cur;
}

/* It takes its pages at once: a process that writes to one for which there is no room would get SIGBUS. */
static void *make(size_t num_bytes, invitation_t *invitation)
{
    const int file = may_be_as_long(num_bytes) ? memfd_create("hitopo", MFD_CLOEXEC) : -1;
    void *memory = NULL;

    *invitation = (invitation_t){.pid = getpid(), .file = -1};
    if (0 <= file && 0 == posix_fallocate(file, 0, (off_t) num_bytes)
        && sizeof(invitation->nonce) == getrandom(invitation->nonce, sizeof(invitation->nonce), 0)) {
        memory = map(file, num_bytes);
    }
    if (NULL != memory) {
        invitation->file = file;
        memcpy(memory, invitation, sizeof(*invitation));
    } else if (0 <= file) {
        close(file);
    }
    return memory;
}

static void *enter(size_t num_bytes, const invitation_t *invitation)
{
    char path[64];
    struct stat status;
    void *memory = NULL;

    if (invitation->file < 0) {
        return NULL;
    }
    snprintf(path, sizeof(path), "/proc/%lld/fd/%lld", (long long) invitation->pid, (long long) invitation->file);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) {
        return NULL;
    }
    if (0 == fstat(file, &status) && (size_t) status.st_size == num_bytes) {
        memory = map(file, num_bytes);
    }
    close(file);
    if (NULL != memory && 0 != memcmp(memory, invitation, sizeof(*invitation))) {
        unmap(memory, num_bytes);
        memory = NULL;
    }
    return memory;
}

/* It ignores errors of messages: they fail the next collective, too. */
static void *share(hitopo_coll_t *coll, ompi_communicator_t *comm, size_t num_bytes, invitation_t *invitation)
{
    const int tag = hitopo_coll_blocking_tag(), first = hitopo_coll_node_rank(coll, 0);

    if (first != ompi_comm_rank(comm)) {
        invitation->file = -1;
        (void) MCA_PML_CALL(recv(invitation, sizeof(*invitation), MPI_BYTE, first, tag, comm, MPI_STATUS_IGNORE));
        void *memory = enter(num_bytes, invitation);
        invitation->file = -1;
        return memory;
    }
    void *memory = make(num_bytes, invitation);
    for (int process = 1, rank; 0 <= (rank = hitopo_coll_node_rank(coll, process)); ++process) {
        (void) MCA_PML_CALL(
            send(invitation, sizeof(*invitation), MPI_BYTE, rank, tag, MCA_PML_BASE_SEND_STANDARD, comm));
    }
    return memory;
}

_Static_assert(sizeof(invitation_t) == HITOPO_COLL_MEMORY_HEAD, "cells begin in a cache line of their own");

int hitopo_coll_share_memory(hitopo_coll_t *coll, const hitopo_coll_entry_t *entry, size_t wanted)
{
    hitopo_coll_module_t *module = (hitopo_coll_module_t *) entry->super;
    hitopo_coll_call_t agreement;
    invitation_t invitation;
    bool is_used;

    (void) hitopo_coll_begin_bytes(entry, &agreement);
    agreement.first_tag = hitopo_coll_blocking_tag();
    module->num_shared_bytes = HITOPO_COLL_MEMORY_HEAD + wanted;
    module->shared = share(coll, entry->comm, module->num_shared_bytes, &invitation);
    char *cells = NULL == module->shared ? NULL : (char *) module->shared + HITOPO_COLL_MEMORY_HEAD;
    const int rc = hitopo_coll_use_memory(coll, &agreement.messages, cells, &is_used); /* collective */
    if (!is_used) {
        hitopo_coll_unshare(module);
    }
    if (0 <= invitation.file) {
        close((int) invitation.file);
    }
    return rc;
}

void hitopo_coll_unshare(hitopo_coll_module_t *module)
{
    if (NULL != module->shared) {
        unmap(module->shared, module->num_shared_bytes);
        module->shared = NULL;
    }
}
