#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Collectives by the address table: right results with all kinds of datatypes and operations, and the previous functions
# wherever not all processes agree. Tests tune/measure.cc.
. "$(dirname "$0")/../common.sh"
check="$HITOPO_TEST_PROGRAMS/collectives_check blocking"
map=$maps/two-islands.map

# served OPTION.. PROGRAM..: all messages, however short; leaders exchange, though processes share cores.
served() {
    preloaded --mca hitopo_file_path "$map" --mca coll_hitopo_priority 40 --mca coll_hitopo_serve all --mca coll_hitopo_exchange 1 \
        --mca coll_hitopo_verbose 2 "$@"
}
# tells PATTERN NUMBER: so many lines or more say so.
tells() { [ "$(grep -cE "coll:hitopo: $1" <<<"$out")" -ge "$2" ]; }
tells_no() { [ "$status" = 0 ] && ! grep -qE "coll:hitopo: $1" <<<"$out"; }
tells_nothing() { [ "$status" = 0 ] && ! grep -q "coll:hitopo: " <<<"$out"; }

serves() { # RANKS SEED SHARE
    local ranks=$1 name
    served --mca coll_hitopo_share "$3" -np "$ranks" $check "$2" 6 90 300000 5
    expect "random collectives of $ranks ranks" succeeded
    for name in allgather allreduce alltoall alltoallv barrier bcast reduce reduce_scatter; do
        expect "of $ranks ranks: $name is served" tells "$name of" 5
    done
    expect "of $ranks ranks: in one segment and in several" tells "bcast of .*: ([2-9]|[1-9][0-9]+) segments" 1
}
bits() { # RANKS SHARE
    served --mca coll_hitopo_share "$2" -np "$1" "$HITOPO_TEST_PROGRAMS/collectives_check" bits 1 1 60 300 0
    expect "equal calls give equal bits: $1 ranks of ${map##*/}, share $2" succeeded
}
serves 7 3 2
bits 7 2
map='' bits 5 2
preloaded -np 8 --mca hitopo_file_path "$map" --mca coll_hitopo_verbose 2 $check 5 2 60 20000 0
expect "on by default" tells "bcast of" 1
echo "shape node:4 ranks:1" >"$scratch/four.map"
planned() { preloaded -np 4 --mca hitopo_file_path "$scratch/four.map" "$@" "$HITOPO_PREFIX/bin/hitopo" show --collectives --bytes 8; }
planned --mca coll_hitopo_exchange 1
expect "leaders exchange" printed "exchange of each node"
planned # with mpi_yield_when_idle 1, as all jobs of run
expect "leaders do not exchange where processes yield" [ "$status/$(grep -c "exchange of each node" <<<"$out")" = 0/0 ]
is_quick && exit

serves 16 1 0
serves 13 2 1

# `hitopo show --collectives` prints the algorithms of the job's calls; segments hold whole elements, which it does not know.
served -np 16 $check 1 1 60 20000 5
call=$(grep -oE '\ballreduce of [0-9]+ bytes on [^:]*: 1 segment;.*' <<<"$out" | head -n 1 | sed 's/ on [^:]*:/:/')
bytes=$(sed -E 's/allreduce of ([0-9]+) .*/\1/' <<<"$call")
served -np 16 "$HITOPO_PREFIX/bin/hitopo" show --collectives --bytes "$bytes"
plan=$(sed -n '/^allreduce$/,/^[a-z]/ { /^  /p }' <<<"$out" | tr -s '\n ' ' ')
expect "hitopo show --collectives tells what is done" [ "allreduce of $bytes bytes:${plan% }" = "$call" ]
served -np 8 "$HITOPO_PREFIX/bin/hitopo" tune --output "$scratch/tuned.conf"
expect "hitopo tune --output: how to use it" printed_once "mpirun --tune $scratch/tuned.conf, in place of hitopo.conf"
expect "hitopo tune: links" printed_once "--mca coll_hitopo_links node:"
expect "hitopo tune: what is served" printed_once "--mca coll_hitopo_serve "
expect "hitopo tune: all kinds" [ "$(awk '$2 ~ /^[0-9]+$/ && NF > 4 { print $1 }' <<<"$out" | sort -u | wc -l)" = 16 ]
links=$(sed -n 's/^ *--mca coll_hitopo_links //p' <<<"$out")
serve=$(sed -n 's/^ *--mca coll_hitopo_serve //p' <<<"$out")
preloaded -np 8 --mca hitopo_file_path "$map" --mca coll_hitopo_links "$links" --mca coll_hitopo_serve "$serve" "$HITOPO_PREFIX/bin/hitopo" tune --check
expect "hitopo tune --check" [ "$(grep -cE "^(The settings of this job fit|coll_hitopo_serve does not fit|links of )" <<<"$out")" -ge 1 ]
if [ -z "$in_tree" ]; then
    # HiTopo complains of this value where it is on and has read the file.
    sed 's/^\(--mca coll_hitopo_serve\) .*/\1 nonsense/' "$scratch/tuned.conf" >"$scratch/t.conf"
    conf=$HITOPO_PREFIX/share/hitopo/hitopo.conf
    while read -r name form; do
        run -np 8 --mca hitopo_file_path "$map" --mca hitopo_prof_report "" $form "$probe"
        expect "what tune wrote, $name" printed_once "coll_hitopo_serve, column 1: nonsense: "
    done <<END
alone --tune $scratch/t.conf
behind-hitopo.conf --tune $conf,$scratch/t.conf
before-hitopo.conf --tune $scratch/t.conf,$conf
last-of-two --tune $conf --tune $scratch/t.conf
with-the-profiler --tune ${conf%.conf}-prof.conf $(grep ^--mca "$scratch/t.conf" | paste -sd' ')
END
    run -np 8 --mca hitopo_file_path "$map" --tune "$scratch/t.conf" --tune "$conf" "$probe"
    expect "what tune wrote, and then hitopo.conf: HiTopo is on" has_rows 8
