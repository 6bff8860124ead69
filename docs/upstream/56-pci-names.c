/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * cc -fsanitize=address 56-pci-names.c -o pci -lhwloc; ./pci, with hwloc's plug-in for PCI (libhwloc-plugins)
 * LeakSanitizer: 0.6 MB that libpciaccess read from the file of PCI vendors.
 */
#include <hwloc.h>

int main(void)
{
    hwloc_topology_t topology;

    hwloc_topology_init(&topology);
    hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
    hwloc_topology_load(topology);
    hwloc_topology_destroy(topology);
    return 0;
}
