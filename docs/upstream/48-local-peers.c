/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 48-local-peers.c -o peers $(pkg-config --cflags --libs pmix); mpirun -np 1 --host .. ./peers n1 n2 n3 ..
 * With mpirun 4.1 on a host that is none of the nodes, one of them is NOT-FOUND; another one on each node.
 */
#include <pmix.h>
#include <stdbool.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pmix_proc_t job;
    bool yes = true;

    PMIx_Init(&job, NULL, 0);
    job.rank = PMIX_RANK_WILDCARD;
    for (int i = 1; i < argc; ++i) {
        pmix_value_t *value = NULL;
        pmix_info_t of_node[2];
        PMIX_INFO_LOAD(&of_node[0], PMIX_NODE_INFO, &yes, PMIX_BOOL);
        PMIX_INFO_LOAD(&of_node[1], PMIX_HOSTNAME, argv[i], PMIX_STRING);
        const int rc = PMIx_Get(&job, PMIX_LOCAL_PEERS, of_node, 2, &value);
        printf("%s: %s\n", argv[i], PMIX_SUCCESS == rc ? value->data.string : PMIx_Error_string(rc));
    }
    return PMIx_Finalize(NULL, 0);
}
