#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Programs of MPI's standard ABI run as if HiTopo's libraries, preloaded or brought by the hook, were not there: with a
# libmpi_abi of ours that tells each call, and with Open MPI's own, where there is one.
. "$(dirname "$0")/../common.sh"
[ -z "$in_tree" ] || { echo "ok - programs of MPI's standard ABI # SKIP HiTopo is in Open MPI itself, and test/in-tree/run tries them"; exit; }

sources=$here/standard_abi
profiler=$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so
stays_out="HiTopo is off: this program uses the standard ABI of MPI"
export OMPI_MCA_hitopo_prof_report=$scratch/report.json

# as_alone COMMAND...: whether its output is what it is without HiTopo, $alone, and no report was written.
as_alone() {
    capture timeout -k 10 300 "$@" </dev/null
    [ "$status" = 0 ] && [ "$out" = "$alone" ] && [ ! -e "$OMPI_MCA_hitopo_prof_report" ]
}

# ---- a libmpi_abi that tells what it is called with ----

gcc -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -I"$sources" -Wl,-soname,libmpi_abi.so.1 \
    "$sources/libmpi_abi.c" -o "$scratch/libmpi_abi.so.1" &&
    gcc -std=gnu11 -Wall -Wextra -Werror -I"$sources" "$sources/program.c" -o "$scratch/linked" \
        "$scratch/libmpi_abi.so.1" -Wl,-rpath,"$scratch" -ldl &&
    gcc -std=gnu11 -Wall -Wextra -Werror -DBY_DLOPEN -I"$sources" "$sources/program.c" -o "$scratch/opened" -ldl || exit
# As Debian has it: a file of another name.
mkdir "$scratch/renamed"
cp "$scratch/libmpi_abi.so.1" "$scratch/renamed/libmpi_abi_openmpi.so.1.0.0"

calls="MPI_Get_hw_resource_info
MPI_Init 2 ARGUMENT
MPI_Pcontrol 1
MPI_Comm_dup 257
MPI_Comm_split_type 7001 221 7 304
MPI_Comm_rank 7002
MPI_Comm_size 7002
MPI_Cart_map 258 1 1 0
MPI_Graph_map 258 1 0 0
0 of 1, 0, 0
MPI_Comm_free 7002
MPI_Comm_free 7001
MPI_Send_init 1 521 0 5 258
MPI_Start 7004
MPI_Recv 1 521 0 5 258
MPI_Wait 7004
MPI_Request_free 7004
MPI_Allreduce 1 521 33 258
received 42
MPI_Barrier 257
components of HiTopo: 0
MPI_Info_free 7003
MPI_Finalize"

# try NAME PROGRAM ARGUMENT
try() {
    local library how
    alone=${calls/ARGUMENT/$3}
    expect "$1: the calls by themselves" as_alone "${@:2}"
    for library in "$preload" "$profiler" "$profiler:$preload"; do
        how="$1, with $(basename -a ${library//:/ } | paste -sd' ')"
        expect "$how: the same calls" as_alone env LD_PRELOAD="$library" "${@:2}"
        expect "$how: with the hook too" as_alone env AS_HOOK=1 LD_PRELOAD="$library" "${@:2}"
        run -np 1 -x LD_PRELOAD="$library" -x AS_HOOK=1 "${@:2}"
        expect "$how: under mpirun" test "$status:$out" = "0:$alone"
    done
}
try "linked" "$scratch/linked" word
try "opened later" "$scratch/opened" "$scratch/libmpi_abi.so.1"
try "opened by another name" "$scratch/opened" "$scratch/renamed/libmpi_abi_openmpi.so.1.0.0"

capture env LD_PRELOAD="$profiler:$preload" AS_HOOK=1 OMPI_MCA_hitopo_base_verbose=1 "$scratch/linked" word </dev/null
expect "told once with hitopo_base_verbose" printed_once "$stays_out"

