#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# `hitopo order` with input that it cannot use: one message, status 1 (2 for wrong use), and no file is touched.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
command -v hitopo >/dev/null || { echo "ok - hitopo order # SKIP the command is not built"; exit 0; }
profiler=$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so
export LC_ALL=C
cd "$scratch" || exit

# A job of four on two simulated nodes.
echo 'shape switch:2 node:1 ranks:2' >job.map
profiled() {
    run -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$scratch/$1" --mca hitopo_file_path "$scratch/job.map" \
        -np 4 --bind-to none "${@:2}" "$HITOPO_TEST_PROGRAMS/order_halo" 2:1000 1:10
}
profiled job.json
expect "a job's profile" succeeded
profiled pairless.json --mca hitopo_prof_max_peers 3
expect "a profile without pairs" succeeded
printf 'a slots=2\nb slots=2\n' >hosts

# fails STATUS NAME TEXT ARGUMENT...: with one line that has the text, while "order" stays as it was.
fails() {
    local wanted=$1 name=$2 text=$3
    shift 3
    echo untouched >order
    capture hitopo order "$@"
    expect "$name" failed_alone "$wanted" "$text"
}
failed_alone() {
    [ "$status" = "$1" ] && grep -qF -- "$2" <<<"$out" && [ "$(cat order)" = untouched ] && [ -z "$(ls -d order.* 2>/dev/null)" ] &&
        [ "$(grep -vc '^Run with --help' <<<"$out")" = 1 ]
}
write=(--format hostfile --output order)
# forged NAME EXPRESSION: job.json after the expression, of `p`, as NAME.json.
forged() {
    python3 -c 'import json, sys
p = json.load(open("job.json"))
exec(sys.argv[2])
json.dump(p, open(sys.argv[1] + ".json", "w"))' "$1" "$2"
}

capture hitopo order job.json --hostfile hosts "${write[@]}"
expect "good input: status 0 and a file" test "$status/$(sort order | uniq -c | xargs)" = "0/2 a 2 b"

# Ranks 0 and 2 talk most, and 1 and 3: with a line for each rank they lie together already.
printf 'b\na\nb\na\n' >by_node
capture hitopo order job.json --hostfile by_node --format hostfile --output order
expect "lines of a hostfile are ranks: nothing is gained" test "$status/$(cat order)/$(grep -c 'ranks stay' <<<"$out")" = "0/$(cat by_node)/1"
expect "other ranks share a node than in the profile: it says so" printed "the ranks share nodes in another way"
capture hitopo order job.json --hostfile hosts
expect "the same ranks share a node: no word" test "$status/$(grep -c 'share nodes' <<<"$out")" = 0/0

python3 "$source_root/profiler/test/tool/make_profile.py" 1000 >large.json
capture hitopo order large.json "${write[@]}"
expect "a profile of 1000 ranks" test "$status/$(wc -l <order)" = 0/1000

# ---- profiles ----

fails 1 "no such profile" "none.json: cannot be read" none.json "${write[@]}"
: >empty.json
fails 1 "an empty profile" "it is empty" empty.json "${write[@]}"
head -c "$(($(wc -c <job.json) / 2))" job.json >cut.json
fails 1 "a profile that is cut off" "it is cut off" cut.json "${write[@]}"
hitopo info --format json >info.json
fails 1 "another document" "it is no profile" info.json "${write[@]}"
fails 1 "a profile without pairs" "--mca hitopo_prof_max_peers -1" pairless.json "${write[@]}"
forged tableless 'p["table"] = None'
fails 1 "a profile without a table" "has no address table" tableless.json "${write[@]}"
forged partial 'del p["processes"][2]'
fails 1 "a profile of some processes" "has only 3 of 4 processes" partial.json "${write[@]}"
forged spawning 'p["processes"][1]["unknown_pairs"] = [1, 100]'
fails 1 "bytes to processes of another job" "processes of another job" spawning.json "${write[@]}"
forged mixed 'del p["processes"][1]["pairs"]'
fails 1 "pairs of some processes" 'some processes have "pairs"' mixed.json "${write[@]}"
forged stranger 'p["processes"][1]["pairs"][0][0] = 4'
fails 1 "a pair with a rank that the job has not" "a rank that the job has not" stranger.json "${write[@]}"
forged negative 'p["processes"][1]["pairs"][0][2] = -1'
fails 1 "negative bytes" "not a number from 0" negative.json "${write[@]}"
forged vast 'p["processes"][1]["pairs"][0][2] = 2**64 - 1'
fails 1 "more bytes than there can be" "an impossible number of bytes" vast.json "${write[@]}"
forged hosts 'p["table"]["ranks"][1]["names"][3] = "a\nb"'
fails 1 "a host whose name is two lines" "has no host for rank 1" hosts.json "${write[@]}"
forged nameless 'p["table"]["ranks"][1]["names"][3] = None'
fails 1 "a rank without a host" "has no host for rank 1" nameless.json "${write[@]}"
forged twins 'for r in p["table"]["ranks"]: r["names"][3] = "n"'
fails 1 "two nodes of one name" "has two nodes called n" twins.json "${write[@]}"
forged machine 'p["table"]["nodes"][0]["machine"] = 7'
fails 1 "a machine that is not there" 'table: "machine" is not in' machine.json "${write[@]}"

# ---- hosts ----

