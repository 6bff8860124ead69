/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The levels of an address, and the names of the question and the answer of a component.
 */
#ifndef OMPI_MCA_HITOPO_HITOPO_LEVEL_H
#define OMPI_MCA_HITOPO_HITOPO_LEVEL_H

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

/* C passes them on; a component's C++ reads the question and fills the answer (core/address/answer.h). */
typedef struct hitopo_question_t hitopo_question_t;
typedef struct hitopo_answer_t hitopo_answer_t;

#endif
