/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For functions of MPI in a library that stands before libmpi, and may have tools of MPI's profiling interface on
 * either side.
 */
#ifndef OMPI_MCA_HITOPO_BASE_FRAMEWORK_HITOPO_BASE_NEXT_H
#define OMPI_MCA_HITOPO_BASE_FRAMEWORK_HITOPO_BASE_NEXT_H

#ifndef _GNU_SOURCE
#error "RTLD_NEXT: define _GNU_SOURCE before all headers"
#endif
#include <dlfcn.h>
#include <stddef.h>

#include "ompi/mca/hitopo/base/framework/hitopo_base_mpi.h"

/* The definition of that function behind this library's, or NULL. */
#define HITOPO_NEXT(name) ((__typeof__(name) *) dlsym(RTLD_NEXT, #name))

/* Defines MPI_x where PMPI_x is ours. A tool behind us has an MPI_x, too: it gets the call, and calls PMPI_x. In
 * libmpi, which is behind us all, both are one function. */
#if HITOPO_IN_TREE
#define HITOPO_MPI_NAME(name, parameters, arguments) \
    OMPI_DECLSPEC int name parameters __attribute__((weak, alias("P" #name)));
#else
#define HITOPO_MPI_NAME(name, parameters, arguments)                      \
    OMPI_DECLSPEC int name parameters                                     \
    {                                                                     \
        static __typeof__(name) *_Atomic function; /* dlsym takes long */ \
                                                                          \
        if (NULL == function) {                                           \
            __typeof__(name) *const next = HITOPO_NEXT(name);             \
            function = HITOPO_NEXT(P##name) == next ? P##name : next;     \
        }                                                                 \
        return function arguments;                                        \
    }
#endif

#endif
