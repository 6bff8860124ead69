/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that the processes of a node share, made at MPI_Init's end, of which each communicator gets a part. It is a
 * file without a name, which they open in the process that made it: so nothing is left behind by processes that die,
 * and no folder has to have room for it.
 */
#define _GNU_SOURCE /* memfd_create */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include <fcntl.h>
#include <pthread.h>
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

#include "ompi/mca/hitopo/base/framework/hitopo_base_positions.h"
#include "ompi/mca/hitopo/hitopo.h"

/* In another container, process numbers have another meaning: the number leads to other memory or none. So the memory
 * begins with the invitation. */
typedef struct invitation_t {
    int64_t pid;
    int64_t file; /* -1: there is no memory */
    char nonce[48];
} invitation_t;

/* Address space of a node's processes. Its parts take memory one by one. */
#define NUM_BYTES ((size_t) 64 << 20)

/* The memory of one communicator, and when all processes are through with it, of another one. */
typedef struct hitopo_coll_part_t {
    size_t num_bytes;                /* of all */
    struct hitopo_coll_part_t *next; /* that this process took; for no other process */
    int num_users;                   /* processes; atomic */
    char cells[] __attribute__((aligned(64)));
} part_t;

typedef struct memory_t {
    invitation_t invitation;
    size_t end; /* of all parts; atomic */
    char parts[] __attribute__((aligned(64)));
} memory_t;

/* The node's; NULL: a process of it lacks it. */
static memory_t *memory = NULL;
static int file = -1;
static hitopo_base_positions_t *world = NULL;
static int first_position, end_position; /* of the node */
static part_t *taken = NULL;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `taken` */

static void close_memory(void)
{
    if (NULL != memory) {
        munmap(memory, NUM_BYTES);
    }
    if (0 <= file) {
        close(file);
    }
    memory = NULL;
    file = -1;
}

