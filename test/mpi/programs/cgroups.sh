#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Jobs in control groups that root makes here: what `hitopo check` says of quotas and cpusets. Groups of version 2 whose
# controllers version 1 has are imitated: their files lie above the mounted folder.
. "$(dirname "$0")/../common.sh"
command -v hitopo >/dev/null || { echo "ok - hitopo check # SKIP the command is not built"; exit 0; }
[ "$(id -u)" = 0 ] || { echo "ok - control groups # SKIP only root makes them"; exit 0; }
export LC_ALL=C
# Simulated processors would hide the real ones.
unset OMPI_MCA_hitopo_file_path OMPI_MCA_hitopo_hwloc_topology

# in_group FOLDER COMMAND...: as a process of this group.
in_group() { bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$@"; }
# grouped CONTROLLER FILE VALUE COMMAND...: with $group, a new group of the controller in which the file has the value. False
# where there is none.
grouped() {
    local controller=$1 file=$2 value=$3 root
    root=/sys/fs/cgroup/$controller
    [ "$controller" != unified ] || root=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
    [ -e "$root/cgroup.procs" ] || return
    group=$root/hitopo-test.$$
    mkdir "$group" 2>/dev/null || return
    if [ -e "$group/cpuset.mems" ] && [ "$controller" = cpuset ]; then cat "$root/cpuset.mems" >"$group/cpuset.mems"; fi
    if ! { echo "$value" >"$group/$file"; } 2>/dev/null; then
        rmdir "$group"
        return 1
    fi
    "${@:4}"
    for _ in $(seq 300); do rmdir "$group" 2>/dev/null && break; sleep 0.1; done
}
checked() { capture in_group "$group" timeout -k 10 300 mpirun --oversubscribe "$@" hitopo check </dev/null; }
tells() { [ "$status" = 1 ] && grep -qF -- "$1" <<<"$out"; }

half="2 processes share a quota of 0.5 CPUs (cgroup)"
two() { checked -np 2 --bind-to none; }
if grouped cpu cpu.cfs_quota_us 50000 two; then
    expect "half a CPU by version 1" tells "$half"
else
    echo "ok - a quota of version 1 # SKIP /sys/fs/cgroup/cpu makes no group"
fi
if grouped unified cpu.max "50000 100000" two; then
    expect "half a CPU by version 2" tells "$half"
else
    echo "ok - a quota of version 2 # SKIP no group has a cpu.max here"
fi

# imitated FILE VALUE COMMAND...: with a file above the folder of version 2, and nothing in those of version 1.
imitated() {
    local unified
    unified=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
    [ -n "$unified" ] || return
    capture unshare --mount --propagation private bash -c '
        for folder in $(awk "\$3 ~ /^cgroup/ { print \$2 }" /proc/mounts); do mount -t tmpfs none "$folder" || exit 77; done
        echo "$2" >"$0/$1" && shift 2 && exec "$@"' "$unified" "$@"
    [ "$status" != 77 ]
}
job="timeout -k 10 300 mpirun --oversubscribe -np 2 --bind-to none hitopo check"
if imitated cpu.max "50000 100000" $job; then
    expect "half a CPU by a file of version 2" tells "$half"
    imitated cpu.max "max 100000" $job
    expect "no limit by a file of version 2" test "$(grep -c quota <<<"$out")" = 0
    imitated cpu.max $'\xff\x01 -3' $job
    expect "an odd file limits nothing" test "$(grep -c quota <<<"$out")" = 0
    cpu=$(awk '/^Cpus_allowed_list/ { sub(/[-,].*/, "", $2); print $2 }' /proc/self/status)
    imitated cpuset.cpus.effective "$cpu" taskset -c "$cpu" $job
    expect "a cpuset of one CPU by a file of version 2" tells "cpuset leaves them 1 CPU"
else
    echo "ok - files of version 2 # SKIP no cgroup2 is mounted, or no namespace can be made"
fi

if grouped cpuset cpuset.cpus "$(awk '/^Cpus_allowed_list/ { sub(/[-,].*/, "", $2); print $2 }' /proc/self/status)" two; then
    expect "a cpuset of one CPU: no remedy that it does not allow" tells "Request more CPUs for the job"
    expect "a cpuset of one CPU: its number" tells "cpuset leaves them 1 CPU"
else
    echo "ok - a cpuset of version 1 # SKIP /sys/fs/cgroup/cpuset makes no group"
fi
