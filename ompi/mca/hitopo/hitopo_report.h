/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The interface through which a component reports to the framework. It has plain C types only: C and C++ components can
 * include it, and no C++ type crosses the boundary of a shared object.
 */
#ifndef OMPI_MCA_HITOPO_HITOPO_REPORT_H
#define OMPI_MCA_HITOPO_HITOPO_REPORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The eight levels of an address, outermost first: 0 to 7. */
enum {
    HITOPO_LEVEL_CLUSTER,
    HITOPO_LEVEL_ISLAND,
    HITOPO_LEVEL_SWITCH,
    HITOPO_LEVEL_NODE,
    HITOPO_LEVEL_L2NUMA,
    HITOPO_LEVEL_SOCKET,
    HITOPO_LEVEL_CORE,
    HITOPO_LEVEL_HWTHREAD,
    HITOPO_NUM_LEVELS
};

/* Sets of levels: bit l is level l. */
enum {
    HITOPO_LEVELS_NETWORK = 0x0f, /* cluster, island, switch, node */
    HITOPO_LEVELS_INSIDE = 0xf0,  /* l2numa, socket, core, hwthread */
    HITOPO_LEVELS_ALL = 0xff
};

/* One part of a raw value: a name, or a number where name is NULL. */
typedef struct hitopo_name_t {
    const char *name;
    uint64_t number;
} hitopo_name_t;

/* Kinds of bad input: the topics of base/help-hitopo-base.txt. Absent hardware or software (no Slurm, no InfiniBand) is
 * not an error: call reason() only. */
enum {
    HITOPO_ERROR_MALFORMED = 1,
    HITOPO_ERROR_STALE = 2,
    HITOPO_ERROR_UNREADABLE = 3,
    HITOPO_ERROR_TOO_LARGE = 4,
    HITOPO_ERROR_FAILED = 5,
    HITOPO_ERROR_DISAGREE = 6, /* not of components: processes do not agree */
    HITOPO_ERROR_SKIPPED = 7,  /* some entries of a file were ignored */
    HITOPO_ERROR_ABSENT = 8    /* a file has no entry for this node; shown if it has none for the job */
};

typedef struct hitopo_error_t {
    int code;            /* HITOPO_ERROR_* */
    const char *value;   /* the offending piece of the input; NUL-terminated */
    const char *where;   /* the file or variable that contains the value; "" if none */
    int line, column;    /* the position in the file, from 1; 0 if there is none */
    const char *message; /* the fault and the remedy in one sentence */
} hitopo_error_t;

/* Flags of value() and side(). */
enum {
    /* This value of the level node replaces the framework's value (component file: simulated nodes). */
    HITOPO_VALUE_REPLACES_NODE = 1,
    /* For side(): this value holds for all processes of the node; only one of them reports it (asks_for_node).
     * value() needs no such flag: a value of the levels cluster to node always holds for the node. */
    HITOPO_VALUE_FOR_NODE = 2
};

/** The links of a leaf switch. Strings may be "" and are truncated to 64 bytes. */
typedef struct hitopo_uplinks_t {
    const char *name;         /* the name of the leaf switch, shown instead of its value */
    const uint64_t *switches; /* num_switches unique numbers of the switches one hop above it, in any order */
    int num_switches;
    /* The name of the island below this set of switches: the name of one of the switches. Equal sets must give the same
     * name. */
    const char *island_name;
    const char *island_id; /* the unique identifier of that switch */
} hitopo_uplinks_t;

/**
 * Callbacks that are valid during one query() or lead() of one component in one process. All are local. The caller owns
 * all strings and arrays; callbacks copy them. Each callback gets `context` as its first argument. It returns 0, or an
 * OMPI_ERR_* code if memory ran out; the component then returns that code too.
 */
typedef struct hitopo_report_t {
    void *context;

    /**
     * Reports the value of a level. A further call for the same level replaces the value.
     *
     * @param level  0 .. HITOPO_NUM_LEVELS - 1
     * @param path  `depth` parts, outermost first. The last part is shown; the parts before it make the value unique.
     * @param depth  at least 1
     * @param flags  0 or HITOPO_VALUE_REPLACES_NODE
     */
    int (*value)(void *context, int level, const hitopo_name_t *path, int depth, unsigned flags);

    /**
     * Reports why the component gave a level a value, or no value. `hitopo show --why` prints the reason.
     *
     * @param level  0 .. HITOPO_NUM_LEVELS - 1, or -1 for all levels of the component
     * @param text  one sentence
     */
    int (*reason)(void *context, int level, const char *text);

    /** Reports bad input. The first call of a query counts. The component then fills only the levels that it can. */
    int (*error)(void *context, const hitopo_error_t *error);

    /** Reports the hardware of the node as an encoded hitopo::Machine (core/machine/machine.h). Only if wants_machine.
     */
    int (*machine)(void *context, const void *bytes, size_t num_bytes);

    /** Reports a simulated binding: a rule of core/machine/machine.h (bind_by_rule), or a list or mask of CPUs. */
    int (*binding)(void *context, const char *rule);

    /**
     * Called during query() by a component that reported the switch but no island. It says that lead() can find out the
     * links of the switch.
     *
     * @param max_uplinks  the largest number of switches that lead() may report, at most 1024
     */
    int (*may_lead)(void *context, int max_uplinks);

    /** Called during lead(): reports the links of the switch that this process reported in its last query. */
    int (*uplinks)(void *context, const hitopo_uplinks_t *uplinks);

    /* Non-zero in the one process of a node that reports values for all processes of the node: local rank 0, or the
     * node's lowest rank if local rank 0 is not in the exchange. */
    int asks_for_node;

    /* Non-zero in the same process, if no component of higher priority has reported a machine and no earlier exchange
     * provided one. Any process may report a simulated machine, which is cheap. */
    int wants_machine;

    /* Non-zero if hitopo_hwloc_topology or hitopo_hwloc_binding simulates a machine; cpuid then reports nothing. */
    int is_simulated;

    int rank;              /* of this process in MPI_COMM_WORLD */
    int size;              /* of MPI_COMM_WORLD */
    const char *host_name; /* of this node, never NULL */

    /**
     * Reports a side resource, such as an NVLink domain: processes share it, but it does not nest in the levels. It
     * changes no address and no unguided split. A further call for the same type replaces the value.
     *
     * @param type  the URI of the type, such as "nvlink://Domain": a scheme and a name of letters, digits and "+-._",
     *              at most 64 bytes. The schemes hwloc, hitopo, mpi and slurm are reserved.
     * @param order  the position among the types of side resources; smaller is further out
     * @param path, depth  as for value(); equal in processes that share an instance, on any node
     * @param flags  0 or HITOPO_VALUE_FOR_NODE
     *
     * @return also OMPI_ERR_BAD_PARAM for an invalid type, an empty path, or the 17th and every further type
     */
    int (*side)(void *context, const char *type, int order, const hitopo_name_t *path, int depth, unsigned flags);

    /**
     * Reports why the component gave a side resource of a type, or none. A further call for the same type replaces the
     * reason. `hitopo show --why` prints the reason. It lists a type that no process has only if there is a reason.
     *
     * @return as side()
     */
    int (*side_reason)(void *context, const char *type, const char *text);

    /* The environment variable that contains the node's name if the host name differs (hitopo_hostname_variable); NULL
     * for the default (support/reporter.h). */
    const char *name_variable;

    /* The levels that components of higher priority reported in this process: bit l is level l. */
    unsigned known_levels;
} hitopo_report_t;

#ifdef __cplusplus
}
#endif

#endif
