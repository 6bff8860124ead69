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
#error \
    "hitopo.h includes Open MPI's internal headers, which are C only: call it from a C file (C++ has mpiext_hitopo_c.h)"
#else

#include "ompi_config.h"

#include "opal/mca/base/base.h"
#include "opal/mca/mca.h"

#include "ompi/communicator/communicator.h"

#include "ompi/mca/hitopo/hitopo_level.h"

BEGIN_C_DECLS

/* ---- the address table ---- */

/** The number of a level's instance in an address: 0 .. n-1 for the n distinct instances in the communicator. */
typedef int32_t hitopo_int_t;

/** The process does not know a level that other processes know. (All processes have 0 at a level that none knows.) */
#define HITOPO_UNKNOWN ((hitopo_int_t) -1)

/**
 * Returns the address of one process. Source: the HiTopo wiki, "Interface".
 *
 * All members of comm read the same table. The last split of comm or the last ompi_hitopo_load(comm) made it; before
 * the first of these calls, it is a part of the table that MPI_Init made. Local; never communicates; thread safe.
 *
 * @param comm  an intra- or intercommunicator. The table of an intercommunicator numbers both groups together.
 * @param process_rank  0 .. size - 1; for an intercommunicator a rank of the local group
 *
 * @return HITOPO_NUM_LEVELS values, one for each level of hitopo_level.h. The library owns them. They do not change
 *         until comm is freed or ompi_hitopo_load(comm) is called. A split that exchanges the addresses again, because
 * a binding changed, leaves them unchanged too: the next call then returns another row. NULL if the rank is out of
 *         range, or if comm has no table. It has none if HiTopo is off, if not all processes run HiTopo, or if a member
 *         of comm is not in MPI_COMM_WORLD and ompi_hitopo_load was not called.
 */
OMPI_DECLSPEC hitopo_int_t *ompi_hitopo_get_addr(ompi_communicator_t *comm, int process_rank);

/**
 * Copies the address of one process. It allocates no memory, so use it to read a few of very many addresses. Local;
 * never communicates; thread safe.
 *
 * @param comm, process_rank  as for ompi_hitopo_get_addr
 * @param addr  HITOPO_NUM_LEVELS values; unchanged after an error
 *
 * @return OMPI_SUCCESS; OMPI_ERR_BAD_PARAM if the rank is out of range or addr is NULL; OMPI_ERR_NOT_AVAILABLE if comm
 *         has no table
 */
OMPI_DECLSPEC int ompi_hitopo_read_addr(ompi_communicator_t *comm, int process_rank, hitopo_int_t addr[8]);

/**
 * Returns the whole table of comm. The first call allocates 40 bytes per process, and takes time in proportion to the
 * size of comm. Local; never communicates; thread safe.
 *
 * @param comm  as for ompi_hitopo_get_addr
 *
 * @return an array of pointers to the rows of all processes, by rank; for an intercommunicator those of the local
 * group, then those of the remote group. Ownership and errors as for ompi_hitopo_get_addr.
 */
OMPI_DECLSPEC hitopo_int_t **ompi_hitopo_get_addrs(ompi_communicator_t *comm);

/**
 * Returns the levels that are known in comm. This distinguishes a level with one instance from a level that no process
 * knows: addresses are 0 in both. Local; never communicates; thread safe.
 *
 * @param comm  as for ompi_hitopo_get_addr
 *
 * @return a bit mask: bit l is set if at least one process of comm knows level l; 0 without a table
 */
OMPI_DECLSPEC unsigned ompi_hitopo_get_known_levels(ompi_communicator_t *comm);

/**
 * Makes the table of comm by communication if comm has none (spawned and connected processes, sessions), and replaces
 * it if the binding of a member changed. Collective over comm, and over both groups of an intercommunicator.
 *
 * @param comm  an intra- or intercommunicator
 *
 * @return the same code in all members: OMPI_SUCCESS; OMPI_ERR_NOT_AVAILABLE if HiTopo is off in a member;
 *         OMPI_ERR_NOT_SUPPORTED if members run different versions; or the error of the communication
 */
OMPI_DECLSPEC int ompi_hitopo_load(ompi_communicator_t *comm);

/* ---- the framework ---- */

OMPI_DECLSPEC extern mca_base_framework_t ompi_hitopo_base_framework;

/**
 * A component reports everything that it knows about this process. Local, never collective. Called once for each
 * exchange, in some processes twice, from one thread at a time. Every wait must have a limit in milliseconds.
 *
 * @param question, answer  C++ values (core/address/answer.h), valid during the call only; the answer is empty at first
 *
 * @return OMPI_SUCCESS, also if the component knows nothing in this process; or an OMPI_ERR_* code: the component then
 *         fills no level in this process, and the job continues
 */
typedef int (*mca_hitopo_base_component_query_fn_t)(const hitopo_question_t *question, hitopo_answer_t *answer);

/**
 * A component starts work in the background, so that its query need not wait for it. Local. Called early in MPI_Init,
 * at most once, in the process that answers for its node; MPI_COMM_WORLD does not exist yet. A query need not follow:
 * the component's mca_close_component ends work that is still running.
 *
 * The function may block only to wait for a text that it publishes (ompi_hitopo_base_publish), and an MCA variable must
 * limit that time in milliseconds. No thread that it starts may read the environment, directly or in a library, because
 * MPI_Init changes it (support/helper_process.h).
 */
typedef void (*mca_hitopo_base_component_prepare_fn_t)(void);

