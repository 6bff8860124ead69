/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * HiTopo: the hierarchical address of every MPI process. The framework's contract with its
 * components, and the address table for collectives and other internals of Open MPI.
 *
 * C only: it includes Open MPI's internal headers, which are not C++.
 */
#ifndef OMPI_MCA_HITOPO_HITOPO_H
#define OMPI_MCA_HITOPO_HITOPO_H

#ifdef __cplusplus
#error "hitopo.h is C, as Open MPI's internal headers are: call it from a C file (C++ has mpiext_hitopo_c.h)"
#else

#include "ompi_config.h"

#include "opal/mca/base/base.h"
#include "opal/mca/mca.h"

#include "ompi/communicator/communicator.h"

#include "ompi/mca/hitopo/hitopo_report.h"

BEGIN_C_DECLS

/* ---- the address table ---- */

/* One level's value in an address: 0..n-1 among the n distinct ones of the communicator. */
typedef int32_t hitopo_int_t;

/* Others know this level, this process does not. (Nobody knows: 0 for all.) */
#define HITOPO_UNKNOWN ((hitopo_int_t) -1)

/*
 * ompi_hitopo_get_addr: the address of one process.
 *
 * comm          an intra- or intercommunicator; an intercommunicator's table numbers both groups
 *               together, and process_rank is a rank of the local group
 * process_rank  0 .. size - 1
 *
 * Returns HITOPO_NUM_LEVELS values (hitopo_report.h names the levels), or NULL if comm has no table
 * (HiTopo is off or not on all processes, or a member of comm is not in MPI_COMM_WORLD and
 * ompi_hitopo_load was not called) or the rank is out of range. The row belongs to the library and
 * stays as it is until comm is freed or ompi_hitopo_load(comm) is called. A split of comm that exchanges
 * the addresses anew, since a binding changed, leaves it as it is: the next call returns another one. Others'
 * rows are not made for it.
 *
 * All members of comm read one table: the one that they agreed on in the last split of comm or in
 * ompi_hitopo_load(comm); before the first of these, a part of the table that MPI_Init made.
 * Local; never communicates; thread safe. Source: the HiTopo wiki, "Interface".
 */
OMPI_DECLSPEC hitopo_int_t *ompi_hitopo_get_addr(ompi_communicator_t *comm, int process_rank);

/*
 * ompi_hitopo_read_addr: copies that address to addr. Takes no memory, whatever comm's size, and so is the way to
 * look at some of very many processes. Arguments as of ompi_hitopo_get_addr; addr has HITOPO_NUM_LEVELS values, which
 * stay as they are after an error.
 *
 * Returns OMPI_SUCCESS, OMPI_ERR_BAD_PARAM if the rank is out of range or addr is NULL, or OMPI_ERR_NOT_AVAILABLE if
 * comm has no table. Local; never communicates; thread safe.
 */
OMPI_DECLSPEC int ompi_hitopo_read_addr(ompi_communicator_t *comm, int process_rank, hitopo_int_t addr[8]);

/*
 * ompi_hitopo_get_addrs: the whole table of comm: one pointer for each rank of the local group (of
 * an intercommunicator: the local group's, then the remote group's) to that process's row, as of
 * ompi_hitopo_get_addr. Same contract.
 */
OMPI_DECLSPEC hitopo_int_t **ompi_hitopo_get_addrs(ompi_communicator_t *comm);

/*
 * ompi_hitopo_get_known_levels: bit l is set where some process of comm knows level l, which tells a level
 * with one value from one that nobody knows: the addresses are 0 in both. 0 without a table. Same contract.
 */
OMPI_DECLSPEC unsigned ompi_hitopo_get_known_levels(ompi_communicator_t *comm);

/*
 * ompi_hitopo_load: gives comm its table by communication where it cannot be had without (spawned
 * and connected processes, sessions), and renews it where a member's binding changed since its table
 * was made. Collective over comm (over both groups of an intercommunicator). All members return the
 * same code: OMPI_SUCCESS, OMPI_ERR_NOT_AVAILABLE if HiTopo is off at a member, OMPI_ERR_NOT_SUPPORTED
 * if members run different versions, or what the collective returned.
 */
OMPI_DECLSPEC int ompi_hitopo_load(ompi_communicator_t *comm);

/* ---- the framework ---- */

OMPI_DECLSPEC extern mca_base_framework_t ompi_hitopo_base_framework;

/*
 * query: asks the component for all that it knows about this process; local, never collective.
 *
 * report  how to answer; valid during the call only
 *
 * Returns OMPI_SUCCESS (also where the component knows nothing here), or an OMPI_ERR_* code, which
 * costs the component's levels in this process, never the run. Called once for each exchange, in some
 * processes twice, from one thread at a time. Bounded: what can block has a limit in milliseconds.
 */
typedef int (*mca_hitopo_base_component_query_fn_t)(const hitopo_report_t *report);

