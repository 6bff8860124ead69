/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks slurmctld for the topology and prints it in the syntax of topology.conf, between two marks
 * (ompi/mca/hitopo/slurm/published_topology.h). A program of its own, run by component slurm: Slurm's library
 * ends its process where it finds no slurm.conf.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <slurm/slurm.h>

/* The functions that are needed, under the types of the headers. ISO C has no cast from an object pointer
 * to a function pointer. */
#define FUNCTION(name)                  \
    union {                             \
        void *address;                  \
        __typeof__(slurm_##name) *call; \
    } name

static struct {
    FUNCTION(api_version);
    FUNCTION(init);
    FUNCTION(load_topo);
#ifdef HITOPO_SLURM_PRINT
    FUNCTION(print_topo_info_msg);
#endif
} library;

static int fail(const char *why)
{
    printf("%s\n", why);
    return EXIT_FAILURE;
}

static int has_version(long version)
{
    int wanted = 0;

    (void) sscanf(HITOPO_SLURM_SONAME, "libslurm.so.%d", &wanted);
    return version >> 16 == wanted;
}

/* It is global, since the library's plugins take its functions from the program (docs/upstream.md). No structure of
 * another version can be trusted, even under the right name. */
static const char *load_library(void)
{
    void *handle = dlopen(HITOPO_SLURM_SONAME, RTLD_NOW | RTLD_GLOBAL);

    if (NULL == handle) {
        return dlerror();
    }
    library.api_version.address = dlsym(handle, "slurm_api_version");
    library.init.address = dlsym(handle, "slurm_init");
    library.load_topo.address = dlsym(handle, "slurm_load_topo");
    if (NULL == library.api_version.address || !has_version(library.api_version.call())) {
        return HITOPO_SLURM_SONAME " has another version than HiTopo was built with";
    }
#ifdef HITOPO_SLURM_PRINT
    library.print_topo_info_msg.address = dlsym(handle, "slurm_print_topo_info_msg");
    if (NULL == library.print_topo_info_msg.address) {
        return HITOPO_SLURM_SONAME " lacks slurm_print_topo_info_msg";
    }
#endif
    return NULL == library.init.address || NULL == library.load_topo.address ? HITOPO_SLURM_SONAME
               " lacks slurm_init or slurm_load_topo"
                                                                             : NULL;
}

#ifdef HITOPO_SLURM_PRINT /* 23.11 and later: the structure is Slurm's own, its text is public */
static void print_topology(topo_info_response_msg_t *topology)
{
    library.print_topo_info_msg.call(HITOPO_SLURM_PRINT(stdout, topology));
}
#else
static void print_setting(const char *key, const char *value)
{
    if (NULL != value && '\0' != value[0]) {
        printf(" %s=%s", key, value);
    }
}

/* The nodes of an inner switch are those of all leaves below it. */
static void print_topology(topo_info_response_msg_t *topology)
{
    for (uint32_t i = 0; i < topology->record_count; ++i) {
        const topo_info_t *record = &topology->topo_array[i];
        printf("SwitchName=%s", record->name);
        if (0 == record->level) {
            print_setting("Nodes", record->nodes);
        }
        print_setting("Switches", record->switches);
        printf("\n");
    }
}
#endif

int main(void)
{
    topo_info_response_msg_t *topology = NULL;
    const char *why = load_library();

    if (NULL != why) {
        return fail(why);
    }
    unsetenv("SLURM_TOPO_LEN"); /* Slurm would cut the lines that it prints to so many characters */
    library.init.call(NULL);
    if (0 != library.load_topo.call(HITOPO_SLURM_LOAD(&topology)) || NULL == topology) {
        return fail("slurm_load_topo failed");
    }
    printf("topology:\n");
    print_topology(topology);
    printf("end of topology\n");
    return EXIT_SUCCESS; /* the library's memory goes with the process */
}