/**
 * A component finds out the links of the switch that its last query reported with max_uplinks. It answers with uplinks
 * and a reason. Local, with a limit in milliseconds: the other processes wait for the answer.
 *
 * If the component fills the level switch or island, one of the processes that reported the switch calls this function,
 * after the first collective of the exchange and before the second. Each process derives the islands from the answers
 * of all these processes (core/network/uplinks.h). A switch without an answer keeps its value, and its island is
 * unknown.
 *
 * @param question, answer  as for query; the answer is that of the last query
 *
 * @return as for query
 */
typedef int (*mca_hitopo_base_component_lead_fn_t)(const hitopo_question_t *question, hitopo_answer_t *answer);

/* MCA registers a component of any version: base, levels, priority and verbose have to stay where they are. */
typedef struct mca_hitopo_base_component_2_0_0_t {
    mca_base_component_t base_version;
    mca_base_component_data_t base_data;

    mca_hitopo_base_component_query_fn_t query;
    mca_hitopo_base_component_prepare_fn_t prepare; /* or NULL */
    mca_hitopo_base_component_lead_fn_t lead;       /* or NULL, if it never sets max_uplinks */

    unsigned levels; /* the levels that it can fill: bit l is level l (hitopo_level.h) */

    /* The register function sets this from hitopo_<name>_priority. If two components know a level of a node, the
     * component of the higher priority fills it. */
    int priority;

    /* The register function sets this from hitopo_<name>_verbose. 1: each process prints the answers of the component
     * to standard error. */
    int verbose;
} mca_hitopo_base_component_2_0_0_t;
typedef mca_hitopo_base_component_2_0_0_t mca_hitopo_base_component_t;

/* A component of another major version is left out, with a message. */
#define HITOPO_BASE_MAJOR_VERSION 2

/** The base_version of a component. */
#define MCA_HITOPO_BASE_VERSION_2_0_0                                                                      \
    MCA_BASE_VERSION_2_1_0("ompi", OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION, "hitopo", \
                           HITOPO_BASE_MAJOR_VERSION, 0, 0)

/**
 * Defines mca_hitopo_<name>_component, the symbol that the MCA looks up in the component <name>.
 *
 * @param register_function  registers the component's MCA variables, at least those of ompi_hitopo_base_register_common
 * @param close_function  ends the work that prepare or a query started; or NULL
 * @param ...  initializers of the fields above: .query, .levels, ..
 */
#define HITOPO_COMPONENT(name, register_function, close_function, ...)                                                \
    mca_hitopo_base_component_t mca_hitopo_##name##_component =                                                       \
        {.base_version = {MCA_HITOPO_BASE_VERSION_2_0_0, .mca_component_name = #name,                                 \
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

/**
 * Registers hitopo_<name>_priority and hitopo_<name>_verbose. Local. Call it in the register function.
 *
 * @param component  the component, whose fields priority and verbose are set
 * @param priority  the default
 *
 * @return OMPI_SUCCESS, or the negative code of the MCA
 */
OMPI_DECLSPEC int ompi_hitopo_base_register_common(mca_hitopo_base_component_t *component, int priority);

/**
 * Registers the string hitopo_<component>_<name>. Local. Call it in the register function.
 *
 * @param component  the component
 * @param name  the last part of the variable's name
 * @param help  the text that `hitopo info` shows
 * @param value  set to the user's value, which the MCA owns, or to the default NULL
 *
 * @return OMPI_SUCCESS, or the negative code of the MCA
 */
OMPI_DECLSPEC int ompi_hitopo_base_register_string(mca_hitopo_base_component_t *component, const char *name,
                                                   const char *help, const char **value);

/**
 * Registers the integer <framework>_<component>_<name>. Local. A value below `least` becomes the default, and rank 0
 * prints a message at the end of MPI_Init.
 *
 * @param framework, component, name  the parts of the variable's name: "hitopo", "slurm", "timeout_ms"
 * @param help  the text that `hitopo info` shows
 * @param level  how many users the variable is for
 * @param usual  the default
 * @param least  the smallest value that makes sense
 * @param value  set to the user's value, or to the default
 *
 * @return OMPI_SUCCESS, or the negative code of the MCA
 */
OMPI_DECLSPEC int ompi_hitopo_base_register_int(const char *framework, const char *component, const char *name,
                                                const char *help, mca_base_var_info_lvl_t level, int usual, int least,
                                                int *value);

/**
 * Returns whether this process will be rank 0 of MPI_COMM_WORLD. Local; for a component's prepare.
 *
 * @return true or false; false without a PMIx server
 */
OMPI_DECLSPEC bool ompi_hitopo_base_is_first_process(void);

/**
 * Returns the launcher's names of the job's nodes. Local; for a component's prepare.
 *
 * @return the names, separated by commas, which the caller frees; NULL without a PMIx server
 */
OMPI_DECLSPEC char *ompi_hitopo_base_nodes(void);

/**
 * Publishes a text for all processes of the job. MPI_Init's own PMIx fence distributes it. Local; for a component's
 * prepare in the first process.
 *
 * @param name  a PMIx key that begins with "hitopo.", such as "hitopo.slurm"
 * @param text  at most 64 KiB, NUL-terminated; copied
 */
OMPI_DECLSPEC void ompi_hitopo_base_publish(const char *name, const char *text);

/**
 * Returns the text that the first process published. Local, one look-up in PMIx; for a component's query.
 *
 * @param name  the name that ompi_hitopo_base_publish got
 *
 * @return the text, which the caller frees; NULL if there is none
 */
OMPI_DECLSPEC char *ompi_hitopo_base_published(const char *name);

END_C_DECLS

#endif /* C++ */

#endif
