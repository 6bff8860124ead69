/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives whose buffers are memory of a device, which the processor must not touch:
 *
 *     coll_device_check all|even|odd [short]      at which ranks; short: what passes through shared memory alone
 *
 * The device is a file that is mapped twice: what the program gives to MPI has no access rights, and Open MPI's
 * accelerator, whose functions are replaced here, copies to and from the other place. coll_reduce_local passes through
 * host memory, as in Open MPI's coll/cuda and coll/accelerator. All that is called has to be served by coll/hitopo:
 * Open MPI's own nonblocking reductions touch device memory.
 */
#define _GNU_SOURCE
#include "ompi_config.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test/mpi/checks.h"
#include "test/mpi/coll/calls.h"

#if OMPI_MAJOR_VERSION < 5

int main(int argc, char **argv)
{
    (void) argc;
    (void) argv;
    puts("no accelerators");
    return 0;
}

#else

#include "ompi/communicator/communicator.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/mca/coll/coll.h"
#include "opal/mca/accelerator/accelerator.h"

/* ---- the device ---- */

enum { DEVICE_BYTES = 64 << 20 };
static char *device, *twin;
static size_t num_taken;
static char what[100] = "before the first call";

static int is_device(const void *at)
{
    return (const char *) at >= device && (const char *) at < device + DEVICE_BYTES;
}

/* Where the processor may read and write it. */
static void *host(const void *at)
{
    return is_device(at) ? twin + ((const char *) at - device) : (void *) at;
}

static void tell_touch(int signal, siginfo_t *info, void *context)
{
    void *frames[40];

    (void) context;
    if (is_device(info->si_addr)) {
        (void) !write(STDERR_FILENO, what, strlen(what));
        backtrace_symbols_fd(frames, backtrace(frames, 40), STDERR_FILENO);
    }
    _exit(128 + signal);
}

static int check_addr(const void *at, int *id, uint64_t *flags)
{
    *id = MCA_ACCELERATOR_NO_DEVICE_ID;
    *flags = 0;
    return is_device(at);
}

static int copy(int to_id, int from_id, void *to, const void *from, size_t size, opal_accelerator_transfer_type_t type)
{
    (void) to_id;
    (void) from_id;
    (void) type;
    memmove(host(to), host(from), size);
    return OPAL_SUCCESS;
}

static int copy_async(int to_id, int from_id, void *to, const void *from, size_t size,
                      opal_accelerator_stream_t *stream, opal_accelerator_transfer_type_t type)
{
    (void) stream;
    return copy(to_id, from_id, to, from, size, type);
}

#if OMPI_MAJOR_VERSION < 6
#define COUNT int
#else
#define COUNT size_t
#endif
static mca_coll_base_module_reduce_local_fn_t next_reduce_local;

static int reduce_local(const void *in, void *inout, COUNT count, ompi_datatype_t *type, struct ompi_op_t *op,
                        mca_coll_base_module_t *module)
{
    return next_reduce_local(host(in), host(inout), count, type, op, module);
}

