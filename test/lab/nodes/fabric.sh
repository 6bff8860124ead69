# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For collectives and programs: 8 nodes of 4 processes on a fabric, and mappings of ranks to them.

# bring_up FABRIC: trunks (4 switches) or islands (2 of 2 switches): FABRIC.cluster says what trunks carry.
bring_up() {
    "$here/down"
    "$here/up" "$here/$1.cluster" || return
    lines_of node | awk 'NR == FNR { if ($1 == "switch") above[$2] = $3; next }
        { print "host", $2, (above[$3] != "core" ? "island=" above[$3] " " : "") "switch=" $3 }' "$lab/cluster" - >"$lab/fabric.map"
    hosts slot 0 0 0 0 1 1 1 1 2 2 2 2 3 3 3 3 4 4 4 4 5 5 5 5 6 6 6 6 7 7 7 7
    hosts node 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
    hosts shuffled 7 2 4 2 0 5 1 6 3 3 7 0 5 4 6 1 2 7 0 6 3 4 1 5 5 2 6 4 1 0 7 3
    hosts unequal 0 2 4 6 1 7 0 4 2 5 0 4 6 7 0 2 4 3 7 4 5 2 4 0 7
}

# hosts MAPPING NUMBER...: the nodes of ranks 0, 1, ..
hosts() { printf 'n%d\n' "${@:2}" >"$lab/$1.hosts"; }

# job_on MAPPING OPTION.. PROGRAM..: with HiTopo. TCP within nodes too: it wakes processes that wait (patience.c).
job_on() {
    JOB_BTL=self,tcp JOB_HOSTS=$lab/$1.hosts JOB_PRELOAD=${job_preload-$preload} "$here/job" --mca hitopo_file_path "$lab/fabric.map" \
        --oversubscribe --bind-to none -np "$(wc -l <"$lab/$1.hosts")" "${@:2}" 2>"$scratch/errors"
}
