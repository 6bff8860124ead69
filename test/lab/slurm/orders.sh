# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For run: in one allocation a job, `hitopo order` from its profile, and a second job as SLURM_HOSTFILE says; then what
# `hitopo order` knows of the allocation itself, and of one of two components.
judge=$source_root/profiler/test/mpi/order/order_check.py
strides=(4:65536 1:100)
in_allocation=$scratch/in_allocation
cat >"$in_allocation" <<'END'
folder=$1 prefix=$2
shift 2
halo() {
    timeout -k 5 300 srun --mpi=pmix --overcommit --export=ALL,LD_PRELOAD="$prefix/lib/hitopo/libhitopo_prof.so",OMPI_MCA_hitopo_prof_report="$folder/$1.json" "${@:2}"
}
halo first "$@" &&
    hitopo order "$folder/first.json" --format slurm --output "$folder/order" >"$folder/said" &&
    SLURM_HOSTFILE=$folder/order halo second --distribution=arbitrary -n "$SLURM_NTASKS" "$@" &&
    hitopo order --hosts --topology "${SLURM_CONF%/*}/topology.conf" >"$folder/hosts"
END

orders() {
    rm -rf "$lab/orders"
    mkdir "$lab/orders"
    run_job salloc $(allocation) bash "$in_allocation" "$lab/orders" "$HITOPO_PREFIX" "$HITOPO_TEST_PROGRAMS/order_halo" \
        "${strides[@]}"
    expect "SLURM_HOSTFILE: both jobs run" succeeded
    for job in first second; do
        capture "$judge" counts "$lab/orders/$job.json" "${strides[@]}"
        expect "SLURM_HOSTFILE, $job job: pairs are what the program sent" succeeded
    done
    out=$(cat "$lab/orders/said")
    expect "SLURM_HOSTFILE: ranks are where it says" test \
        "$("$judge" hosts "$lab/orders/second.json")" = "$(cat "$lab/orders/order")"
    expect "SLURM_HOSTFILE: what it says of the first job is its profile" test \
        "$("$judge" said now <<<"$out")" = "$("$judge" lanes "$lab/orders/first.json" outside)"
    expect "SLURM_HOSTFILE: what it predicts is the second job's profile" test \
        "$("$judge" said "then" <<<"$out")" = "$("$judge" lanes "$lab/orders/second.json" outside)"
    expect "SLURM_HOSTFILE: it gains" test -n "$(cmp "$lab/orders/order" <(nodes))"
    out=$(cat "$lab/orders/hosts")
    expect "the allocation's hosts and switches are known without a job" grep -qE '^8 ranks, 8 hosts, 3 switches, 1 island$' <<<"$out"
}

# A job of two components: the variables that Slurm leaves, and one MPI job over both.
components() {
    local first second attempt
    first=$(node_name 1),$(node_name 2) second=$(node_name 7),$(node_name 8)
    run_job salloc -N 2 -n 2 -w "$first" : -N 2 -n 4 --ntasks-per-node=2 -w "$second" hitopo order --hosts --format slurm
    expect "two components: hosts and slots of both" test "$(uniq -c <<<"$out" | awk '{print $2 "*" $1}' | xargs)" = \
        "$(node_name 1)*1 $(node_name 2)*1 $(node_name 7)*2 $(node_name 8)*2"
    # One srun in twelve does not end after its tasks (docs/upstream.md, 62); another job gives the same table.
    for attempt in 1 2 3 4 5; do
        run_job salloc -N 2 -n 2 -w "$first" : -N 2 -n 2 -w "$second" timeout --foreground -s KILL 60 \
            srun --mpi=pmix --het-group=0,1 --overcommit "${without[@]}" hitopo show --format json
        [ $status = 137 ] || break
        echo "    srun of two components does not end: job $attempt of 5" >&2
    done
    nodes() { local number; for number in 1 2 7 8; do node_name $number; done; }
    expect "two components: switches of all nodes from slurmctld" table_agrees topology
    nodes() { local number; for ((number = first_node; number <= last_node; ++number)); do node_name $number; done; }
}
