#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The scripts of `hitopo select` under dash and bash, on nodes of three vendors that are folders: what they give a rank,
# and where they refuse to guess.
. "$(dirname "$0")/../common.sh"
[ -x "$HITOPO_PREFIX/bin/hitopo" ] || { echo "ok - hitopo select # SKIP no {fmt} or CLI11: the command is not built"; exit; }
machines=$HITOPO_PREFIX/share/hitopo/machines
variables="CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES HIP_VISIBLE_DEVICES GPU_DEVICE_ORDINAL ZE_AFFINITY_MASK
    ZE_FLAT_DEVICE_HIERARCHY ZE_ENABLE_PCI_ID_DEVICE_ORDER UCX_NET_DEVICES FI_CXI_DEVICE_NAME"
unset $variables SLURM_LOCALID SLURM_STEP_GPUS SLURM_JOB_GPUS MPI_LOCALRANKID PALS_LOCAL_RANKID FLUX_TASK_LOCAL_ID

# written MACHINE RANKS [ARG...]: the script of a job on that machine.
written() {
    run -np "$2" --bind-to none --mca hitopo_hwloc_topology "$machines/$1.xml" \
        --mca hitopo_hwloc_binding none hitopo select --output "$scratch/select" "${@:3}"
    expect "$1, $2 ranks: a script" test "$status" = 0 -a -x "$scratch/select"
}

# ---- nodes that are folders ----

root=$scratch/root

# put FILE TEXT: below the root.
put() {
    mkdir -p "$(dirname "$root/$1")"
    printf '%b' "$2" >"$root/$1"
}

# UUIDs begin with the GPU's number here, which is not its minor.
nvidia_node() {
    local number=0 minor=$# pci
    for pci; do
        minor=$((minor - 1))
        mkdir -p "$root/sys/bus/pci/devices/$pci"
        put "proc/driver/nvidia/gpus/$pci/information" \
            "Model: \t\t Test\nGPU UUID: \t GPU-$number-${pci:5:2}\nDevice Minor: \t $minor\n"
        put "dev/nvidia$minor" ''
        number=$((number + 1))
    done
}

# kfd NODE SIMDS LOCATION [DOMAIN]: a node of ROCm's topology.
kfd() { put "sys/class/kfd/kfd/topology/nodes/$1/properties" "simd_count $2\nlocation_id $3\ndomain ${4-0}\n"; }

# amd_node PARTS PCI...: GPUs of so many parts. Two CPUs come first.
amd_node() {
    local id=2 part pci
    kfd 0 0 0
    kfd 1 0 0
    for pci in "${@:2}"; do
        mkdir -p "$root/sys/bus/pci/devices/$pci"
        for ((part = 0; part < $1; ++part)); do
            kfd $id 440 $((part << 28 | 0x${pci:5:2} * 256)) $((0x${pci:0:4}))
            id=$((id + 1))
        done
    done
}

# A BMC has a display, too.
intel_node() {
    local render=128 pci
    for pci in 0000:02:00.0 "$@"; do
        mkdir -p "$root/sys/bus/pci/devices/$pci/drm/renderD$render"
        put "sys/bus/pci/devices/$pci/vendor" "$([ $render = 128 ] && echo 0x1a03 || echo 0x8086)\n"
        put "dev/dri/renderD$render" ''
        render=$((render + 1))
    done
}

# ---- running ----

mkdir "$scratch/bin"
cat >"$scratch/bin/taskset" <<'END'
#!/bin/sh
echo "taskset $2"
shift 2
exec "$@"
END
cat >"$scratch/program" <<END
#!/bin/sh
for name in $(echo $variables); do
    eval "value=\\\${\$name-unset}"
    [ "\$value" = unset ] || echo "\$name=\$value"
done
for argument; do echo "argument <\$argument>"; done
while read -r line; do echo "input <\$line>"; done
END
chmod +x "$scratch/bin/taskset" "$scratch/program"

# selected SHELL VARIABLE=VALUE... : what the script gives the program, of two arguments and two lines.
selected() {
    capture env HITOPO_SELECT_ROOT="$root" PATH="$scratch/bin:$PATH" "${@:2}" \
        "$1" "$scratch/select" "$scratch/program" "a b" '$HOME' < <(printf 'one two\nthree\n')
}

# gives NAME EXPECTED VARIABLE=VALUE...: under both shells; EXPECTED is what the program sees of its environment.
gives() {
    local shell end=$'argument <a b>\nargument <$HOME>\ninput <one two>\ninput <three>'
    for shell in dash bash; do
        selected $shell "${@:3}"
        expect "$1, $shell" test "$status" = 0 -a "$out" = "$2"$'\n'"$end"
    done
}

