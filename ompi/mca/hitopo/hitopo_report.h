/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What a component reports to the framework. Plain C types only: C and C++ components can include it, and no C++ type
 * crosses the boundary of a shared object.
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

/* Kinds of bad input; each that the component reports is a topic of its help file. "Not here" (no Slurm, no InfiniBand)
 * is no error: give a reason() only. */
enum {
    HITOPO_ERROR_MALFORMED = 1,  /* topic "malformed" */
    HITOPO_ERROR_STALE = 2,      /* topic "stale" */
    HITOPO_ERROR_UNREADABLE = 3, /* topic "unreadable" */
    HITOPO_ERROR_TOO_LARGE = 4,  /* topic "too-large" */
    HITOPO_ERROR_FAILED = 5,     /* topic "failed" */
    HITOPO_ERROR_DISAGREE = 6,   /* topic "disagree" */
    HITOPO_ERROR_SKIPPED = 7,    /* base's "skipped": entries of a file were left out, the others are used */
    HITOPO_ERROR_ABSENT = 8 /* base's "absent": a file does not name this node; shown if it names no node of the job */
};

typedef struct hitopo_error_t {
    int code;            /* HITOPO_ERROR_* */
    const char *value;   /* the offending piece of the input; NUL-terminated */
    const char *where;   /* the file or variable that has it; "" if none */
    int line, column;    /* from 1 on; 0 if they do not apply */
    const char *message; /* the fault and the remedy in one sentence */
} hitopo_error_t;

/* value() flags */
enum {
    /* This value of level node replaces the framework's own (component file: simulated nodes). */
    HITOPO_VALUE_REPLACES_NODE = 1,
    /* This value counts for all processes of the node; only one of them reports it (speaks_for_node). */
    HITOPO_VALUE_FOR_NODE = 2
};

/** What is linked to a leaf switch. Strings may be "" and are cut at 64 bytes. */
typedef struct hitopo_uplinks_t {
    const char *name;         /* the name of the switch, shown instead of its value */
    const uint64_t *switches; /* identities of the switches one hop above it, in any order */
    int num_switches;
    /* The name of an island that has just these switches above: that of one of them. Equal sets must give the same. */
    const char *island_name;
    const char *island_id; /* the unique name of that switch */
} hitopo_uplinks_t;

/**
 * Callbacks that are valid during one query() or lead() of one component in one process. Local. All strings and arrays
 * belong to the caller and are copied. Each callback gets `context` first, and returns 0, or an OMPI_ERR_* code if
 * memory is short, which the component returns, too.
 */
typedef struct hitopo_report_t {
    void *context;

    /**
     * Reports the value of a level. For each level the last call counts.
     *
     * @param level  0 .. HITOPO_NUM_LEVELS - 1
     * @param path  `depth` parts, outermost first: the last is shown, those before make it distinct
     * @param depth  at least 1
     * @param flags  HITOPO_VALUE_*
     */
    int (*value)(void *context, int level, const hitopo_name_t *path, int depth, unsigned flags);

    /**
     * Reports why the component gave a level a value, or none. `hitopo show --why` shows it.
     *
     * @param level  0 .. HITOPO_NUM_LEVELS - 1; -1: all of the component's levels
     * @param text  one sentence
     */
    int (*reason)(void *context, int level, const char *text);

    /** Reports bad input, which costs only the levels that the component then does not fill. The first call counts. */
    int (*error)(void *context, const hitopo_error_t *error);

    /** Reports the node's hardware, an encoded hitopo::Machine (core/machine/machine.h). Only if wants_machine. */
    int (*machine)(void *context, const void *bytes, size_t num_bytes);

    /** Reports a simulated binding: a rule of core/machine/machine.h (bind_by_rule), or a list or mask of CPUs. */
    int (*binding)(void *context, const char *rule);

    /**
     * During query: this component gave level switch, gives no island, and can find out what is linked to the switch if
     * its lead() is called.
     *
     * @param max_uplinks  the largest number of switches above it that it will report, at most 1024
     */
    int (*may_lead)(void *context, int max_uplinks);

    /** During lead: reports what is linked to the switch that this process reported in its last query. */
    int (*uplinks)(void *context, const hitopo_uplinks_t *uplinks);

    /* Non-zero in the process that asks what is equal for all processes of its node, and reports it with
     * HITOPO_VALUE_FOR_NODE: local rank 0, or the node's lowest rank if local rank 0 is not in the exchange. */
    int speaks_for_node;

    /* Non-zero in the same process, while no component of higher priority reported a machine and none is known from an
     * earlier exchange. Any process may report a simulated machine, which costs little. */
    int wants_machine;

    /* Non-zero while hitopo_hwloc_topology or hitopo_hwloc_binding simulates a machine; cpuid then reports nothing. */
    int is_simulated;

    int rank;              /* of this process in MPI_COMM_WORLD */
    int size;              /* of MPI_COMM_WORLD */
    const char *host_name; /* of this node, never NULL */

    /**
     * Reports a side resource: something that processes share and that is no level since it nests in nothing, such as
     * an NVLink domain. It changes no address and no unguided split. For each type the last call counts.
     *
     * @param type  its URI, "nvlink://Domain": a scheme and a name of letters, digits and "+-._", at most 64 bytes. The
     *              scheme is none of hwloc, hitopo, mpi and slurm.
     * @param order  its position among such types; smaller is further out
     * @param path, depth  as for value(): equal for processes that share one, on any nodes
     * @param flags  0 or HITOPO_VALUE_FOR_NODE
     *
     * @return also OMPI_ERR_BAD_PARAM for another type or an empty path, and from the 17th type on
     */
    int (*side)(void *context, const char *type, int order, const hitopo_name_t *path, int depth, unsigned flags);

    /**
     * Reports why the component gave a type of side resource, or none. For each type the last call counts. `hitopo show
     * --why` shows it, and lists no other type that no process has.
     *
     * @return as side()
     */
    int (*side_reason)(void *context, const char *type, const char *text);

    /* The environment variable that has this node's name where the host name differs (hitopo_hostname_variable); NULL:
     * the default (support/node_names.h). */
    const char *name_variable;
} hitopo_report_t;

#ifdef __cplusplus
}
#endif

#endif
