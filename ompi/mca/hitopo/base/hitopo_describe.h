/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What HiTopo knows, as JSON documents (docs/json.md): for the command `hitopo` and for tools that
 * must not depend on Open MPI's internals. Plain C types only.
 */
#ifndef OMPI_MCA_HITOPO_BASE_HITOPO_DESCRIBE_H
#define OMPI_MCA_HITOPO_BASE_HITOPO_DESCRIBE_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/*
 * Contract of all three: call between MPI_Init and MPI_Finalize. Local; none communicates. The result
 * is a NUL-terminated JSON document in UTF-8 (names with other bytes come with U+FFFD in their place)
 * of the schema in docs/json.md, from malloc: give it to free(). NULL if there is no document or no
 * memory.
 */

/*
 * ompi_hitopo_describe_table: MPI_COMM_WORLD's address table; the same at all ranks.
 *
 * reason  may be NULL; where the result is NULL, *reason says why in one line (HiTopo is off, or not
 *         at all processes): a constant of the library, never NULL. Untouched otherwise.
 */
char *ompi_hitopo_describe_table(const char **reason);

/* ompi_hitopo_describe_process: this process: its components' raw answers, reasons, its binding. */
char *ompi_hitopo_describe_process(void);

/* ompi_hitopo_describe_framework: components, versions and all MCA variables, as in this process. */
char *ompi_hitopo_describe_framework(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
