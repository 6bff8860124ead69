/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The hook that makes HiTopo part of MPI_Init and MPI_Finalize where Open MPI finds this component.
 */
#include "ompi_config.h"

#if OMPI_MAJOR_VERSION >= 5
#include <pmix.h>
#endif

#include "ompi/constants.h"
#include "ompi/mca/hook/hook.h"

#include "ompi/communicator/comm_hwsplit.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

/* The MCA is up, and keys that are put now travel with the fence of MPI_Init. That is behind us at
 * mpi_init_top_post_opal from 5.0 on; open comes before it there, but also in ompi_info. */
#if OMPI_MAJOR_VERSION < 5
static void before_fence(int argc, char **argv, int requested, int *provided)
{
    (void) argc;
    (void) argv;
    (void) requested;
    (void) provided;
    ompi_hitopo_join_communicators();
    ompi_hitopo_base_announce();
}
#else
static int open_hook(void)
{
    if (PMIx_Initialized()) {
        ompi_hitopo_join_communicators();
        ompi_hitopo_base_announce();
    }
    return OMPI_SUCCESS;
}
#endif

static void at_init_end(int argc, char **argv, int requested, int *provided)
{
    (void) argc;
    (void) argv;
    (void) requested;
    (void) provided;
    ompi_hitopo_base_start();
}

const ompi_hook_base_component_t mca_hook_hitopo_component = {
    .hookm_version =
        {
            OMPI_HOOK_BASE_VERSION_1_0_0,
            .mca_component_name = "hitopo",
            MCA_BASE_MAKE_VERSION(component, 0, 2, 0),
#if OMPI_MAJOR_VERSION >= 5
            .mca_open_component = open_hook,
#endif
        },
    .hookm_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},
#if OMPI_MAJOR_VERSION < 5
    .hookm_mpi_init_top_post_opal = before_fence,
#endif
    .hookm_mpi_init_bottom = at_init_end,
    .hookm_mpi_finalize_top = ompi_hitopo_base_finalize,
};

#ifdef MCA_BASE_COMPONENT_INIT
MCA_BASE_COMPONENT_INIT(ompi, hook, hitopo)
#endif
