# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For run: component slingshot under srun. The lab's nodes share one network; here each also has one of its own with an
# interface hsn0, and the /sys that tells of it. Groups and switches by hand, as in ../nodes/slingshot.cluster:
# n1 and n2 are in group 0, switch 31; n3 in group 1, switch 0; n4 to n6 in group 1, switch 31; n7 in group 2, switch 0.
addresses=(07:ea 07:c5 08:01 0f:c0 0f:fe 0f:c1 10:03)

# give_hsn NUMBER ADDRESS: the process that keeps the network ends with the node.
give_hsn() {
    nsenter -t "$(first "node$1")" --pid --mount --uts --ipc -r unshare --net sh -c '
        ip link add hsn0 address "02:00:00:00:$1" type veth peer name hsn0-port &&
            ip link set hsn0 up && ip link set hsn0-port up && mount -t sysfs sysfs /sys || exit
        setsid -f sleep infinity >/dev/null 2>&1 </dev/null' give_hsn "$2"
}
hsn_is_up() { [ "$(nsenter -t "$(first "node$1")" --mount -r cat /sys/class/net/hsn0/operstate)" = up ]; }

slingshot() {
    local number
    for number in "${!addresses[@]}"; do
        give_hsn $((number + 1)) "${addresses[number]}" && await 60 hsn_is_up $((number + 1)) || return
    done
    OMPI_MCA_hitopo=slurm,hwloc,slingshot by_srun env LD_PRELOAD="$preload" "$HITOPO_TEST_PROGRAMS/split_sizes" \
        hitopo://Switch hitopo://Island
    out+=$said
    expect "slingshot by srun: switches and islands, without a file" test "$out" = "hitopo://Switch: 2 2 1 3 3 3 1 0
hitopo://Island: 2 2 4 4 4 4 1 0"
    OMPI_MCA_hitopo=slurm,hwloc,slingshot by_srun hitopo show --why
    expect "slingshot by srun: the reason names the port" says_why "hsn0 has 02:00:00:00:07:ea: group 0, switch 31, port 42"
    expect "slingshot by srun: a node without" says_why "no interface hsn0"
}
