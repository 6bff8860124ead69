#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# With Open MPI 4.1: mpicc 00-hello.c -o hello; ./33-async-fences.sh
# About two of 20 jobs fail in MPI_Init: a process looks a peer's key up before the peer has committed it.
for i in $(seq 20); do
    mpirun -np 8 --oversubscribe --mca pmix_base_collect_data 0 --mca pmix_base_async_modex 1 ./hello 2>&1 |
        grep -m1 'PML add procs failed'
done