/*
 * prepare: starts in the background what query would wait for. Called early in MPI_Init in the process
 * that speaks for its node, at most once; MPI_COMM_WORLD does not exist yet. query may follow or not;
 * the component's mca_close_component ends what is still under way. Local; may not block, but for a time
 * that an MCA variable in milliseconds bounds, and only where what it waits for is published
 * (hitopo_base_publish). No thread that it leaves behind may read the environment, directly or in a library:
 * MPI_Init changes it (support/helper_process.h).
 */
typedef void (*mca_hitopo_base_component_prepare_fn_t)(void);

/*
 * lead: asks for what is linked to the switch that the last query reported with report->may_lead, and
 * answers by report->uplinks and report->reason. Where the component fills level switch or island, it is
 * called in one process of all those that reported that switch, after the first collective of the exchange
 * and before the second, in which the others wait for its answer: bounded in milliseconds. From the answers
 * of all leaders every process derives the islands by itself (core/network/uplinks.h); a switch without an answer
 * keeps its value and lies in no known island. Local. Returns as query does.
 */
typedef int (*mca_hitopo_base_component_lead_fn_t)(const hitopo_report_t *report);

typedef struct mca_hitopo_base_component_1_0_0_t {
    mca_base_component_t base_version;
    mca_base_component_data_t base_data;

    mca_hitopo_base_component_query_fn_t query;
    mca_hitopo_base_component_prepare_fn_t prepare; /* or NULL */
    mca_hitopo_base_component_lead_fn_t lead;       /* or NULL: never calls report->may_lead */

    unsigned levels; /* that it can fill: bit l is level l (hitopo_report.h) */

    /* Set by the component's register function from hitopo_<name>_priority; where two components
     * fill one level of one node, the higher wins. */
    int priority;

    /* Likewise, from hitopo_<name>_verbose: 1 tells what the component answered, to standard error. */
    int verbose;
} mca_hitopo_base_component_1_0_0_t;
typedef mca_hitopo_base_component_1_0_0_t mca_hitopo_base_component_t;

/* For a component's base_version. */
#define MCA_HITOPO_BASE_VERSION_1_0_0 \
    MCA_BASE_VERSION_2_1_0("ompi", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION, "hitopo", 1, 0, 0)

/*
 * HITOPO_COMPONENT: the component <name> as the MCA finds it, mca_hitopo_<name>_component.
 *
 * register_function  registers its MCA variables, hitopo_base_register_common's at least
 * close_function     ends what prepare or a query left under way; or NULL
 * ..                 initializers of the fields above: .query, .levels, ..
 */
#define HITOPO_COMPONENT(name, register_function, close_function, ...)                                                \
    mca_hitopo_base_component_t mca_hitopo_##name##_component =                                                       \
        {.base_version = {MCA_HITOPO_BASE_VERSION_1_0_0, .mca_component_name = #name,                                 \
                          MCA_BASE_MAKE_VERSION(component, 0, 2, 0),                                                  \
                          .mca_register_component_params = register_function, .mca_close_component = close_function}, \
         .base_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},                                            \
         __VA_ARGS__};                                                                                                \
    HITOPO_COMPONENT_INIT(name)
#ifdef MCA_BASE_COMPONENT_INIT /* from Open MPI 6.0 on */
#define HITOPO_COMPONENT_INIT(name) MCA_BASE_COMPONENT_INIT(ompi, hitopo, name)
#else
#define HITOPO_COMPONENT_INIT(name)
#endif

/* Registers hitopo_<name>_priority and hitopo_<name>_verbose; call from the register function. */
OMPI_DECLSPEC int hitopo_base_register_common(mca_hitopo_base_component_t *component, int priority);

/*
 * Registers hitopo_<component>_<name>, a string that users give: *value is NULL by default, and belongs to the
 * MCA. OMPI_SUCCESS or a negative code; call from the register function.
 */
OMPI_DECLSPEC int hitopo_base_register_string(mca_hitopo_base_component_t *component, const char *name,
                                              const char *help, const char **value);

/*
 * For a component's prepare: what one process finds out for all travels with MPI_Init's own fence.
 *
 * hitopo_base_is_first_process: whether this process will be rank 0 of MPI_COMM_WORLD; false without a PMIx
 *     server.
 * hitopo_base_publish: gives all processes of the job a text of at most 64 KiB under a name of HiTopo's
 *     ("hitopo.slurm"). In the first process, from prepare.
 *
 * For a component's query:
 *
 * hitopo_base_published: what the first process published under that name, to be freed by the caller; NULL
 *     if nothing. Local: a look-up in PMIx.
 */
OMPI_DECLSPEC bool hitopo_base_is_first_process(void);
OMPI_DECLSPEC void hitopo_base_publish(const char *name, const char *text);
OMPI_DECLSPEC char *hitopo_base_published(const char *name);

END_C_DECLS

#endif /* C++ */

#endif
