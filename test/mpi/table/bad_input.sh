#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Bad input gets one message for each job, costs one level, and never the run.
. "$(dirname "$0")/../common.sh"

# complains NAME RANKS MESSAGE ARG...: one message for all ranks, and a table all the same.
complains() {
    preloaded -np "$2" "${@:4}" "$probe"
    expect "$1: one message" printed_once "$3"
    expect "$1: a table" has_rows "$2"
}

# says_only NAME LINE..: the last job printed these lines, one behind the other, and nothing else before the table.
says_only() { expect "$1: the message" [ "$(grep -vE '^(-?[0-9]+\.){7}|^-+$|^no table' <<<"$out")" = "$(printf '%s\n' "${@:2}")" ]; }

complains "an unknown component, by Open MPI's own help" 2 "A requested component was not found" --mca hitopo hostname,pmix
complains "only unknown components" 2 "A requested component was not found" --mca hitopo nosuch

preloaded -np 2 --mca hitopo gethostname "$probe"
expect "gethostname is hostname" test "$status/$(grep -c 'not found' <<<"$out")" = 0/0

host=$(hostname)

# A component that is built outside of HiTopo, with what is installed; then as of 0.2.0, whose query has other arguments.
build_outside() {
    local -x PKG_CONFIG_PATH=$HITOPO_PREFIX/lib/pkgconfig
    local shim=$source_root/test/mpi/table/shims/outside
    mpicc -std=gnu11 -Wall -Wextra -Werror -fPIC -c "$shim.c" -o "$scratch/outside.o" $(pkg-config --cflags hitopo-component) &&
        mpicxx -std=gnu++17 -Wall -Wextra -Werror -shared -fPIC "$shim.cc" "$scratch/outside.o" -o "$1" $(pkg-config --cflags hitopo-component)
}
mkdir "$scratch/components"
capture build_outside "$scratch/components/mca_hitopo_outside.so"
expect "a component compiles against the installed headers" succeeded
run -np 2 "$with_components" "$scratch/components" hitopo show
expect "a component from outside fills its level" grep -qE "^ *1 .* 0 the-only-switch-of-$host " <<<"$out"
run -np 2 -x OUTSIDE_VERSION=1 --mca hitopo outside,hostname "$with_components" "$scratch/components" hitopo show
expect "a component of another interface: one message" printed_once "without its component outside"
expect "a component of another interface: the others go on" test "$status/$(grep -c the-only-switch <<<"$out")" = 0/0

complains "Slurm's address is not of this node" 3 "SLURM_TOPOLOGY_ADDR" \
    -x SLURM_TOPOLOGY_ADDR="leaf1.elsewhere" -x SLURM_TOPOLOGY_ADDR_PATTERN=switch.node
says_only "Slurm's address is not of this node" "HiTopo got data that do not describe this node or its network:" "" \
    "    SLURM_TOPOLOGY_ADDR: leaf1.elsewhere: its last field is not this node, $host; do not forward Slurm's variables with mpirun -x, because each node has its own values." \
    "" "Its levels come from other components, or stay unknown. Component: slurm."
complains "malformed pattern" 3 "nonsense" \
    -x SLURM_TOPOLOGY_ADDR="leaf1.$host" -x SLURM_TOPOLOGY_ADDR_PATTERN=nonsense

printf 'rank 0-3 switch=a\nrank 0-x node=n1\n' >"$scratch/broken.map"
complains "broken map" 4 "broken.map:2:" --mca hitopo_file_path "$scratch/broken.map"
complains "absent map" 2 "absent.map" --mca hitopo_file_path "$scratch/absent.map"

