/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What HiTopo knows of a communicator's processes, and what the user hears.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdlib.h>

#include "opal/util/output.h"

hitopo_topo_processes_t hitopo_topo_processes(ompi_communicator_t *comm, int num)
{
    return (hitopo_topo_processes_t){.num = num,
                                     .positions = ompi_hitopo_base_positions_of(comm),
                                     .capacities = hitopo_topo_capacity()};
}

void hitopo_topo_free_processes(hitopo_topo_processes_t *processes)
{
    ompi_hitopo_base_drop_positions(processes->positions);
    processes->positions = NULL;
}

bool hitopo_topo_is_asked(ompi_communicator_t *comm)
{
    const hitopo_topo_reorder_t mode = hitopo_topo_reorder();

    return HITOPO_TOPO_REORDER_ON == mode || (HITOPO_TOPO_REORDER_REPORT == mode && 0 == ompi_comm_rank(comm));
}

void hitopo_topo_tell(ompi_communicator_t *comm, const hitopo_base_order_t *gain)
{
    if (0 == gain->size || 0 != ompi_comm_rank(comm)) {
        return;
    }
    ompi_hitopo_base_ordered(gain);
    char *text = hitopo_topo_is_verbose() ? hitopo_topo_gain_text(gain) : NULL;
    if (NULL != text) {
        opal_output(0, "topo:hitopo: %s of %d processes: %s%s", gain->function, gain->size, text,
                    HITOPO_TOPO_REORDER_ON == hitopo_topo_reorder() ? "" : " (topo_hitopo_reorder is not on)");
    }
    free(text);
}
