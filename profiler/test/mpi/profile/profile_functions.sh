#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The profiler stands before each function of mpi.h but those that are listed here. A new MPI has new ones: they belong
# into calls.table, or here.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

# Functions that take no time or lead to no other process; sessions; those that publish names. With their large-count twins.
read -r -d '' -a left_alone <<'END'
MPI_Abi_* MPI_Add_* MPI_Attr_* MPI_Errhandler_* MPI_Error_* MPI_Group_* MPI_Info_* MPI_Keyval_* MPI_Op_* MPI_Pack_* MPI_Remove_*
MPI_Status_* MPI_Type_* MPI_*_c2f MPI_*_f2c MPI_*_fromint MPI_*_toint MPI_*_errhandler MPI_*_keyval MPI_*_attr MPI_*_attach_buffer
MPI_Abort MPI_Alloc_mem MPI_Buffer_attach MPI_Cancel MPI_Dims_create MPI_Finalized MPI_Free_mem MPI_Grequest_* MPI_Initialized
MPI_Is_thread_main MPI_Pack MPI_Query_thread MPI_Reduce_local MPI_Register_datarep MPI_Test_cancelled MPI_Topo_test MPI_Unpack
MPI_Unpack_external MPI_Wtick MPI_Wtime
MPI_Get_address MPI_Get_count MPI_Get_elements MPI_Get_elements_x MPI_Get_*_info MPI_Get_*_name MPI_Get_*version
MPI_Cart_coords MPI_Cart_get MPI_Cart_map MPI_Cart_rank MPI_Cart_shift MPI_Cartdim_get MPI_Dist_graph_neighbors*
MPI_Graph_get MPI_Graph_map MPI_Graph_neighbors* MPI_Graphdims_get
MPI_Comm_compare MPI_Comm_get_* MPI_Comm_group MPI_Comm_rank MPI_Comm_remote_* MPI_Comm_set_info MPI_Comm_size MPI_Comm_test_inter
MPI_Win_attach MPI_Win_detach MPI_Win_get_* MPI_Win_set_* MPI_Win_shared_query
MPI_Session_finalize MPI_Session_get_* MPI_Session_init MPI_Session_*_info
MPI_Open_port MPI_Close_port MPI_Lookup_name MPI_Publish_name MPI_Unpublish_name
END
IFS='|'
is_left_alone="@(${left_alone[*]})"
unset IFS

# names_in PATTERN: those that it matches in what it reads.
names_in() { grep -oE "\\b$1" | tr -d ' (' | sort -u; }

declared=$(mpicc -E -x c - <<<'#include <mpi.h>' | names_in 'MPI_[A-Z][a-z]\w* *\(')
exported=$(nm -D --defined-only "$profiler")
wrapped=$(names_in 'MPI_[A-Z][a-z]\w*' <<<"$exported")
status=0

out=$(comm -23 <(echo "$declared") <(echo "$wrapped") | while read -r name; do
    [[ ${name%_c} = $is_left_alone ]] || echo "$name is neither in calls.table nor left alone"
done
for name in $wrapped; do
    [[ $name != $is_left_alone ]] || echo "$name is in calls.table and left alone"
done)
expect "each function of mpi.h is in calls.table or left alone" test -n "$declared" -a -z "$out"

# Older MPIs lack some.
if [[ $ompi_version != [45].* ]]; then
    out=$(for name in $(sed -n '/^MPI/s/ : .*//p' "$source_root/profiler/count/calls.table" | tr ' ' '\n' | grep '^MPI_'); do
        grep -qx "$name" <<<"$declared" || echo "$name of calls.table is in no mpi.h"
    done
    for pattern in "${left_alone[@]}"; do
        grep -qx "${pattern//\*/.*}" <<<"$declared" || echo "$pattern matches no function of mpi.h"
    done)
    expect "each name of calls.table and of those left alone is in mpi.h" test -z "$out"
fi

# Fortran names that Open MPI has, of C functions that are wrapped.
if command -v mpifort >/dev/null; then
    fortran=$(nm -D --defined-only "$(ompi_info --path libdir --parsable | cut -d: -f3-)"/libmpi_{mpifh,usempif08}.so | names_in 'mpi_\w*_')
    out=$(comm -23 <(echo "$fortran") <(names_in 'mpi_\w*_' <<<"$exported") |
        awk 'NR == FNR { wrapped[tolower($1)]; next }
             { name = $1; sub(/(_f08(ts)?|_cptr)?_+$/, "", name) }
             name in wrapped { print $1 " is not wrapped" }' <(echo "$wrapped") -)
    expect "the Fortran names of each function in calls.table" test -n "$fortran" -a -z "$out"
else
    echo "ok - Fortran names # SKIP no mpifort"
fi