static void make_device(void)
{
    const int file = memfd_create("device", 0);
    const struct sigaction action = {.sa_sigaction = tell_touch, .sa_flags = SA_SIGINFO};
    void *frames[1];

    CHECK(0 <= file && 0 == ftruncate(file, DEVICE_BYTES));
    device = mmap(NULL, DEVICE_BYTES, PROT_NONE, MAP_SHARED, file, 0);
    twin = mmap(NULL, DEVICE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    (void) backtrace(frames, 1); /* loads what it needs */
    sigaction(SIGSEGV, &action, NULL);
    opal_accelerator_base_module_t *accelerator = dlsym(RTLD_DEFAULT, "opal_accelerator");
    accelerator->check_addr = check_addr;
    accelerator->mem_copy = accelerator->mem_move = copy;
    accelerator->mem_copy_async = copy_async;
}

/* ---- collectives ---- */

enum { MOST_RANKS = 64 };

static MPI_Comm comm;
static int rank, size, has_device, count, root, counts[MOST_RANKS], begins[MOST_RANKS];
static int *output, *input; /* that is sent and received: a block for each rank */

static int number(int of, int i)
{
    return of * 10007 + i * 3 + 1;
}

static int call(int kind, form_t form, int is_in_place, MPI_Request *request)
{
    const arguments_t with = {.send = is_in_place && (REDUCE != kind || rank == root) ? MPI_IN_PLACE : output,
                              .receive = input,
                              .send_count = count,
                              .receive_count = count,
                              .root = root,
                              .send_type = MPI_INT,
                              .receive_type = MPI_INT,
                              .op = MPI_SUM,
                              .send_counts = counts,
                              .send_begins = begins,
                              .counts = counts,
                              .begins = begins};

    return perform(kind, form, &with, comm, request);
}

/* At element i of the result; the receive buffer has one for each rank, of which some keep what they had: -1. */
static int expected(int kind, int i)
{
    const int block = i / count, at = i % count, is_first = 0 == block;
    int sum = 0, own_sum = 0;

    for (int other = 0; other < size; ++other) {
        sum += number(other, at);
        own_sum += number(other, rank * count + at);
    }
    switch (kind) {
    case BCAST:
        return is_first ? number(root, at) : -1;
    case REDUCE:
        return is_first && rank == root ? sum : -1;
    case ALLREDUCE:
        return is_first ? sum : -1;
    case ALLGATHER:
    case ALLGATHERV:
        return number(block, at);
    case REDUCE_SCATTER:
    case REDUCE_SCATTER_BLOCK:
        return is_first ? own_sum : -1;
    default:
        return number(block, rank * count + at);
    }
}

/* Fills both buffers: the contribution, and -1 where nothing is received yet. */
static void fill(int kind, int is_in_place)
{
    const int is_scattered = REDUCE_SCATTER == kind || REDUCE_SCATTER_BLOCK == kind;
    const int at = ALLGATHER == kind || ALLGATHERV == kind ? rank * count : 0;
    int *const given = host(output), *const received = host(input);
    const int is_given = BCAST == kind ? rank == root : is_in_place && (REDUCE != kind || rank == root);

    for (int i = 0; i < size * count; ++i) {
        given[i] = number(rank, i);
        received[i] = -1;
    }
    for (int i = 0; is_given && i < (is_scattered ? size * count : count); ++i) {
        received[at + i] = number(rank, i);
    }
}

static void check(int kind, int is_in_place)
{
    const int is_scattered = REDUCE_SCATTER == kind || REDUCE_SCATTER_BLOCK == kind;
    const int num = is_in_place && is_scattered ? count : size * count; /* behind it, anything */
    const int *received = host(input);
    int num_wrong = 0;

    for (int i = 0; i < num; ++i) {
        num_wrong += received[i] != expected(kind, i);
    }
    if (0 < num_wrong) {
        fprintf(stderr, "rank %d, %s: %d wrong\n", rank, what, num_wrong);
    }
    CHECK(0 == num_wrong);
}

static void *take(size_t num_bytes)
{
    if (!has_device) {
        return malloc(num_bytes);
    }
    const size_t at = num_taken;
    num_taken += (num_bytes + 63) / 64 * 64;
    CHECK(num_taken <= DEVICE_BYTES);
    return device + at;
}

static void run(int kind, form_t form, int is_in_place)
{
    static const char *const forms[] = {"", "i", "persistent "};
    MPI_Request request = MPI_REQUEST_NULL;

    for (int i = 0; i < size; ++i) {
        counts[i] = count;
        begins[i] = i * count;
    }
    output = take((size_t) (size * count) * sizeof(*output));
    input = take((size_t) (size * count) * sizeof(*input));
    snprintf(what, sizeof(what), "%s%s of %d bytes%s\n", forms[form], names[kind], count * (int) sizeof(int),
             is_in_place ? ", in place" : "");
    fill(kind, is_in_place);
    CHECK(MPI_SUCCESS == call(kind, form, is_in_place, &request));
    for (int starts = PERSISTENT == form ? 2 : 1; starts > 0; --starts) {
        if (PERSISTENT == form) {
            fill(kind, is_in_place);
            MPI_Start(&request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        check(kind, is_in_place);
    }
    if (MPI_REQUEST_NULL != request) {
        MPI_Request_free(&request);
    }
    if (!has_device) {
        free(output);
        free(input);
    }
}

/* short: on one node the others are not served. */
static int is_short(int kind, form_t form)
{
    return BLOCKING == form && kind <= ALLREDUCE && count * (int) sizeof(int) <= 2048;
}

int main(int argc, char **argv)
{
    static const int all_counts[] = {4, 256, 16384};
    const int is_short_alone = argc > 2;

    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    rank = rank_of(comm);
    size = size_of(comm);
    has_device = 0 == strcmp(argv[1], "all") || rank % 2 == (0 == strcmp(argv[1], "odd"));
    make_device();
    next_reduce_local = comm->c_coll->coll_reduce_local;
    comm->c_coll->coll_reduce_local = reduce_local;
    for (int i = 0; i < 10; ++i) { /* from the eighth on through shared memory */
        MPI_Barrier(comm);
    }
    for (size_t i = 0; i < sizeof(all_counts) / sizeof(*all_counts); ++i) {
        count = all_counts[i];
        num_taken = 0;
        for (int kind = 0; kind <= ALLTOALLV; ++kind) {
            for (form_t form = BLOCKING; form < NUM_FORMS; ++form) {
                root = (kind + form + (int) i) % size;
                for (int is_in_place = 0; is_in_place < 2; ++is_in_place) {
                    if (BARRIER == kind || (is_short_alone && !is_short(kind, form))) {
                        continue;
                    }
                    if (!is_in_place || (BCAST != kind && kind < ALLTOALL)) {
                        run(kind, form, is_in_place);
                    }
                }
            }
        }
    }
    comm->c_coll->coll_reduce_local = next_reduce_local;
    MPI_Comm_free(&comm);
    return finish();
}

#endif
