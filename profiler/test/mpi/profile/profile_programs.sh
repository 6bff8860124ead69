#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The profiler next to Open MPI's own monitoring, and under programs of others, as Debian packages them: Netpipe,
# whose messages the monitoring counts, and the HPC Challenge, which checks its results.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

cd "$scratch" || exit 1

# monitored ARG...: a run without the profiler, whose monitoring goes to $scratch/seen.*.prof.
monitored() {
    rm -f "$scratch"/seen.*
    run --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
        --mca pml_monitoring_filename "$scratch/seen" "$@"
}

# Lines "E from to bytes bytes messages ..", in order.
seen_pairs() { cat "$scratch"/seen.*.prof | awk '$1 == "E" && $6 > 0 { print $2, $3, $6, $4 }' | sort; }
reported_pairs() {
    python3 - "$report" <<'END' | sort
import json, sys
for process in json.load(open(sys.argv[1]))["processes"]:
    for pair in process["pairs"]:
        print(process["rank"], *pair)
END
}
# as_monitored NAME ARG...: a run each way; three tests.
as_monitored() {
    local name=$1 seen
    shift
    monitored "$@"
    expect "$name without the profiler" succeeded
    seen=$(seen_pairs)
    profiled "$@"
    expect "$name with the profiler" succeeded
    out+=$'\n'"monitoring:"$'\n'$seen$'\n'"profiler:"$'\n'$(reported_pairs)
    expect "$name: messages and bytes of each pair as monitored" test -n "$seen" -a "$seen" = "$(reported_pairs)"
}

if counts_messages "the profiler beside pml/monitoring"; then
    if of_this_ompi NPopenmpi; then
        as_monitored Netpipe -np 2 NPopenmpi -u 65536 -n 5 -o "$scratch/np.out"
        as_monitored "Netpipe, preposted" -np 2 NPopenmpi -a -u 4096 -n 5 -o "$scratch/np.out"
        as_monitored "Netpipe, synchronous" -np 2 NPopenmpi -a -S -u 4096 -n 5 -o "$scratch/np.out"
    else
        echo "ok - Netpipe under the profiler # SKIP no netpipe-openmpi of Open MPI $ompi_version"
    fi
fi

if ! of_this_ompi hpcc; then
    echo "ok - the HPC Challenge under the profiler # SKIP no hpcc of Open MPI $ompi_version"
    exit
fi
sed 's/^1000  /200  /' /usr/share/doc/hpcc/examples/_hpccinf.txt >hpccinf.txt

# Its own verdict on its results.
has_valid_results() {
    [ "$status" = 0 ] && grep -qx 'Success=1' hpccoutf.txt && ! grep -qE '[1-9][0-9]* tests? completed and failed' hpccoutf.txt &&
        grep -qE '^ *[1-9][0-9]* tests? completed and passed' hpccoutf.txt
}
run -np 4 hpcc
expect "the HPC Challenge without the profiler" has_valid_results
rm -f hpccoutf.txt
traced -np 4 --mca hitopo_base_eager 0 hpcc
expect "the HPC Challenge with the profiler" has_valid_results
judged "each of its calls, bytes and pairs"

if command -v hitopo >/dev/null; then
    capture hitopo report "$report"
    expect "hitopo report shows it" printed 'Profile of 4 processes'
    capture hitopo report --format html -o "$scratch/profile.html" "$report"
    expect "hitopo report makes a page of it" test "$status" = 0 -a -s "$scratch/profile.html"
fi
