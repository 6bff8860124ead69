# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For profile*.sh, after common.sh.
profiler=$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so
report=$scratch/report.json

# Open MPI 4.1.4's osc/rdma refuses windows where processes cannot read each other's memory; 5.0 has no other. 6.0's
# btl/sm loses messages of threads (docs/upstream.md).
windows=()
[[ $ompi_version != 4.* ]] || windows=(--mca osc ^rdma)
threads=()
[[ $ompi_version != 6.* ]] || threads=(--mca btl self,tcp)

# profiled ARG...: a run under the profiler, its report in $report, its snapshots' in report.N.json. A job that it
# spawns writes its own, maybe last.
profiled() {
    local first part
    rm -f "$scratch"/*report*.json
    run -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$scratch/%j.report.json" "$@"
    first=$(printf '%s\n' "$scratch"/*.report.json | sort -V | head -n 1)
    for part in "${first%.report.json}".report*.json; do
        [ ! -e "$part" ] || mv "$part" "$scratch/report${part##*.report}"
    done
}

# traced ARG... PROGRAM: likewise, a program with profile_trace.h.
traced() {
    rm -f "$scratch"/trace.*
    profiled "$@" "$scratch"
}

# judged NAME [PLACE...]: one test of $report against the traces; the last run's output counts.
judged() {
    local name=$1
    shift
    if ! succeeded; then
        expect "$name runs" false
    else
        capture python3 "$here/profile_check.py" "$report" "$scratch" "$@"
        expect "$name" succeeded
    fi
}