printf '* island=a\n* swich=b\nhots n1 switch=c\n* socket=\n' >"$scratch/three.map"
preloaded -np 2 --mca hitopo_file_path "$scratch/three.map" "$probe"
says_only "three wrong lines" "HiTopo left out what it cannot use of its input:" "" \
    "    $scratch/three.map:2:3: swich=b (hitopo_file_path): this is not a level; write cluster, island, switch, node, l2numa, socket, core or hwthread." \
    "    $scratch/three.map:3:1: hots: this line is of an unknown kind; begin it with host, rank, *, shape, unique or include." \
    "    $scratch/three.map:4:3: socket=: the value is missing; write it after '=' without a space." \
    "" "It uses all the rest of that input. Component: file."
for ((i = 0; i < 30; ++i)); do echo "* level$i=b"; done >>"$scratch/three.map"
preloaded -np 2 --mca hitopo_file_path "$scratch/three.map" "$probe"
expect "33 wrong lines: 20 of them" [ "$status/$(grep -c "^    $scratch/three.map:" <<<"$out")" = 0/20 ]
expect "33 wrong lines: their number" printed "    .. and 13 more: 33 entries in all."
preloaded -np 2 --mca hitopo_hostname_pattern '{switch}-{swich}' "$probe"
says_only "a wrong pattern" "HiTopo could not use its input:" "" \
    "    hitopo_hostname_pattern, column 10: swich: this is not a field; write {cluster}, {island} or {switch}, and * for other text." \
    "" "Its levels come from other components, or stay unknown. Component: hostname."
preloaded -np 1 "$probe" : -np 1 -x LD_PRELOAD="$preload" -x OMPI_MCA_hitopo_file_path=/nosuch/map "$probe"
says_only "a file that only rank 1 names" "HiTopo could not read its input:" "" \
    "    hitopo_file_path: /nosuch/map: No such file or directory; give the full path of a file that every node can read." \
    "" "Its levels come from other components, or stay unknown. Component: file of rank 1."
preloaded -np 1 "$probe" : -np 1 -x LD_PRELOAD="$preload" -x OMPI_MCA_hitopo_base_eager=0 "$probe"
says_only "a process without HiTopo has a cause" "HiTopo is not in all processes of this job: rank 1 has hitopo_base_eager=false;" \
    "rank 0 runs it. The job continues without address tables, and Open MPI splits" "communicators without HiTopo." "" \
    "Give all processes the same value of hitopo_base_eager."
echo "host n[1-3],m switch=a" >"$scratch/others.map"
preloaded -np 2 --mca hitopo_file_path "$scratch/others.map" "$probe"
says_only "a map of other hosts" "HiTopo found none of this job's hosts in its input:" "" \
    "    hitopo_file_path: $scratch/others.map: this node is $host, the file begins with n[1-3],m; correct the names or the path." \
    "" "Levels come from other components, or stay unknown. Component: file."

# One process of each node reads a list of nodes; all agree on whether it has none of theirs.
echo "SwitchName=leaf1 Nodes=elsewhere" >"$scratch/others.conf"
complains "list of other nodes" 3 "none of this job's hosts" --mca hitopo_file_path "$scratch/others.conf"
echo "SwitchName=leaf1 Nodes=$host" >"$scratch/nodes.conf"
preloaded -np 3 --mca hitopo_file_path "$scratch/nodes.conf" "$probe"
expect "list of the job's nodes: no message" test "$(grep -c "none of this job's hosts" <<<"$out")" = 0
expect "list of the job's nodes: a table" has_rows 3
echo '{"kind": "NodeList", "items": []}' >"$scratch/nodes.json"
complains "a file that hitopo map reads" 3 "name that: hitopo map $scratch/nodes.json" --mca hitopo_file_path "$scratch/nodes.json"

# Names that are no UTF-8 stay apart.
if command -v hitopo >/dev/null; then
    printf 'rank 0 node=a switch=caf\xe8\nrank 1 node=b switch=caf\xe9\n' >"$scratch/latin.map"
    run -np 2 --mca hitopo_file_path "$scratch/latin.map" hitopo show
    expect "bytes that are no UTF-8: escaped in the table" printed '0 caf\xe8'
    expect "another of these bytes: another switch" printed '1 caf\xe9'
