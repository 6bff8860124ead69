/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A program of MPI's standard ABI: calls what HiTopo's libraries stand before, and tells what came of it. Linked with
 * a libmpi_abi, or, with -DBY_DLOPEN, given one's path, of which it then takes the functions, as interpreters do.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi.h"

#ifdef BY_DLOPEN
static void *library;

static void *function(const char *name)
{
    void *address = dlsym(library, name);

    if (NULL == address) {
        fprintf(stderr, "no %s\n", name);
        exit(1);
    }
    return address;
}
#define CALL(name) (*(__typeof__(&name)) function(#name))
#else
#define CALL(name) name
#endif

static int count(struct dl_phdr_info *object, size_t size, void *num)
{
    (void) size;
    *(int *) num += NULL != strstr(object->dlpi_name, "/mca_hitopo_")
                    || NULL != strstr(object->dlpi_name, "/mca_coll_hitopo")
                    || NULL != strstr(object->dlpi_name, "/mca_topo_hitopo");
    return 0;
}

static int num_components_of_hitopo(void)
{
    int num = 0;

    dl_iterate_phdr(count, &num);
    return num;
}

/* Open MPI's hooks come to HiTopo's libraries by these two, whatever a program was linked with. */
static void call_as_hook_does(const char *name)
{
    union {
        void *address;
        void (*function)(void);
    } hook = {dlsym(RTLD_DEFAULT, name)};

    if (NULL != hook.address && NULL != getenv("AS_HOOK")) {
        hook.function();
    }
}

static void split_and_map(void)
{
    const int dims[] = {1}, index[] = {0}, edges[] = {0};
    MPI_Comm copy, node;
    int rank = -1, size = -1, place = -1, place_in_graph = -1;

    CALL(MPI_Comm_dup)(MPI_COMM_WORLD, &copy);
    CALL(MPI_Comm_split_type)(copy, MPI_COMM_TYPE_SHARED, 7, MPI_INFO_NULL, &node);
    CALL(MPI_Comm_rank)(node, &rank);
    CALL(MPI_Comm_size)(node, &size);
    CALL(MPI_Cart_map)(MPI_COMM_SELF, 1, dims, index, &place);
    CALL(MPI_Graph_map)(MPI_COMM_SELF, 1, index, edges, &place_in_graph);
    printf("%d of %d, %d, %d\n", rank, size, place, place_in_graph);
    CALL(MPI_Comm_free)(&node);
    CALL(MPI_Comm_free)(&copy);
}

static void send_to_self(void)
{
    int sent = 42, received = 0, sum = 0;
    MPI_Request request;

    CALL(MPI_Send_init)(&sent, 1, MPI_INT, 0, 5, MPI_COMM_SELF, &request);
    CALL(MPI_Start)(&request);
    CALL(MPI_Recv)(&received, 1, MPI_INT, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CALL(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    CALL(MPI_Request_free)(&request);
    CALL(MPI_Allreduce)(&received, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    printf("received %d\n", sum);
}

int main(int argc, char **argv)
{
    MPI_Info resources = MPI_INFO_NULL;

#ifdef BY_DLOPEN
    library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (NULL == library) {
        fprintf(stderr, "no library: %s\n", argc > 1 ? dlerror() : "name it");
        return 1;
    }
#endif
    CALL(MPI_Get_hw_resource_info)(&resources);
    call_as_hook_does("ompi_hitopo_base_announce");
    CALL(MPI_Init)(&argc, &argv);
    call_as_hook_does("ompi_hitopo_base_start");
    CALL(MPI_Pcontrol)(1);
    split_and_map();
    send_to_self();
    CALL(MPI_Barrier)(MPI_COMM_WORLD);
    printf("components of HiTopo: %d\n", num_components_of_hitopo());
    CALL(MPI_Info_free)(&resources);
    CALL(MPI_Finalize)();
    return 0;
}
