// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How many threads OpenMP will start in a process, as far as its environment says so for certain.
#ifndef OMPI_TOOLS_HITOPO_CHECK_OMP_THREADS_H
#define OMPI_TOOLS_HITOPO_CHECK_OMP_THREADS_H

namespace hitopo::tool {

// The values of OMP_NUM_THREADS, OMP_THREAD_LIMIT and OMP_DYNAMIC; NULL where one is not set.
struct OmpVariables {
    const char* num_threads = nullptr;
    const char* thread_limit = nullptr;
    const char* dynamic = nullptr;
};

// Threads of the outermost parallel region: the first number of OMP_NUM_THREADS ("8", "4,2"), or the
// limit if that is less. 0: not set, no such list (any bytes), or OpenMP may take fewer (OMP_DYNAMIC is
// true). OpenMP 5.2, 21.1.2, 21.1.4, 21.2.2.
int omp_threads(const OmpVariables& variables);

}  // namespace hitopo::tool

#endif