# refuses NAME BEGINNING VARIABLE=VALUE...: status 2, and one line that begins so.
refuses() {
    local shell
    for shell in dash bash; do
        selected $shell "${@:3}"
        expect "$1, $shell" test "$status" = 2 -a "${out#"select: $2"}" != "$out" -a "$(wc -l <<<"$out")" = 1
    done
}

lint() {
    command -v shellcheck >/dev/null || { echo "ok - $1 # SKIP no shellcheck"; return; }
    capture shellcheck "$scratch/select"
    expect "$1" test "$status" = 0
}

# ---- NVIDIA ----

written polaris 4
lint "shellcheck: NVIDIA"
nvidia_node 0000:07:00.0 0000:46:00.0 0000:85:00.0 0000:c7:00.0
rank0=$'taskset 0-7,32-39\nCUDA_VISIBLE_DEVICES=GPU-3-c7\nUCX_NET_DEVICES=mlx5_0:1'
rank1=$'taskset 8-15,40-47\nCUDA_VISIBLE_DEVICES=GPU-2-85\nUCX_NET_DEVICES='
gives "a GPU by its UUID" "$rank0" OMPI_COMM_WORLD_LOCAL_RANK=0 CUDA_VISIBLE_DEVICES=9
refuses "no rank" "no variable has the local rank"
refuses "a rank too many" "there is no local rank 4" OMPI_COMM_WORLD_LOCAL_RANK=4
refuses "what is no rank" "there is no local rank .*" OMPI_COMM_WORLD_LOCAL_RANK=".*"
refuses "no rank is the word for a node" "there is no local rank node" OMPI_COMM_WORLD_LOCAL_RANK=node
for variable in MPI_LOCALRANKID PALS_LOCAL_RANKID FLUX_TASK_LOCAL_ID SLURM_LOCALID; do
    gives "the rank of $variable" "$rank0" $variable=0
done
gives "Slurm's variable of a batch script does not count" "$rank0" MPI_LOCALRANKID=0 SLURM_LOCALID=1
is_quick && exit

mkdir -p "$root/proc/driver/nvidia/capabilities/gpu0/mig/gi1"
refuses "MIG is not guessed" "GPU 0000:c7:00.0 is divided (MIG)" SLURM_LOCALID=0
rm -r "$root/proc/driver/nvidia/capabilities"
put proc/driver/nvidia/gpus/0000:c7:00.0/information 'GPU UUID: \t GPU-????????-????\nDevice Minor: \t 0\n'
refuses "a UUID that the driver has not read" "the driver knows no UUID of GPU 0000:c7:00.0" SLURM_LOCALID=0
rm -r "$root/proc/driver/nvidia/gpus/0000:c7:00.0"
refuses "a GPU that a container hides" "local rank 0 may not use GPU 0000:c7:00.0" SLURM_LOCALID=0
selected dash SLURM_LOCALID=1
expect "the others are there" test "$status" = 0 -a "${out#"$rank1"}" != "$out"
rmdir "$root/sys/bus/pci/devices/0000:c7:00.0"
refuses "a GPU that is gone" "$(uname -n) lacks GPU 0000:c7:00.0" SLURM_LOCALID=1
capture env SLURM_LOCALID=0 dash "$scratch/select"
expect "no program" test "$status" = 2 -a "${out#select: name a program}" != "$out"

written polaris 2 --visible all --bind keep
nvidia_node 0000:07:00.0 0000:46:00.0 0000:85:00.0 0000:c7:00.0
gives "all GPUs behind the own" \
    $'CUDA_VISIBLE_DEVICES=GPU-0-07,GPU-1-46,GPU-2-85,GPU-3-c7\nUCX_NET_DEVICES=mlx5_1:1' SLURM_LOCALID=1

# ---- AMD ----

rm -r "$root"
written frontier 8
lint "shellcheck: AMD"
amd_node 1 0000:c1:00.0 0000:c6:00.0 0000:c9:00.0 0000:ce:00.0 0000:d1:00.0 0000:d6:00.0 0000:d9:00.0 0000:de:00.0
gives "a GPU by its number" $'taskset 0-7,64-71\nROCR_VISIBLE_DEVICES=4\nFI_CXI_DEVICE_NAME=cxi2' \
    SLURM_LOCALID=0 HIP_VISIBLE_DEVICES=0 CUDA_VISIBLE_DEVICES=0 GPU_DEVICE_ORDINAL=0
