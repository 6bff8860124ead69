/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * HiTopo's data as JSON documents (docs/json.md), for the command `hitopo` and for tools that must not depend on Open
 * MPI's internal headers. Plain C types only.
 *
 * Call these functions between MPI_Init and MPI_Finalize. All are local and never communicate. Each returns a
 * NUL-terminated JSON document in UTF-8, of the schema in docs/json.md. Bytes of names that are not valid UTF-8 are
 * replaced by U+FFFD. The document is allocated by malloc, and the caller frees it by free().
 */
#ifndef OMPI_MCA_HITOPO_BASE_HITOPO_DESCRIBE_H
#define OMPI_MCA_HITOPO_BASE_HITOPO_DESCRIBE_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/**
 * Returns the address table of MPI_COMM_WORLD. The document is the same in all processes. Local.
 *
 * @param reason  NULL, or set if the function returns NULL: one line that says why there is no table, for example
 *                because HiTopo is off, or not all processes run it. The string is a constant of the library and never
 *                NULL. Unchanged if the function returns a document.
 *
 * @return the document, which the caller frees; NULL if there is no table, or memory ran out
 */
char *ompi_hitopo_describe_table(const char **reason);

/**
 * Returns the raw values and reasons of all components in this process, and its binding. Local.
 *
 * @return the document, which the caller frees; NULL if memory ran out
 */
char *ompi_hitopo_describe_process(void);

/**
 * Returns the components with their versions, and all MCA variables with their values in this process. Local.
 *
 * @return the document, which the caller frees; NULL if memory ran out
 */
char *ompi_hitopo_describe_framework(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
