/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What a component may tell the framework: plain C types only, so that C and C++ components alike
 * can include it and no C++ type crosses a shared-object boundary.
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

/* Kinds of bad input; each that the component answers is a topic of its help file. "Not here" (no Slurm, no InfiniBand)
 * is no error: say so with reason() only. */
enum {
    HITOPO_ERROR_MALFORMED = 1,  /* topic "malformed" */
    HITOPO_ERROR_STALE = 2,      /* topic "stale" */
    HITOPO_ERROR_UNREADABLE = 3, /* topic "unreadable" */
    HITOPO_ERROR_TOO_LARGE = 4,  /* topic "too-large" */
    HITOPO_ERROR_FAILED = 5,     /* topic "failed" */
    HITOPO_ERROR_DISAGREE = 6,   /* topic "disagree" */
    HITOPO_ERROR_SKIPPED = 7,    /* base's "skipped": entries of a file that cost only themselves */
    HITOPO_ERROR_ABSENT = 8      /* base's "absent": a file that tells nothing of this process; told where all say so */
};

typedef struct hitopo_error_t {
    int code;            /* HITOPO_ERROR_* */
    const char *value;   /* the offending piece of the input; NUL-terminated */
    const char *where;   /* file or variable that holds it; "" if none */
    int line, column;    /* 1-based; 0 where they do not apply */
    const char *message; /* what is wrong and the remedy, one sentence */
} hitopo_error_t;

/* value() flags */
enum {
    /* This node value replaces the framework's own node identity (component file: simulated nodes). */
    HITOPO_VALUE_REPLACES_NODE = 1,
    /* This value counts for all processes of the node: only one of them asks (speaks_for_node). */
    HITOPO_VALUE_FOR_NODE = 2
};

/* What is linked to a leaf switch. Strings may be "" and are cut at 64 bytes. */
typedef struct hitopo_uplinks_t {
    const char *name;         /* of the switch: what people shall see instead of its value */
    const uint64_t *switches; /* one hop above it: identities, in any order */
    int num_switches;
    /* The one of `switches` after which an island of just these is called: any rule will do by which
     * equal sets give the same one. */
    const char *island_name;
    const char *island_id; /* its unmistakable name */
} hitopo_uplinks_t;

/*
 * Callbacks that are valid during one query of one component in one process. All strings and arrays
 * belong to the caller and are copied. Local calls. Each returns 0, or an OMPI_ERR_* code if memory
 * ran out, which the component passes on.
 */
typedef struct hitopo_report_t {
    void *context;

    /* `level`'s raw value: a path of `depth` >= 1 parts, outermost first; the last is what people
     * see, the ones before only make it distinct. At most one call for each level counts: the last. */
    int (*value)(void *context, int level, const hitopo_name_t *path, int depth, unsigned flags);

    /* Why the component could or could not answer for `level` (-1: for all of its levels); shown by
     * `hitopo show --why`. */
    int (*reason)(void *context, int level, const char *text);

    /* Bad input: costs only the levels that the component then does not fill. The first call counts. */
    int (*error)(void *context, const hitopo_error_t *error);

    /* The node's hardware: an encoded hitopo::Machine (core/machine/machine.h). Only where wants_machine. */
    int (*machine)(void *context, const void *bytes, size_t num_bytes);

    /* A simulated binding: a rule of core/machine/machine.h (bind_by_rule), or a CPU list or mask. */
    int (*binding)(void *context, const char *rule);

    /* During query: this component gave the level switch, gives no island, and can tell what is linked to
     * the switch, at most max_uplinks (up to 1024) switches above it, if its `lead` is called. */
    int (*may_lead)(void *context, int max_uplinks);

    /* During lead: what is linked to the switch that this process gave in its last query. */
    int (*uplinks)(void *context, const hitopo_uplinks_t *uplinks);

    /* Non-zero in the process that asks for the node what all its processes would be told alike, and
     * reports it with HITOPO_VALUE_FOR_NODE: local rank 0, or where the exchange lacks it, its lowest. */
    int speaks_for_node;

    /* Non-zero in the same process, while no component of higher priority gave a machine and none is known
     * from an earlier exchange. A component may contribute its machine elsewhere too if it is simulated
     * and therefore cheap. */
    int wants_machine;

    /* Non-zero while hitopo_hwloc_topology or hitopo_hwloc_binding simulates a machine: cpuid is
     * silent then. */
    int is_simulated;

    /* The process, as the framework knows it. */
    int rank;              /* in MPI_COMM_WORLD */
    int size;              /* of MPI_COMM_WORLD */
    const char *host_name; /* of this node, never NULL */

    /* A side resource: what processes share that is no level, since it nests in nothing, such as an NVLink domain.
     * It changes no address and no unguided split. `type` is its URI, "nvlink://Domain": a scheme and a name of
     * letters, digits and "+-._", at most 64 bytes, not of the schemes hwloc, hitopo, mpi and slurm. `order`: its
     * place among such types, smaller is further out. `path` as of value(): equal where processes share one, on
     * whatever nodes they are. flags: 0, or HITOPO_VALUE_FOR_NODE. For each type the last call counts. Returns
     * OMPI_ERR_BAD_PARAM for another type or an empty path, and from the 17th type on. */
    int (*side)(void *context, const char *type, int order, const hitopo_name_t *path, int depth, unsigned flags);

    /* Why the component told that type of side resource, or could not; the last call for each type counts. Shown
     * by `hitopo show --why`, which lists no other type that nobody has. Returns as side does. */
    int (*side_reason)(void *context, const char *type, const char *text);

    /* The environment variable that has this node's name where the host name is another
     * (hitopo_hostname_variable); NULL: the default (support/node_names.h). */
    const char *name_variable;
} hitopo_report_t;

#ifdef __cplusplus
}
#endif

#endif
