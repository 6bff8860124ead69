# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# A Slurm cluster on one machine: each node, and the front end with slurmctld and munged, is a process
# namespace with a host name and /dev/shm of its own. They share one network namespace, which has no way
# out. So the first process of each is all that has to be ended, and it is what $lab/first records.
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
topologies=$here/topologies
export SLURM_CONF=$lab/etc/slurm.conf TMPDIR=$lab/tmp
# Else the fence at the end of MPI_Init awaits nobody, and the first messages meet processes that are not ready (docs/upstream.md, 16).
export SLURM_PMIX_FENCE=ring
num_nodes=8

need_slurm() {
    need unshare util-linux nsenter util-linux ip iproute2 \
        slurmctld slurmctld slurmd slurmd srun slurm-client munged munge python3 python3
    unshare --net --pid --fork --mount --uts --ipc true 2>/dev/null || skip_lab "$no_namespaces"
    [ -n "$(ls /sys/fs/cgroup 2>/dev/null)" ] || skip_lab "slurmd wants /sys/fs/cgroup, which is not mounted, as in a chroot"
}

# ---- namespaces ----

# first NAME: the process that keeps the namespace NAME, as long as it lives.
first() { recorded "$lab/first/$1"; }

# in_new NAME HOST OPTION... -- COMMAND...: makes a namespace whose first process is COMMAND.
in_new() {
    local name=$1 host=$2 options=()
    shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    # Before it has a /proc of its own, it sees the number that it has outside.
    setsid -f "${options[@]}" unshare --pid --fork --uts --ipc --mount --propagation private \
        bash -c "$(declare -f record start_time)"'
        read -r pid rest </proc/self/stat && record "$pid" "$2.new" &&
            mount -t proc proc /proc && mount -t tmpfs tmpfs /dev/shm && hostname "$1" && mv "$2.new" "$2" || exit
        shift 2
        exec "$@"' in_new "$host" "$lab/first/$name" "$@" \
        >"$lab/log/$name.out" 2>&1 </dev/null
    await 60 first "$name" >/dev/null
}

end() {
    signal_recorded KILL "$lab/first/$1"
    await 10 are_over "$lab/first/$1"
    rm -f "$lab/first/$1"
}

# on_front_end COMMAND...: what a user's shell would run there.
on_front_end() { nsenter -t "$(first front-end)" --net --pid --mount --uts --ipc -r --wd="$PWD" -- "$@"; }

# ---- Slurm ----

# node_name NUMBER: n3, or n3.lab.example where the topology names its nodes so.
node_name() { echo "n$1$node_suffix"; }

write_conf() {
    local number
    cat <<CONF
ClusterName=lab
SlurmctldHost=front-end(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$lab/munge.socket
CredType=cred/munge
SlurmctldPort=16817
StateSaveLocation=$lab/state
SlurmdSpoolDir=$lab/spool/%n
SlurmctldPidFile=$lab/slurmctld.pid
SlurmdPidFile=$lab/slurmd.%n.pid
SlurmctldLogFile=$lab/log/slurmctld.log
SlurmdLogFile=$lab/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/${slurm_scheduler-builtin}
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=10000,bf_interval=1
TopologyPlugin=topology/$([ "$topology" = none ] && echo none || echo tree)
SlurmdParameters=config_overrides
ReturnToService=2
TmpFS=$lab/tmp/%n
SlurmctldTimeout=300
SlurmdTimeout=300
KillWait=3
CONF
    for ((number = 1; number <= num_nodes; ++number)); do
        echo "NodeName=$(node_name $number) NodeHostname=$(node_name $number) NodeAddr=127.0.0.1" \
            "Port=$((17000 + number)) CPUs=4 Sockets=2 CoresPerSocket=2 ThreadsPerCore=1 State=UNKNOWN"
    done
    echo "PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP"
}

start_front_end() {
    first front-end >/dev/null && return
    in_new front-end front-end unshare --net -- sleep infinity || return
    on_front_end bash -c 'ip link set lo up
        # Open MPI does not take the loopback interface for a network.
        ip link add lab type bridge && ip address add 10.77.0.1/24 dev lab && ip link set lab up' || return
    [ -s "$lab/etc/munge.key" ] || (umask 077 && head -c 128 /dev/urandom >"$lab/etc/munge.key")
    on_front_end munged --force -S "$lab/munge.socket" --key-file="$lab/etc/munge.key" \
        --pid-file="$lab/munged.pid" --log-file="$lab/log/munged.log" --seed-file="$lab/munge.seed" >"$lab/log/munged.out" 2>&1
}

choose_topology() {
    topology=$1 node_suffix=$(sed -n 's/^# node suffix: //p' "$topologies/$1.conf")
}

# slurmctld and all slurmds with the chosen file of topologies/.
start_slurm() {
    local number name
    rm -rf "$lab/state" "$lab/spool"
    mkdir -p "$lab/state"
    cp "$topologies/$topology.conf" "$lab/etc/topology.conf"
    write_conf >"$SLURM_CONF"
    on_front_end slurmctld -f "$SLURM_CONF" -c || return
    for ((number = 1; number <= num_nodes; ++number)); do
        name=$(node_name $number)
        mkdir -p "$lab/spool/$name" "$lab/tmp/$name"
        in_new "node$number" "$name" nsenter -t "$(first front-end)" --net -- slurmd -D -f "$SLURM_CONF" -N "$name" &
    done
    wait
    await 120 nodes_are_idle
}

nodes_are_idle() { [ "$(on_front_end timeout 20 sinfo -h -t idle -N -o %N 2>/dev/null | wc -l)" = $num_nodes ]; }

stop_slurm() {
    local number pid
    for ((number = 1; number <= num_nodes; ++number)); do
        end "node$number" &
    done
    wait
    pid=$(cat "$lab/slurmctld.pid" 2>/dev/null) && first front-end >/dev/null && on_front_end kill -KILL "$pid"
    rm -f "$lab/slurmctld.pid"
}
