#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Which communicators a report has: those of every call that makes some, each once, whatever the order and the
# processes that register them.
. "$(dirname "$0")/common.sh"
. "$here/profile_common.sh"

# is_true EXPRESSION: of `report`, the document, and `named`, its communicators by name.
is_true() {
    [ "$status" = 0 ] && python3 - "$report" "$1" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
named = {c["name"]: c for c in report["communicators"]}
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}

program=$HITOPO_TEST_PROGRAMS/profile_communicators
for ranks in 4 5 8; do
    traced -np $ranks --mca hitopo_base_eager 0 "$program"
    judged "communicators of $ranks processes"
    expect "freed ones of $ranks" is_true 'named["sometimes"]["is_freed"] and not named["sometimes"]["is_registered"]'
    expect "live ones of $ranks" is_true 'named["silent"]["is_registered"] and not named["silent"]["is_freed"]'
done

many=$HITOPO_TEST_PROGRAMS/profile_many
counts='[len(p["communicators"]) for p in report["processes"]]'
profiled -np 3 "$many" "$scratch" 20
expect "names may repeat" is_true "$counts == [3, 21, 21] and [c['name'] for c in report['communicators']].count('many') == 20"
expect "nobody is left out" is_true 'report["warnings"] == []'
profiled -np 3 --mca hitopo_prof_max_communicators 5 "$many" "$scratch" 20
expect "hitopo_prof_max_communicators" is_true "$counts == [3, 5, 5]"
expect "a warning, though rank 0 has all of its own" is_true \
    'len(report["warnings"]) == 1 and "hitopo_prof_max_communicators" in report["warnings"][0]'
profiled -np 2 "$many" "$scratch" 1500
expect "1024 of 1500 communicators" is_true "$counts == [3, 1024] and len(report['warnings']) == 1"
profiled -np 2 --mca hitopo_base_register_world 0 "$many" "$scratch" 1
expect "hitopo_base_register_world 0" is_true "$counts == [1, 1] and list(named) == ['many']"
