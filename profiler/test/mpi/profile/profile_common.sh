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
# spawns writes its own, maybe last. $before: what is preloaded before it.
before=
profiled() {
    local first part
    rm -f "$scratch"/*report*.json "$scratch"/trace.*
    run -x LD_PRELOAD="$before$profiler" --mca hitopo_prof_report "$scratch/%j.report.json" "$@"
    first=$(printf '%s\n' "$scratch"/*.report.json | sort -V | head -n 1)
    for part in "${first%.report.json}".report*.json; do
        [ ! -e "$part" ] || mv "$part" "$scratch/report${part##*.report}"
    done
}

# traced ARG...: likewise, with the recorder, whose lines go to $scratch/trace.RANK.
traced() {
    [ -e "$scratch/recorder.so" ] || "$here/recorder/build" "$scratch/recorder.so" || expect "the recorder compiles" false
    before=$scratch/recorder.so: profiled -x TRACES="$scratch" "$@"
}

# judged NAME [PLACE...]: one test of $report, against the traces if there are any; the last run's output counts.
judged() {
    local name=$1
    shift
    if ! succeeded; then
        expect "$name runs" false
    else
        capture python3 "$here/profile_check.py" "$report" $([ ! -e "$scratch/trace.0" ] || echo "$scratch") "$@"
        expect "$name" succeeded
    fi
}
# has_form [FILE]: without traces.
has_form() { python3 "$here/profile_check.py" "${1-$report}" >/dev/null; }

# is_true EXPRESSION: of `report`, its `processes`, and `calls(function)`, how often each rank called it.
is_true() {
    [ "$status" = 0 ] && python3 - "$report" "$1" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
processes = report["processes"]
def calls(function):
    return [sum(call[1] for kind in process["kinds"] for call in kind["calls"] if call[0] == function) for process in processes]
value = eval(sys.argv[2])
value or print(json.dumps(processes)[:2000], file=sys.stderr)
sys.exit(0 if value else 1)
END
}