fi

# Nothing that a terminal obeys reaches it: not from files, their names, variables or environments.
is_plain() { printed "$1" && ! LC_ALL=C grep -q '[^ -~]' <<<"$out"; }
red=$'\033[31m'
printf '\033]0;title\abad %sline\n' "$red" >"$scratch/${red}control.map"
preloaded -np 2 --mca hitopo_file_path "$scratch/${red}control.map" "$probe"
expect "control characters in a map: escaped in the message" is_plain '\x1b]0;title\x07bad'
expect "control characters in its name: escaped in the message" is_plain '\x1b[31mcontrol.map'
preloaded -np 2 --mca hitopo_file_path "$scratch/${red}control.map" --mca hitopo_file_verbose 1 "$probe"
expect "control characters in a map: escaped in verbose lines" is_plain 'hitopo:file: rank 1: '
preloaded -np 2 -x SLURM_TOPOLOGY_ADDR="leaf1.$host" -x SLURM_TOPOLOGY_ADDR_PATTERN="non$red"$'\n'"sense" "$probe"
expect "control characters in a pattern: escaped, a line break too" is_plain 'non\x1b[31m\x0asense'
preloaded -np 2 --mca hitopo_base_level_switch "no${red}such" "$probe"
expect "control characters in a warning: escaped" is_plain 'no\x1b[31msuch'
preloaded -np 2 --mca hitopo "hostname,no${red}such" "$probe"
expect "control characters in a component's name: escaped" is_plain 'no\x1b[31msuch'

mkfifo "$scratch/pipe.map"
preloaded -np 2 --mca hitopo_file_path "$scratch/pipe.map" "$probe"
expect "a pipe for a map does not hang" has_rows 2

complains "broken host name pattern" 2 "{nonsense" --mca hitopo_hostname_pattern 'r{nonsense'
complains "broken synthetic machine" 2 "pack:0 nonsense" --mca hitopo_hwloc_topology "pack:0 nonsense"

preloaded -np 2 --mca hitopo_hwloc_binding "5-" "$probe"
expect "broken binding: a table" has_rows 2

# One process has its own opinion of priorities: rank 0's stands, and all hear of it once.
preloaded -np 1 "$probe" : -np 2 -x LD_PRELOAD="$preload" -x OMPI_MCA_hitopo_hwloc_priority=99 "$probe"
expect "different settings: one message" printed_once "different settings of HiTopo"
expect "different settings: a table" has_rows 3

complains "a level's component does not exist" 2 "hitopo_base_level_switch" --mca hitopo_base_level_switch nosuch
says_only "a level's component does not exist" "HiTopo works in this job, with this restriction:" "" \
    "    hitopo_base_level_switch names the component nosuch, which is not open: the priorities decide this level; name another component (\`hitopo info\` lists them with their levels)." \
    "" "\`hitopo show\` prints the table; \`hitopo show --why\` prints its sources."
complains "a level's component never fills it" 2 "does not fill this level" --mca hitopo_base_level_switch hwloc
complains "a variable that no environment has" 2 "hitopo_hostname_variable, column 2" --mca hitopo_hostname_variable A=B

# Numbers without sense: one message for all of them, and the defaults.
complains "numbers that are too small" 2 "is too small" --mca hitopo_slurm_timeout_ms -5 --mca coll_hitopo_leaders 0 --mca coll_hitopo_share -1
says_only "numbers that are too small" "HiTopo uses the default of a variable, because its value is too small:" "" \
    "    hitopo_slurm_timeout_ms is -5; the least is 0, the default 500." "    coll_hitopo_leaders is 0; the least is 1, the default 16." \
    "    coll_hitopo_share is -1; the least is 0, the default 4." "" "\`hitopo info NAME\` explains a variable."