# What cannot be read, as where a control group hides it, is a folder here.
rm "$root/sys/class/kfd/kfd/topology/nodes/2/properties"
mkdir "$root/sys/class/kfd/kfd/topology/nodes/2/properties"
gives "a control group renumbers" $'taskset 0-7,64-71\nROCR_VISIBLE_DEVICES=3\nFI_CXI_DEVICE_NAME=cxi2' SLURM_LOCALID=0
refuses "a hidden GPU" "local rank 6 may not use GPU 0000:c1:00.0" SLURM_LOCALID=6

rm -r "$root"
written mi300a-cpx 24
amd_node 6 000{0,1,2,3}:02:00.0
selected dash SLURM_LOCALID=9
expect "a part of a GPU" grep -qx 'ROCR_VISIBLE_DEVICES=9' <<<"$out"

# ---- Intel ----

rm -r "$root"
written aurora 6
lint "shellcheck: Intel"
gpus=$(sed -n 's/^node //p;s/^tables=.node //p' "$scratch/select")
intel_node ${gpus//,/ }
card=$'ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE\nZE_ENABLE_PCI_ID_DEVICE_ORDER=1'
selected dash SLURM_LOCALID=4
expect "a GPU by its number among Intel's" grep -qx 'ZE_AFFINITY_MASK=4' <<<"$out"
expect "numbers are those of cards, by address" test "$(grep -x -e 'ZE_F.*' -e 'ZE_E.*' <<<"$out")" = "$card"
rm "$root/dev/dri/renderD129"
selected bash SLURM_LOCALID=4
expect "a control group renumbers Intel's" grep -qx 'ZE_AFFINITY_MASK=3' <<<"$out"
refuses "a hidden GPU of Intel's" "local rank 0 may not use GPU ${gpus%%,*}" SLURM_LOCALID=0

# ---- what select gives, check finds right ----

# The simulated binding in place of the real one, and CUDA's numbers in place of UUIDs, of which a simulated node has none.
mkdir "$scratch/simulated"
cat >"$scratch/simulated/taskset" <<'END'
#!/bin/bash
export OMPI_MCA_hitopo_hwloc_binding=$2
[ -z "$CUDA_VISIBLE_DEVICES" ] || export CUDA_VISIBLE_DEVICES=$(sed 's/GPU-\([0-9]*\)[^,]*/\1/g' <<<"$CUDA_VISIBLE_DEVICES")
shift 2
exec "$@"
END
chmod +x "$scratch/simulated/taskset"

# round_trip MACHINE RANKS
round_trip() {
    local gpus parts=1
    rm -r "$root"
    written "$1" "$2"
    gpus=$(sed -n "s/^tables='node //p" "$scratch/select")
    ! grep -q '#5' "$scratch/select" || parts=6
    case $(grep -o 'export [CRZ][A-Z_]*=' "$scratch/select") in
    *CUDA*) nvidia_node ${gpus//,/ } ;;
    *ROCR*) amd_node $parts ${gpus//,/ } ;;
    *) intel_node ${gpus//,/ } ;;
    esac
    run -np "$2" --bind-to none --mca hitopo_hwloc_topology "$machines/$1.xml" -x HITOPO_SELECT_ROOT="$root" \
        -x PATH="$scratch/simulated:$PATH" "$scratch/select" hitopo check --gpu
    expect "check finds nothing in what select gives: $1" test "$status" = 0 -a "$out" = "$2 processes, 1 node: no faults"
}
for machine in "$machines"/*.xml; do
    machine=$(basename "$machine" .xml)
    case $machine in
    mi300a-cpx) ranks=24 ;;
    frontier | dgx-*) ranks=8 ;;
    aurora | summit) ranks=6 ;;
    *) ranks=4 ;;
    esac
    round_trip "$machine" $ranks
done

# ---- other formats, and what is refused ----

run -np 4 --bind-to none --mca hitopo_hwloc_topology "$machines/polaris.xml" \
    --mca hitopo_hwloc_binding none hitopo select --format rankfile --output "$scratch/ranks"
ranks=$'rank 0 slot=0-7\nrank 1 slot=8-15\nrank 2 slot=16-23\nrank 3 slot=24-31'
expect "a rankfile" test "$status" = 0 -a "$(sed 's/=.* / /' "$scratch/ranks")" = "$ranks"
run -np 2 --bind-to none --mca hitopo_hwloc_topology "pack:2 core:2 pu:1" hitopo select
expect "no devices" test "$status" = 1 -a "${out#*neither a GPU nor a NIC}" != "$out"
run -np 1 hitopo select --order none
expect "wrong usage" test "$status" = 2
