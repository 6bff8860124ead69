#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# README.md, docs/commands.md and docs/devices.md say what their commands print; and a page that says something else is found out.
. "$(dirname "$0")/../mpi/common.sh"
[ -x "$HITOPO_PREFIX/bin/hitopo" ] || { echo "ok - the tour of commands # SKIP no {fmt} or CLI11: the command is not built"; exit; }
export HITOPO_ROOT=$HITOPO_PREFIX

# tour PAGE [OPTION]
tour() {
    local folder
    folder=$(mktemp -d -p "$scratch")
    cp -r "$source_root/examples" "$folder"
    timeout -k 5 600 python3 "$here/tour_of_commands.py" "$1" "$folder" "${@:2}"
}
tour "$source_root/README.md" || exit
tour "$source_root/docs/commands.md" || exit
tour "$source_root/docs/devices.md" || exit

printf '%s\n' '    $ seq 3' '    1' '    ...' '    3' '' 'Text.' '' '    $ echo took 5 ms' '    took 7.5 s' >"$scratch/right.md"
capture tour "$scratch/right.md"
expect "a page that is right" test "$status:$(grep -c '^ok' <<<"$out")" = 0:2

# wrong NAME EDIT: the same, edited.
wrong() {
    sed "$2" "$scratch/right.md" >"$scratch/page.md"
    capture tour "$scratch/page.md"
    expect "a page that is wrong: $1" test "$status:$(grep -c '^not ok' <<<"$out")" = 1:1
}
echo 'No command.' >"$scratch/page.md"
capture tour "$scratch/page.md"
expect "a page without commands is wrong" test "$status" = 1
wrong "another line" 's/^    1$/    2/'
wrong "a line too many" 's/^    took.*/&\n    and more/'
wrong "a line too few" 's/^    3$/    4/'
wrong "no time" 's/7.5 s/7.5 MB/'
wrong "a command that fails" 's/seq 3/seq 3; false/'