static void map(void)
{
    void *mapped = mmap(NULL, NUM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    memory = MAP_FAILED == mapped ? NULL : mapped;
}

/* A longer file than that raises SIGXFSZ. */
static bool may_be_as_long(size_t num_bytes)
{
    struct rlimit limit;

    return 0 == getrlimit(RLIMIT_FSIZE, &limit) && num_bytes <= limit.rlim_cur;
}

/* A process that writes to a page for which there is no room gets SIGBUS; so pages are taken before. */
static bool take_pages(size_t first, size_t end)
{
    return 0 == posix_fallocate(file, (off_t) first, (off_t) (end - first));
}

static invitation_t make(void)
{
    invitation_t invitation = {.pid = getpid(), .file = -1};

    file = may_be_as_long(NUM_BYTES) ? memfd_create("hitopo", MFD_CLOEXEC) : -1;
    if (0 <= file && 0 == ftruncate(file, (off_t) NUM_BYTES) && take_pages(0, sizeof(*memory))
        && sizeof(invitation.nonce) == getrandom(invitation.nonce, sizeof(invitation.nonce), 0)) {
        map();
    }
    if (NULL != memory) {
        invitation.file = file;
        memory->invitation = invitation;
        memory->end = sizeof(*memory);
    }
    return invitation;
}

static void enter(const invitation_t *invitation)
{
    char path[64];
    struct stat status;

    snprintf(path, sizeof(path), "/proc/%lld/fd/%lld", (long long) invitation->pid, (long long) invitation->file);
    file = invitation->file < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (0 <= file && 0 == fstat(file, &status) && (size_t) status.st_size == NUM_BYTES) {
        map();
    }
    if (NULL != memory && 0 != memcmp(&memory->invitation, invitation, sizeof(*invitation))) {
        close_memory();
    }
}

/* Errors are ignored: of the receiver, what it lacks is as it was; and they fail the next collective, too. */
static void send_to(ompi_communicator_t *comm, int rank, const void *from, size_t num_bytes)
{
    (void) MCA_PML_CALL(
        send(from, num_bytes, MPI_BYTE, rank, hitopo_coll_blocking_tag(), MCA_PML_BASE_SEND_STANDARD, comm));
}

static void send_to_others(ompi_communicator_t *comm, const void *from, size_t num_bytes)
{
    for (int at = first_position + 1; at < end_position; ++at) {
        send_to(comm, ompi_hitopo_base_rank_at(world, at), from, num_bytes);
    }
}

static void receive_from(ompi_communicator_t *comm, int rank, void *to, size_t num_bytes)
{
    (void) MCA_PML_CALL(recv(to, num_bytes, MPI_BYTE, rank, hitopo_coll_blocking_tag(), comm, MPI_STATUS_IGNORE));
}

/* The first process invites the others of its node, and tells them whether all have the memory. */
static void share(ompi_communicator_t *comm)
{
    const int first = ompi_hitopo_base_rank_at(world, first_position);
    invitation_t invitation = {.file = -1};
    char all_have = 1;

    if (first == ompi_comm_rank(comm)) {
        invitation = make();
        all_have = NULL != memory;
        send_to_others(comm, &invitation, sizeof(invitation));
        for (int at = first_position + 1; at < end_position; ++at) {
            char has = 0;
            receive_from(comm, ompi_hitopo_base_rank_at(world, at), &has, 1);
            all_have &= has;
        }
        send_to_others(comm, &all_have, 1);
    } else {
        receive_from(comm, first, &invitation, sizeof(invitation));
        enter(&invitation);
        const char has = NULL != memory;
        send_to(comm, first, &has, 1);
        all_have = 0;
        receive_from(comm, first, &all_have, 1);
    }
    if (!all_have) {
        close_memory();
    }
}

void hitopo_coll_open_memory(ompi_communicator_t *comm)
{
    int most = 0;

    world = ompi_hitopo_base_positions_of(comm);
    for (int at = 0, node = 0, end; NULL != world && at < ompi_comm_size(comm); at = end) {
        end = ompi_hitopo_base_interval_begin(world, HITOPO_LEVEL_NODE, ++node);
        most = end - at > most ? end - at : most;
    }
    if (0 == hitopo_coll_settings.least_sharing || most < hitopo_coll_settings.least_sharing) {
        return;
    }
    const int own = ompi_hitopo_base_position_of(world, ompi_comm_rank(comm));
    const int node = ompi_hitopo_base_interval_at(world, HITOPO_LEVEL_NODE, own);
    first_position = ompi_hitopo_base_interval_begin(world, HITOPO_LEVEL_NODE, node);
    end_position = ompi_hitopo_base_interval_begin(world, HITOPO_LEVEL_NODE, node + 1);
    share(comm);
}

/* The memory stays: communicators are freed later. */
void hitopo_coll_leave_memory(void)
{
    ompi_hitopo_base_drop_positions(world);
    world = NULL;
}

/* The smallest unused one that is large enough, or a new one; NULL: there is no room. Under the lock. */
static part_t *take(int num_users, size_t num_bytes)
{
    part_t *part = NULL;

    for (part_t *old = taken; NULL != old; old = old->next) {
        if (num_bytes <= old->num_bytes && (NULL == part || old->num_bytes < part->num_bytes)
            && 0 == __atomic_load_n(&old->num_users, __ATOMIC_ACQUIRE)) {
            part = old;
        }
    }
    if (NULL != part) {
        part->num_users = num_users;
        memset(part->cells, 0, num_bytes - sizeof(*part));
        return part;
    }
    const size_t end = __atomic_add_fetch(&memory->end, num_bytes, __ATOMIC_RELAXED);
    if (end > NUM_BYTES || !take_pages(end - num_bytes, end)) {
        return NULL;
    }
    part = (part_t *) ((char *) memory + end - num_bytes);
    *part = (part_t){.num_bytes = num_bytes, .next = taken, .num_users = num_users};
    taken = part;
    return part;
}

/* Processes may be on another node than in MPI_Init: their tables were exchanged anew. */
static bool are_of_this_node(ompi_communicator_t *comm, int num, const int *ranks)
{
    for (int i = 0; i < num; ++i) {
        const int rank = (int) ompi_group_get_proc_name(comm->c_local_group, ranks[i]).vpid;
        const int position = ompi_hitopo_base_position_of(world, rank);
        if (position < first_position || end_position <= position) {
            return false;
        }
    }
    return true;
}

void *hitopo_coll_take_cells(hitopo_coll_messages_t *messages, int num, const int *ranks, size_t num_bytes)
{
    const hitopo_coll_call_t *call = (hitopo_coll_call_t *) messages;
    int64_t at = -1; /* in the memory */

    if (NULL == memory || !are_of_this_node(call->comm, num, ranks)) {
        return NULL;
    }
    if (ranks[0] != ompi_comm_rank(call->comm)) {
        receive_from(call->comm, ranks[0], &at, sizeof(at));
    } else {
        pthread_mutex_lock(&lock);
        part_t *part = take(num, sizeof(*part) + num_bytes);
        pthread_mutex_unlock(&lock);
        at = NULL == part ? -1 : (char *) part - (char *) memory;
        for (int i = 1; i < num; ++i) {
            send_to(call->comm, ranks[i], &at, sizeof(at));
        }
    }
    if (at < 0) {
        return NULL;
    }
    call->module->shared = (part_t *) ((char *) memory + at);
    return call->module->shared->cells;
}

void hitopo_coll_give_back_cells(part_t *part)
{
    if (NULL != part) {
        (void) __atomic_sub_fetch(&part->num_users, 1, __ATOMIC_RELEASE);
    }
}
