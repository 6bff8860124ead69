/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What hwloc says of this machine, without HiTopo: a line for each type that it has, with "true" if this
 * process is bound within one instance of it. Instances with equal CPUs are one; an instruction cache that
 * is shared like the data cache of its depth is left out, as hwloc itself does by default.
 */
/* libs: -lhwloc */
#include <hwloc.h>
#include <stdio.h>

static hwloc_topology_t topology;

static int is_instruction_cache(hwloc_obj_t object)
{
    return hwloc_obj_type_is_icache(object->type);
}

/* Whether all objects at `depth` have an object of `other` type with the same CPUs. */
static int is_twin(int depth, hwloc_obj_type_t other)
{
    for (hwloc_obj_t a = hwloc_get_obj_by_depth(topology, depth, 0); NULL != a; a = a->next_cousin) {
        int found = 0;
        for (hwloc_obj_t b = hwloc_get_obj_by_type(topology, other, 0); NULL != b; b = b->next_cousin) {
            found |= hwloc_bitmap_isequal(a->complete_cpuset, b->complete_cpuset);
        }
        if (!found) {
            return 0;
        }
    }
    return 1;
}

static void print_depth(int depth, hwloc_const_cpuset_t binding)
{
    hwloc_obj_t first = hwloc_get_obj_by_depth(topology, depth, 0);
    hwloc_const_cpuset_t holder = NULL;
    int num_holders = 0, num_with_cpus = 0;
    char name[64];

    if (is_instruction_cache(first) && is_twin(depth, HWLOC_OBJ_L1CACHE + (first->type - HWLOC_OBJ_L1ICACHE))) {
        return;
    }
    for (hwloc_obj_t object = first; NULL != object; object = object->next_cousin) {
        num_with_cpus += !hwloc_bitmap_iszero(object->complete_cpuset);
        if (hwloc_bitmap_isincluded(binding, object->complete_cpuset)
            && (NULL == holder || !hwloc_bitmap_isequal(holder, object->complete_cpuset))) {
            holder = object->complete_cpuset;
            ++num_holders;
        }
    }
    hwloc_obj_type_snprintf(name, sizeof(name), first, 0);
    if (num_with_cpus > 0) {
        /* NUMA nodes and caches print with size or letter otherwise: "L1d", "L3". */
        printf("hwloc://%s %s\n", hwloc_obj_type_is_cache(first->type) ? hwloc_obj_type_string(first->type) : name,
               1 == num_holders ? "true" : "false");
    }
}

int main(void)
{
    hwloc_bitmap_t binding = hwloc_bitmap_alloc();

    hwloc_topology_init(&topology);
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_load(topology);
    hwloc_get_cpubind(topology, binding, HWLOC_CPUBIND_PROCESS);
    for (int depth = 0; depth < hwloc_topology_get_depth(topology); ++depth) {
        print_depth(depth, binding);
    }
    if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE) > 0) {
        print_depth(HWLOC_TYPE_DEPTH_NUMANODE, binding);
    }
    hwloc_bitmap_free(binding);
    hwloc_topology_destroy(topology);
    return 0;
}
