#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Hostfiles, as `hitopo order` and as mpirun reads them: the hosts and slots that the mpirun that is here would start on.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
command -v hitopo >/dev/null || { echo "ok - hitopo order # SKIP the command is not built"; exit 0; }
[[ $ompi_version = 4.* ]] || { echo "ok - hostfiles beside mpirun # SKIP only Open MPI 4 prints a map that it does not launch"; exit 0; }
export LC_ALL=C
cd "$scratch" || exit

# "n1*4 n2*2": hosts and their slots; "" where nothing is started, or not what the file says.
by_mpirun() {
    timeout -k 10 300 mpirun --hostfile "$1" --display-map --do-not-launch true </dev/null >map 2>&1
    ! grep -q "parse error" map || return
    sed -n 's/^ Data for node: \([^\t]*\)\tNum slots: \([0-9]*\)\t.*/\1*\2/p' map | xargs
}
by_hitopo() {
    hitopo order --hosts --hostfile "$1" --format hostfile 2>said | uniq -c | awk '{sub(/\..*/, "", $2); print $2 "*" $1}' | xargs
}
# same TEXT: of a file, with printf's escapes.
same() {
    printf "$1" >hosts
    local wanted
    wanted=$(by_mpirun hosts)
    capture by_hitopo hosts
    expect "$(printf '%q' "$1"): $wanted" test "$out" = "$wanted"
}

same 'n1 slots=4\nn2 slots=2 max_slots=8\n'
same 'n1 slots = 2\n\tn2\tslots\t=3\nn3 max-slots=4#c\n# c\n'
same 'n1 max_slots=5 slots=3\n'
same 'root@n1 slots=2\njohn@n2.example.org slots=1\n'
same 'n1\nn1\nn2 slots=1\nn2\n'
same 'n1\nn1 max_slots=5\n'
same 'n1.example.org\nn1\n'
same 'n1 slots=2\nN1 slots=1\n'
same '17 slots=2\n'
same 'fe80::1 slots=2\n'
for text in 'n1 slots=2\nn1 slots=1\n' 'n1 slots=3 max_slots=2\n' 'n1 slot=2\n' 'n1 slots 2\n' 'n1 slots=-1\n' '+n0\n' '^n1\nn2 slots=1\n'; do
    same "$text"
done

# mpirun takes the cores of a host without slots.
printf 'n1 slots=1\nn2\nn3\n' >hosts
capture hitopo order --hosts --hostfile hosts
expect "hosts without slots: what to do" test "$status/$out" = \
    "1/hitopo: hosts: has no slots for 2 hosts: n[2-3]. mpirun uses the number of cores of a host, which is known on that host only: write slots=N after each name"