printf 'a slots=2\n' >few
fails 1 "fewer hosts than the profile has ranks for" "has 4 ranks, but there are 2 slots" job.json --hostfile few "${write[@]}"
printf 'a slots=2\nb slots=two\n' >wrong
fails 1 "a hostfile with a word that is not read" 'wrong:2:3: is not read: "slots=two". Write one host per line' job.json --hostfile wrong "${write[@]}"
fails 1 "a table that is none" "is not a table" job.json --table job.json "${write[@]}"
fails 1 "no hostfile" "none: cannot be read" --grid 2x2 --hostfile none "${write[@]}"
mkfifo pipe
fails 1 "a pipe is not waited for" "it is a pipe. Name a regular file" --grid 2x2 --hostfile pipe "${write[@]}"
fails 1 "no hosts at all" "SLURM_JOB_NODELIST" --grid 2x2 "${write[@]}"
printf 'SwitchName=s1 Nodes=a\nSwitchName=s1 Nodes=b\n' >topology.conf
fails 1 "a topology.conf with one switch twice" "topology.conf" --hosts --hostfile hosts --topology topology.conf "${write[@]}"
fails 1 "a profile's topology that is not there" "nowhere.conf" job.json --topology nowhere.conf "${write[@]}"
echo 'SwitchName=s1 Nodes=a,c' >topology.conf
fails 1 "a topology that lacks a host" "has no switch for 1 host: b" --grid 2x2 --hostfile hosts --topology topology.conf "${write[@]}"
fails 1 "a topology of other hosts than the profile's" "has no switch for 2 hosts" job.json --topology topology.conf "${write[@]}"

# on_switch NAME FILE ARGUMENT...: by the file both hosts are on one switch.
on_switch() {
    capture hitopo order "${@:3}" --topology "$2"
    expect "$1: one switch" printed "2 hosts, 1 switch"
}
nodes=$(python3 -c 'import json
print(",".join(sorted({rank["names"][3] for rank in json.load(open("job.json"))["table"]["ranks"]})))')
python3 -c 'import json; json.dump(json.load(open("job.json"))["table"], open("table.json", "w"))'
printf 'SwitchName=s1 Nodes=a,b,%s\n' "$nodes" >one.conf
printf 'host a,b,%s switch=s1\n' "$nodes" >one.map
for file in one.conf one.map; do
    on_switch "a profile and $file" $file job.json
    on_switch "hosts and $file" $file --hosts --hostfile hosts
done
# Entries left out of a file are printed once, and all else is used.
printf 'SwitchName=s1 Nodes=a,b\nSwitchName=s2 Nodes=c[\n' >odd.conf
on_switch "a file with a broken line" odd.conf --hosts --hostfile hosts
expect "a file with a broken line: told once" test "$(grep -c 'hitopo: odd.conf:2.*"c\[" is ignored' <<<"$out")" = 1
echo '{"kind": "NodeList", "items": []}' >nodes.json
fails 1 "a list of nodes" "hitopo map nodes.json > hitopo.map" --hosts --hostfile hosts --topology nodes.json "${write[@]}"
on_switch "a table and one.conf" one.conf --hosts --table table.json
fails 1 "a rankfile of hosts" "Use --format hostfile" --grid 2x2 --hostfile hosts --format rankfile --output order
fails 2 "capacities that are none" "--capacities" --grid 2x2 --hostfile hosts --capacities switch:x "${write[@]}"

# ---- lists, and the place of a host in one ----

printf 'c\na\n%s\nb\n' "$(hostname)" >every
for node in a,c b,$(hostname); do echo "host $node switch=${node%%,*}"; done >two.map
capture hitopo order --hosts --hostfile every --topology two.map --format list --output list
expect "a list of hosts, in the fabric's order" test "$status/$(xargs <list)" = "0/c a $(hostname) b"
printf 'b\nc\n%s\na\n' "$(hostname)" >every
capture hitopo order --hosts --hostfile every --topology two.map --format list --output list
expect "each switch's hosts are together" test "$status/$(xargs <list)" = "0/b $(hostname) c a"
capture hitopo order --hosts --node-rank list
expect "the place of this host" test "$status/$out" = 0/1
printf 'b\nc slots=2 # a hostfile\n' >strange
fails 1 "a list without this host" "hitopo: strange: lacks this host, $(hostname); its first is b. Name a list" --hosts --node-rank strange
capture env NODE_NAME=c.example.org hitopo order --hosts --node-rank strange
expect "the name of a pod's node" test "$status/$out" = 0/1
capture hitopo order job.json --hostfile hosts --format map --output launch.map
expect "a map of the new order" test "$status/$(cut -d' ' -f2 launch.map | sort | xargs)/$(cut -d' ' -f3 launch.map | sort | xargs)" = \
    "0/0,2 1,3/node=a node=b"

# ---- grids ----

for grid in 3x2 2 4x4 2x2x2; do
    fails 1 "a grid that does not fit: $grid" "but there are 4 slots" --grid $grid --hostfile hosts "${write[@]}"
done
for grid in 2y2 0x4 -1x4 2x 4294967296x4294967297; do
    fails 2 "no grid: $grid" "--grid: is" --grid=$grid --hostfile hosts "${write[@]}"
done

# ---- use ----

fails 2 "nothing to order" "one of these" "${write[@]}"
fails 2 "two things to order" "one of these" job.json --grid 2x2 "${write[@]}"
fails 2 "an unknown format" "not in {hostfile" job.json --format other --output order
fails 2 "an output without a format" "--output needs --format" job.json --output order

# ---- output ----

fails 1 "a folder that is not there" "cannot be written" job.json --format hostfile --output nowhere/order
# A file may have no byte here.
echo untouched >order
capture bash -c "trap '' XFSZ; ulimit -f 0; hitopo order job.json --format hostfile --output order >/dev/null"
expect "a file that does not fit: nothing is half written" failed_alone 1 "order cannot be written"
