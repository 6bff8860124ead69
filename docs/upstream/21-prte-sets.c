/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 21-prte-sets.c -o sets $(pkg-config --cflags --libs pmix); prte --daemonize --report-uri uri; then twice:
 * prun --dvm-uri file:uri -n 2 --pset ocean ./sets. The second job prints the members of the first.
 */
#include <pmix.h>
#include <stdio.h>

int main(void)
{
    pmix_query_t query;
    pmix_info_t *answers;
    pmix_proc_t self;
    size_t num;

    PMIx_Init(&self, NULL, 0);
    PMIX_QUERY_CONSTRUCT(&query);
    PMIX_ARGV_APPEND(num, query.keys, PMIX_QUERY_PSET_MEMBERSHIP);
    PMIX_QUERY_QUALIFIERS_CREATE(&query, 1);
    PMIX_INFO_LOAD(&query.qualifiers[0], PMIX_PSET_NAME, "ocean", PMIX_STRING);
    if (PMIX_SUCCESS == PMIx_Query_info(&query, 1, &answers, &num) && PMIX_DATA_ARRAY == answers->value.type) {
        const pmix_data_array_t *members = answers->value.data.darray;
        for (size_t i = 0; i < members->size; ++i) {
            const pmix_proc_t *member = (pmix_proc_t *) members->array + i;
            printf("%s: %s %u\n", self.nspace, member->nspace, member->rank);
        }
    }
    return PMIx_Finalize(NULL, 0);
}
