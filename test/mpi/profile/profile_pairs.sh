#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# hitopo_prof_pairs: what each process sent to each other one over all communicators, against numbers worked out by
# hand from profile_pairs.c; and that all else stays as it is without.
. "$(dirname "$0")/../common.sh"
. "$here/profile_common.sh"
on=(--mca hitopo_prof_pairs 1)

# is_true EXPRESSION: of `processes` of the report.
is_true() {
    [ "$status" = 0 ] && python3 - "$report" "$1" <<'END'
import json, sys
processes = json.load(open(sys.argv[1]))["processes"]
value = eval(sys.argv[2])
value or print([[p.get(name) for name in ("pairs", "unknown_pairs", "collective_bytes")] for p in processes], file=sys.stderr)
sys.exit(0 if value else 1)
END
}

# To each right neighbour of the ring go 3 + 5 + 8 bytes in three messages, to each left one 3 + 1 + 0; to each
# neighbour in the square 10.
profiled "${on[@]}" "${windows[@]}" -np 4 "$HITOPO_TEST_PROGRAMS/profile_pairs"
expect "pairs over all communicators" is_true '[p["pairs"] for p in processes] == [
    [[1, 5, 100 + 10 + 16], [2, 1, 10], [3, 4, 28 + 4]],
    [[0, 4, 10 + 4], [2, 7, 16 + 3 * 50 + 33], [3, 1, 10]],
    [[0, 1, 10], [1, 3, 4], [2, 1, 9], [3, 5, 10 + 16 + 40]],
    [[0, 5, 16 + 16 + 70], [1, 1, 10], [2, 4, 10 + 4]]]'
expect "processes of another job count apart" is_true \
    '[p["unknown_pairs"] for p in processes] == [[1, 5], [0, 0], [0, 0], [0, 0]]'
expect "collectives count apart" is_true '[p["collective_bytes"] for p in processes] == [3000, 0, 0, 0]'
expect "registered communicators have what went by them" is_true \
    '[[[e[0], e[3], e[4]] for c in p["communicators"] for e in c["peers"]] for p in processes] == [[], [], [], [[0, 1, 70]]]'
capture python3 "$here/profile_check.py" "$report"
expect "the report has the form" succeeded

profiled "${windows[@]}" -np 4 "$HITOPO_TEST_PROGRAMS/profile_pairs"
expect "no pairs unless they are asked for" is_true 'not any("pairs" in p or "collective_bytes" in p for p in processes)'

for program in profile_messages profile_collectives profile_neighbours profile_windows profile_communicators profile_threads; do
    traced "${on[@]}" --mca hitopo_base_eager 0 "${windows[@]}" "${threads[@]}" -np 4 "$HITOPO_TEST_PROGRAMS/$program"
    judged "$program: registered communicators as without pairs"
done