fi
served -np 8 --mca coll_hitopo_links "$links" $check 2 1 30 20000 5
expect "its links are accepted" tells "bcast of" 1
expect "its links are no error" [ "$(grep -c 'coll_hitopo_links, column' <<<"$out")" = 0 ]

# Nodes of 5, 4 and 4 processes that are not neighbours by rank; long latencies make trees narrow and segments long.
printf 'rank %d-30:3 switch=%s node=n%d\n' 0 a 0 1 a 1 2 b 2 >"$scratch/uneven.map"
map=$scratch/uneven.map
bits 13 2
bits 13 6
for links in "" "node:100:10:50,process:20:100:5" "process:1:1000000:0"; do
    served -np 13 --mca coll_hitopo_links "$links" --mca coll_hitopo_leaders 2 $check 4 5 60 30000 6
    expect "unequal nodes, links '$links'" succeeded
done
map=$maps/two-islands.map

preloaded -np 8 --mca hitopo_file_path "$map" --mca coll_hitopo_verbose 2 --mca coll_hitopo_priority -1 $check 5 2 20 20000 0
expect "off" tells_nothing
map='' served --mca coll_hitopo_share 4 -np 4 "$HITOPO_PREFIX/bin/hitopo" tune --output /dev/full
expect "hitopo tune --output: no room" [ "$status/$(grep -c '^hitopo: /dev/full cannot be written' <<<"$out")" = 1/1 ]
expect "hitopo tune on one node: what may be shared" [ "$(awk '$2 ~ /^[0-9]+$/ && NF > 4 { print $1 }' <<<"$out" | sort -u | paste -sd" ")" = "allreduce barrier bcast reduce" ]
map='' served --mca coll_hitopo_share 9 -np 8 $check 5 2 20 20000 0
expect "one node: Open MPI's own" tells_nothing
map='' served --mca coll_hitopo_share 3 -np 8 $check 5 4 60 20000 0
expect "one node of many processes: short ones in shared memory" tells "messages of up to 2 KiB on .*: through shared memory" 1
expect "one node of many processes: no others but what is merged before" tells_no "(bcast|barrier|al[lt][a-z]*(gather|all)[a-z]*|i[a-z_]*) of [0-9]"
served -np 8 --mca coll ^hitopo $check 5 2 20 20000 0
expect "--mca coll ^hitopo" tells_nothing
served -np 8 --mca coll_tuned_priority 90 --mca coll_basic_priority 80 --mca coll_libnbc_priority 80 $check 5 2 20 20000 0
expect "other components of higher priority" tells_nothing
# serves_only RANGES
serves_only() {
    preloaded -np 8 --mca hitopo_file_path "$map" --mca coll_hitopo_verbose 2 --mca coll_hitopo_serve "$1" $check 5 2 60 2000 0
}
serves_only allreduce:0-800
expect "one kind: it is served" tells "allreduce of" 1
expect "one kind: nothing else" [ "$status/$(grep "coll:hitopo: " <<<"$out" | grep -Ecv "allreduce of|shared memory")" = 0/0 ]
expect "one kind: to its last length" [ "$(sed -n 's/.*hitopo: allreduce of \([0-9]*\) .*/\1/p' <<<"$out" | awk '$1 > 800' | wc -l)" = 0 ]
serves_only none
expect "none" tells_nothing
serves_only bcast,scan
blocking="bcast reduce allreduce allgather reduce_scatter alltoall barrier alltoallv"
kinds=$(printf '%s\n' all none $blocking; printf 'i%s\n' $blocking)
expect "a malformed coll_hitopo_serve: the message" says "The component coll/hitopo uses the default of a variable, because its value is" "invalid:" "" \
    "    coll_hitopo_serve, column 7: scan: this is not a collective; write one of $(paste -sd, <<<"$kinds" | sed 's/,/, /g')." "" \
    "docs/collectives.md describes the format."
expect "a malformed coll_hitopo_serve: the default" tells "barrier of" 1
served -np 8 --mca coll_hitopo_links switch:fast $check 5 2 20 20000 5
expect "malformed links: one message" printed_once "coll_hitopo_links, column 1: switch:fast: "
expect "malformed links: the default ones" tells "bcast of" 1

# together NAME=VALUE: the second half of the job has another environment.
together() {
    served -np 4 $check 6 2 30 20000 0 : -np 4 -x LD_PRELOAD="$preload" -x "$1" $check 6 2 30 20000 0
}
together OMPI_MCA_coll_hitopo_leaders=1
expect "other settings at some ranks: the message" says \
    "The component coll/hitopo is disabled in this job, because its processes differ:" "" \
    "    coll_hitopo_leaders of rank 4 is not that of rank 0." "" "Open MPI's other components run all collectives." "" \
    "Start all programs of the job with the same --mca coll options."
expect "other settings at some ranks: Open MPI's own" tells_nothing
together OMPI_MCA_coll=^hitopo
expect "absent at some ranks: the message" says "The component coll/hitopo is disabled in this job: rank 4 does not run it;" \
    "rank 0 runs it. Open MPI's other components run all collectives." "" \
    "Install it on all nodes, and link or preload it in all programs of the job, with the same --mca coll options."

# Without the lines of 10 000 calls.
preloaded --mca hitopo_file_path "$scratch/uneven.map" --mca coll_hitopo_priority 40 --mca coll_hitopo_serve all --mca coll_hitopo_share 2 \
    -np 4 "$HITOPO_TEST_PROGRAMS/coll_memory_check" lifetime
expect "10 000 communicators made, used and freed: memory is flat" succeeded
