#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The sealed copy of an exchange's result: where the system refuses it, all have the same addresses all the same; where
# a leader or a member is killed on the way, the job ends.
. "$(dirname "$0")/../common.sh"
[ -z "$in_tree" ] || { echo "skip the sealed copy: the shims know libraries of HiTopo's own"; exit; }
for shim in no_copy fail_message stop; do
    build_shim $shim "$scratch/$shim.so" || exit
done

# Open MPI's hooks on memory, with 6.0 from the beginning, would take the shim's place.
export OMPI_MCA_memory=^patcher

# Several nodes on one, and so addresses that differ.
export OMPI_MCA_hitopo_file_path=$scratch/map
printf 'rank %s node=%s\n' 0,3 a 1,4 b 2,5 c >"$OMPI_MCA_hitopo_file_path"

rows() { grep -E '^(-?[0-9]+\.){7}-?[0-9]+$' <<<"$out"; }
preloaded -np 6 "$probe"
expected=$(rows)
expect "6 processes have addresses" test "$(cut -d. -f4 <<<"$expected" | xargs)" = "0 1 2 0 1 2"

# refused STEP RANKS OPTION... PROGRAM...
refused() {
    local step=$1 ranks=$2
    shift 2
    run -x LD_PRELOAD="$scratch/no_copy.so:$scratch/fail_message.so:$preload" -x NO_COPY="$step" -x NO_COPY_RANKS="$ranks" "$@"
}
# By NUMBER processes.
as_expected() { [ "$status" = 0 ] && [ "$(rows)" = "$expected" ] && [ "$(grep -c '^refused: ' <<<"$out")" = "$1" ]; }

for step in memfd_create open mmap; do
    refused $step 0 -np 6 "$probe"
    expect "no $step at the leader: same addresses" as_expected 1
done
for step in open mmap; do
    refused $step "1 2 3 4 5" -np 6 "$probe"
    expect "no $step at all members: same addresses" as_expected 5
    refused $step "2 5" -np 6 "$probe"
    expect "no $step at every third member: same addresses" as_expected 2
done

refused memfd_create 0 -np 1 "$probe"
expect "a process alone makes no copy" test "$status/$out" = "0/$(head -n 1 <<<"$expected")"

if unshare -pf true 2>/dev/null; then
    # In a chroot "/" is no mount whose propagation could be changed.
    for options in -pf "-pf --mount-proc --propagation unchanged"; do
        cat >"$scratch/contained" <<END
#!/bin/sh
case \$OMPI_COMM_WORLD_RANK in 2|5) exec unshare $options "\$@" ;; esac
exec "\$@"
END
        chmod +x "$scratch/contained"
        # Open MPI's shared memory takes process numbers for names.
        preloaded -np 6 --mca btl self,tcp "$scratch/contained" "$probe"
        expect "two members with PID namespaces of their own ($options): same addresses" test "$(rows)" = "$expected"
    done
else
    echo "skip members with PID namespaces of their own: this user may make none"
fi

# 4 processes on a node have no roll call, and three messages of the leader are orders; then come the bytes for
# who could not open the copy.
refused open 2 -np 4 -x FAIL_AT=message-4 -x FAIL_RANK=0 "$probe"
expect "the bytes cannot be sent: no table" printed "no table"
expect "the bytes cannot be sent: one message" printed_once "HiTopo could not exchange the addresses of this job: rank 0 failed"
refused open 2 -np 4 -x FAIL_AT=message-3 -x FAIL_RANK=2 "$probe"
expect "the answer after the bytes did arrive: all have the table" has_rows 4

# ends MOMENT RANK NAME [OPTION...]: with that process killed there.
ends() {
    local moment=$1 rank=$2 name=$3 job begin=$SECONDS
    shift 3
    rm -f "$scratch"/moment.*
    (
        run -np 4 -x LD_PRELOAD="$scratch/no_copy.so:$scratch/stop.so:$preload" -x FAULT_AT="$moment" -x FAULT_RANK="$rank" \
            -x FAULT_FILE="$scratch/moment" "$@" "$probe"
        printf '%s\n' "$out"
        exit "$status"
    ) >"$scratch/out" 2>&1 &
    job=$!
    kill_at_stop "$scratch/moment" $job
    wait $job
    status=$?
    out=$(cat "$scratch/out")
    expect "$name" ended "$killed" $((SECONDS - begin))
}
# By itself, not by the limit of `run`; and no wrong address was printed.
ended() { [ -n "$1" ] && [ "$status" != 0 ] && [ "$2" -lt 280 ] && { [ -z "$(rows)" ] || has_right_rows; }; }
has_right_rows() { [ "$(rows)" = "$(head -n 4 <<<"$expected")" ]; }

ends message-1 0 "the leader is killed before its orders"
ends message-2 0 "the leader is killed while members open the copy"
ends message-4 0 "the leader is killed before the last word"
ends message-5 0 "the leader is killed in its last words"
ends message-4 0 "the leader is killed before it sends the bytes" -x NO_COPY=open -x NO_COPY_RANKS="1 3"
ends message-1 2 "a member is killed before it says anything"
ends message-2 2 "a member is killed before it answers"
ends message-3 2 "a member is killed before it answers again" -x NO_COPY=open -x NO_COPY_RANKS=2
