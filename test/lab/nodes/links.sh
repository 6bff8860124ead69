# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For run and links: hitopo check --links on 8 nodes and 4 trunks of 100 Mbit/s each, of which one is cut.
# Tests measure_links.cc.
. "$here/fabric.sh"

# limit MBIT NODE..|SWITCH..: what their links carry each way.
limit() {
    local name tbf=(root tbf rate "$1mbit" burst 16k latency 1s)
    for name in "${@:2}"; do
        case $name in
        n*)
            in_head tc qdisc replace dev "port$((${name#n} + 1))" "${tbf[@]}"
            on_node "$name" tc qdisc replace dev eth0 "${tbf[@]}"
            ;;
        s*)
            in_head tc qdisc replace dev "trunk-$name" "${tbf[@]}"
            in_head tc qdisc replace dev "core-$name" "${tbf[@]}"
            ;;
        esac
    done
}

bring_up_links() {
    bring_up trunks || return
    hosts single 0 1 2 3 4 5 6 7
    limit 100 n{0..7} s{0..3}
}

# links_found SECONDS: a line for each fault of the links, and one if some are too noisy to tell.
links_found() {
    rm -f "$lab/links.json"
    job_on single "$HITOPO_PREFIX/bin/hitopo" check --links "$1" --format json --output "$lab/links.json"
    python3 - "$lab/links.json" <<'PYTHON'
import json, sys
found = json.load(open(sys.argv[1]))
for finding in found["findings"]:
    if finding["kind"].startswith("slow-"):
        print(finding["kind"], *finding["nodes"])
if any("too noisy" in line for line in found["unchecked"]) or not found.get("links"):
    print("noisy")
PYTHON
}

# expected_of NODE|SWITCH|-: what links_found has to print where that is cut.
expected_of() {
    case $1 in
    n*) echo "slow-node $1" ;;
    s*) echo "slow-uplink n$((2 * ${1#s})) n$((2 * ${1#s} + 1))" ;;
    esac
}

# Whoever loads this machine can make links too noisy to tell, but not another place slow.
links() {
    local cut mbit place
    bring_up_links
    for cut in "$@"; do
        read -r mbit place <<<"$cut"
        [ "$place" = - ] || limit "$mbit" "$place"
        out=$(links_found 5)
        [ "$place" = - ] || limit 100 "$place"
        expect "hitopo check --links, $place at $mbit Mbit/s: $(xargs <<<"${out:-ok}")" names_no_other "$(expected_of "$place")"
    done
}
names_no_other() { [ "$out" = noisy ] || [ "$(grep -v noisy <<<"$out")" = "$1" ]; }
