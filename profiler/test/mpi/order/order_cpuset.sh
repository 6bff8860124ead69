#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# A job in a cpuset of one CPU that is not the machine's first: its rankfile starts it again on the same CPU. As root, by either
# version of control groups.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
command -v hitopo >/dev/null || { echo "ok - hitopo order # SKIP the command is not built"; exit 0; }
[ "$(id -u)" = 0 ] || { echo "ok - rankfiles in a cpuset # SKIP only root makes one"; exit 0; }
judge=$here/order_check.py
launcher=5.0
[[ $ompi_version != 4.* ]] || launcher=4.1
by_rankfile() {
    if [ $launcher = 4.1 ]; then echo "--rankfile $1"; else echo "--map-by rankfile:file=$1 --bind-to core:overload-allowed"; fi
}

# The last CPU of this process, and a group that has it alone.
cpu=$(awk '/^Cpus_allowed_list/ { sub(/.*[-,]/, "", $2); print $2 }' /proc/self/status)
[ "$cpu" != 0 ] || { echo "ok - rankfiles in a cpuset # SKIP there is one CPU"; exit 0; }
root=$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpuset(,|$)/ { print $2; exit }' /proc/mounts)
root=${root:-$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)}
group=$root/hitopo-test.$$
[ -n "$root" ] && mkdir "$group" 2>/dev/null || { echo "ok - rankfiles in a cpuset # SKIP no group can be made"; exit 0; }
remove() { for _ in $(seq 300); do rmdir "$group" 2>/dev/null && break; sleep 0.1; done; rm -rf "$scratch"; }
trap remove EXIT
if ! { echo "$cpu" >"$group/cpuset.cpus" && { [ ! -e "$root/cpuset.mems" ] || cat "$root/cpuset.mems" >"$group/cpuset.mems"; }; } 2>/dev/null; then
    echo "ok - rankfiles in a cpuset # SKIP the controller cpuset is not here"
    exit 0
fi
in_group() { bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$group" "$@"; }

# profiled NAME OPTION...: leaves its profile in NAME.json.
profiled() {
    capture in_group timeout -k 10 300 mpirun --mca mpi_yield_when_idle 1 -x LD_PRELOAD="$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so" \
        --mca hitopo_prof_report "$scratch/$1.json" --oversubscribe "${@:2}" -np 2 \
        "$HITOPO_TEST_PROGRAMS/order_halo" 1:1000 </dev/null
}
profiled first --bind-to core:overload-allowed
expect "a job in a cpuset of CPU $cpu" succeeded
expect "its profile has the cpuset" test "$(python3 -c 'import json, sys
print({p["allowed"] for p in json.load(open(sys.argv[1]))["processes"]})' "$scratch/first.json")" = "{'$cpu'}"

capture in_group hitopo order "$scratch/first.json" --format rankfile --launcher $launcher --output "$scratch/rankfile"
expect "its rankfile is written" succeeded
expect "allowed cores are counted from 0 on" test "$(sed 's/.*slot=//' "$scratch/rankfile" | xargs)" = "0 0"
profiled again $(by_rankfile "$scratch/rankfile")
expect "the rankfile starts the job again" succeeded
expect "on the same CPU" test "$("$judge" places "$scratch/again.json" | cut -d' ' -f2 | xargs)" = "$cpu $cpu"

capture in_group timeout -k 10 300 mpirun --oversubscribe --bind-to core:overload-allowed -np 2 hitopo show --format json --output "$scratch/table.json" </dev/null
expect "a table in the cpuset" succeeded
capture hitopo order --grid 2 --table "$scratch/table.json" --format rankfile --launcher $launcher --output "$scratch/rankfile"
expect "the table's rankfile counts likewise" test "$status/$(sed 's/.*slot=//' "$scratch/rankfile" | xargs)" = "0/0 0"

# As the profiler of 0.2.0 wrote it.
python3 -c 'import json, sys
profile = json.load(open(sys.argv[1]))
for process in profile["processes"]: del process["allowed"]
json.dump(profile, open(sys.argv[2], "w"))' "$scratch/first.json" "$scratch/old.json"
capture hitopo order "$scratch/old.json" --format rankfile --launcher $launcher
expect "a profile without cpusets is read" succeeded
