/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 49-fence.c -o fence $(pkg-config --cflags --libs pmix); mpirun --host n1:2,n2:2 ./fence, with 5.0.7
 * Each process finds the values of its own node alone, though the fence collected all.
 */
#include <pmix.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    pmix_value_t own = {.type = PMIX_UINT32}, *value;
    pmix_info_t collect, at_once;
    pmix_proc_t self, other;
    bool yes = true;

    PMIx_Init(&self, NULL, 0);
    PMIX_INFO_LOAD(&collect, PMIX_COLLECT_DATA, &yes, PMIX_BOOL);
    PMIX_INFO_LOAD(&at_once, PMIX_IMMEDIATE, &yes, PMIX_BOOL);
    PMIx_Put(PMIX_GLOBAL, "some.key", &own);
    PMIx_Commit();
    PMIx_Fence(NULL, 0, &collect, 1);
    memcpy(&other, &self, sizeof(other));
    for (other.rank = 0; other.rank < 4; ++other.rank) {
        printf("%u of %u: %s\n", self.rank, other.rank,
               PMIx_Error_string(PMIx_Get(&other, "some.key", &at_once, 1, &value)));
    }
    PMIx_Fence(NULL, 0, NULL, 0);
    return PMIx_Finalize(NULL, 0);
}
