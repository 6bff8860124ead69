#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Collectives by the address table at the edges of what MPI allows, and where a program goes beyond.
. "$(dirname "$0")/../common.sh"
check=$HITOPO_TEST_PROGRAMS/coll_edges_check
map=$scratch/nodes.map
echo 'shape switch:2 node:2 ranks:1' >"$map"

# served OPTION.. PROGRAM..: all messages, however short.
served() {
    preloaded --mca hitopo_file_path "$map" --mca coll_hitopo_serve all --mca coll_hitopo_exchange 1 --mca coll_hitopo_share ${share-0} --bind-to none "$@"
}

served -np 4 "$check" any 200 0
expect "a receive of any tag matches no collective" succeeded
# After 2^30 of Open MPI's nonblocking collectives, all but a few.
served -np 4 "$check" persistent -1073741000
expect "tags do not run out" succeeded
served -np 4 "$check" bottom
expect "MPI_BOTTOM" succeeded
served -np 4 "$check" longer
expect "more is sent than received" succeeded
echo 'shape switch:2 node:1 ranks:2' >"$map"
share=1
for mode in bottom longer "any 200 0"; do
    served -np 4 "$check" $mode
    expect "within nodes in shared memory: ${mode%% *}" succeeded
done
share=0
echo 'shape switch:2 node:2 ranks:1' >"$map"

# UCX has tags of 24 bits.
ucx() {
    served --mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any --mca osc ^ucx -x UCX_TLS=tcp,self,sm \
        -x UCX_NET_DEVICES=lo -x UCX_WARN_UNUSED_ENV_VARS=n "$@"
}
check_ucx() {
    ucx -np 2 "$check" any 70000 0
    expect "70 000 calls over UCX" succeeded
    ucx -np 4 "$check" any 200 -8388600
    expect "8 million nonblocking collectives before the first call over UCX" succeeded
    # With types that are no address: docs/upstream.md, 59.
    ucx -np 4 "$HITOPO_TEST_PROGRAMS/collectives_check" blocking 3 6 90 20000 0
    expect "random collectives of all kinds over UCX" succeeded
    ucx -np 4 "$HITOPO_TEST_PROGRAMS/collectives_check" idup 4 2 200 3000 0
    expect "MPI_Comm_idup is pending, over UCX" succeeded
    ucx -np 4 "$check" longer
    expect "more is sent than received over UCX" succeeded
}
ucx -np 2 "$check" any 1 0
if [ "$status" != 0 ] && grep -qE "No components were able to be opened in the pml framework|A requested component was not found" <<<"$out"; then
    echo "ok - collectives over UCX # SKIP this Open MPI has no UCX"
else
    check_ucx
fi
is_quick && exit
served -np 2 "$HITOPO_TEST_PROGRAMS/coll_memory_check" segments
expect "two processes take memory for segments, not for messages" succeeded
served -np 4 "$HITOPO_TEST_PROGRAMS/coll_memory_check" segments
expect "four processes, too" succeeded
served -np 2 "$check" giant
expect "elements of more than 2 GiB" succeeded
