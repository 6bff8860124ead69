/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The arguments of a split that mpi.h may lack, under names of our own. The extension (ompi/mpiext/hitopo) gives them
 * MPI's, and has the compiler compare the values.
 */
#ifndef OMPI_COMM_HWSPLIT_CONSTANTS_H
#define OMPI_COMM_HWSPLIT_CONSTANTS_H

/* Split types: the standard's, with Open MPI 6's values, and ours. */
enum {
    HITOPO_COMM_TYPE_HW_UNGUIDED = 12,
    HITOPO_COMM_TYPE_HW_GUIDED = 13,
    HITOPO_COMM_TYPE_RESOURCE_GUIDED = 14,
    HITOPO_COMM_TYPE_HW_DOMAIN = 1001,
    HITOPO_COMM_TYPE_PHYSICAL_TOPOLOGY = 1002,
    HITOPO_COMM_TYPE_ADDRESS_SPACE = 1003,
};

#endif