# One that only another library is linked with: the linker puts HiTopo's libmpi before it.
echo 'int main(void) { extern int go(void); return go(); }' >"$scratch/main.c"
gcc -std=gnu11 -shared -fPIC -Dmain=start -I"$sources" "$sources/program.c" -o "$scratch/libinner.so" \
    "$scratch/libmpi_abi.so.1" -ldl -Wl,-rpath,"$scratch" &&
    gcc -shared -fPIC -o "$scratch/libouter.so" -x c - -x none "$scratch/libinner.so" -Wl,-rpath,"$scratch" \
        <<<'int go(void) { extern int start(int, char **); char *arguments[] = {"program", "word", 0}; return start(2, arguments); }' &&
    gcc "$scratch/main.c" -o "$scratch/indirect" "$scratch/libouter.so" -Wl,-rpath,"$scratch" \
        -Wl,--allow-shlib-undefined || exit
alone=${calls/ARGUMENT/word}
expect "linked by another library: by itself" as_alone "$scratch/indirect"
capture env LD_PRELOAD="$preload" "$scratch/indirect" </dev/null
expect "linked by another library: a message" grep -qF "only a library of this program is linked with libmpi_abi" <<<"$out"

# A name that only begins alike is nobody's ABI.
gcc -shared -o "$scratch/libmpi_abi_tools.so" -x c /dev/null || exit
run -np 2 -x LD_PRELOAD="$preload:$scratch/libmpi_abi_tools.so" "$probe"
expect "libmpi_abi_tools is no libmpi_abi" has_rows 2

# ---- Open MPI's own ----

abi=$(ompi_info --path incdir --parsable | cut -d: -f3-)/standard_abi
if [ ! -e "$abi/mpi.h" ]; then
    echo "ok - programs of Open MPI's own libmpi_abi # SKIP Open MPI $ompi_version has none"
    exit
fi
unset OMPI_MCA_hitopo_prof_report
library=$(ompi_info --path libdir --parsable | cut -d: -f3-)/libmpi_abi.so
[ -e "$library" ] || library=$(ldconfig -p | sed -n 's/.*libmpi_abi\.so\.1 .* => //p' | head -n 1)
gcc -std=gnu11 -Wall -Wextra -Werror -I"$abi" "$sources/program.c" -o "$scratch/real" "$library" \
    -Wl,-rpath,"$(dirname "$library")" -ldl &&
    gcc -std=gnu11 -Wall -Wextra -Werror -DBY_DLOPEN -I"$abi" "$sources/program.c" -o "$scratch/real-opened" -ldl || exit
mkdir "$scratch/components"
ln -s "$HITOPO_PREFIX/lib/hitopo/mca_hook_hitopo.so" "$scratch/components/"
hook=("$with_components" "$scratch/components")

# same NAME ARG...: a job's lines, in any order, are those that it prints alone.
same() {
    run -np 2 -x OMPI_MCA_hitopo_prof_report="$scratch/report.json" "${@:2}"
    expect "Open MPI's libmpi_abi: $1" test "$status:$(sort <<<"$out")" = "0:$alone"
    expect "Open MPI's libmpi_abi: $1, no report" test ! -e "$scratch/report.json"
}
for program in "$scratch/real" "$scratch/real-opened $library"; do
    run -np 2 $program
    alone=$(sort <<<"$out")
    expect "Open MPI's libmpi_abi: $(basename "${program%% *}") by itself" printed "components of HiTopo: 0"
    same "preload, $(basename "${program%% *}")" -x LD_PRELOAD="$preload" $program
    same "profiler, $(basename "${program%% *}")" -x LD_PRELOAD="$profiler:$preload" $program
    same "hook, $(basename "${program%% *}")" "${hook[@]}" $program
    same "all, $(basename "${program%% *}")" -x LD_PRELOAD="$profiler:$preload" "${hook[@]}" $program
done
run -np 2 --mca hitopo_base_verbose 1 "${hook[@]}" "$scratch/real"
expect "Open MPI's libmpi_abi: each process tells that HiTopo stays out" test "$(grep -cF "$stays_out" <<<"$out")" = 2
