// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The script of `hitopo select`. It names GPUs by their PCI addresses, and asks the node that it runs
// on what the runtime calls them: UUIDs differ between equal nodes, and control groups renumber.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/select/select.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr const char* kHead = R"sh(#!/bin/sh
# Gives each rank GPUs, NICs and CPUs that are near to each other. Written by hitopo {} select. Start a
# program with the options of the job and this before it:
#     mpirun OPTIONS ./select ./program ARGUMENTS
# A table for each kind of node: the addresses of its GPUs; of each local rank GPUs, NICs and CPUs. - leaves
# them as they are.
tables='{}'
)sh";

constexpr const char* kFindRow = R"sh(
root=$HITOPO_SELECT_ROOT # for tests
again="write the script again: mpirun OPTIONS hitopo select --output select"
fail() { echo "select: $1" >&2; exit 2; }
[ $# -gt 0 ] || fail "name a program: mpirun OPTIONS $0 ./program ARGUMENTS"

# Slurm sets its variable in a batch script, too, in which another launcher may start.
for rank in "$OMPI_COMM_WORLD_LOCAL_RANK" "$MPI_LOCALRANKID" "$PALS_LOCAL_RANKID" "$FLUX_TASK_LOCAL_ID" \
    "$SLURM_LOCALID"; do
    [ -z "$rank" ] || break
done
[ -n "$rank" ] || fail "no variable has the local rank; start this with mpirun, mpiexec, srun or flux run"

is_here() {
    for gpu in $(echo "$1" | tr , ' '); do
        [ "$gpu" = - ] || [ -e "$root/sys/bus/pci/devices/$gpu" ] || return
    done
}
node=
while read -r key gpus nics cpus; do
    case $key in
    node) [ -z "$node" ] || break; ! is_here "$gpus" || node=$gpus ;;
    "$rank") [ -z "$node" ] || break ;;
    esac
done <<END
$tables
END
[ -n "$node" ] || fail "$(uname -n) lacks GPU $gpu, and is no node that this was written for; $again"
[ "$key" = "$rank" ] || fail "there is no local rank $rank in the table; $again"
)sh";

// find_name PCI: sets name to what the runtime calls the GPU; empty: this process may not use it.
constexpr const char* kFindNvidia = R"sh(
# The UUID is right in whatever order CUDA counts.
find_name() {
    information=$root/proc/driver/nvidia/gpus/$1/information
    name=$(sed -n 's/^GPU UUID:[[:space:]]*//p' "$information" 2>/dev/null)
    minor=$(sed -n 's/^Device Minor:[[:space:]]*//p' "$information" 2>/dev/null)
    for instance in "$root/proc/driver/nvidia/capabilities/gpu$minor/mig"/gi*; do
        [ ! -e "$instance" ] || fail "GPU $1 is divided (MIG); choose MIG-.. for CUDA_VISIBLE_DEVICES"
    done
    [ "$name" = "${name%\?}" ] || fail "the driver knows no UUID of GPU $1 yet; start nvidia-smi once"
    [ ! -e "$root/dev/nvidia$minor" ] || [ -w "$root/dev/nvidia$minor" ] || name=
}
)sh";

constexpr const char* kFindAmd = R"sh(
# ROCm counts the nodes of its topology that have SIMDs and can be read: a control group hides others.
find_name() {
    name='' number=0 id=0 nodes=$root/sys/class/kfd/kfd/topology/nodes
    pci=${1%#*} part=${1#"${1%#*}"} bus=${1#*:} slot=${pci##*:}
    want=$((${part#?} + 0)) # bits 28-31 of the location
    want="$((want * 0x10000000 + 0x${bus%%:*} * 256 + 0x${slot%.*} * 8 + ${slot#*.})) $((0x${pci%%:*}))"
    while [ -e "$nodes/$id" ]; do
        here=$(awk '$1 == "simd_count" { s = $2 } $1 == "location_id" { l = $2 } $1 == "domain" { d = $2 }
            END { if (s > 0) print l, d + 0 }' "$nodes/$id/properties" 2>/dev/null)
        [ "$here" != "$want" ] || name=$number
        [ -z "$here" ] || number=$((number + 1))
        id=$((id + 1))
    done
}
)sh";

constexpr const char* kFindIntel = R"sh(
# Level Zero counts the GPUs that it may open, by address.
find_name() {
    name='' number=0
    for render in "$root"/sys/bus/pci/devices/*/drm/renderD*; do
        [ -w "$root/dev/dri/${render##*/}" ] || continue
        [ "$(cat "${render%/drm/*}/vendor")" = 0x8086 ] || continue
        case $render in */"$1"/drm/*) name=$number ;; esac
        number=$((number + 1))
    done
}
)sh";

constexpr const char* kChoose = R"sh(
if [ "$gpus" != - ]; then
    names=
    for gpu in $(echo "$gpus" | tr , ' '); do
        find_name "$gpu"
        [ -n "$name" ] || fail "local rank $rank may not use GPU $gpu of $(uname -n); $again"
        names=$names${names:+,}$name
    done
)sh";

constexpr const char* kRun = R"sh(fi
case $nics in
-) ;;
cxi*) export FI_CXI_DEVICE_NAME="$nics" ;;
*) export UCX_NET_DEVICES="$nics" ;;
esac
[ "$cpus" = - ] || exec taskset -c "$cpus" "$@"
exec "$@"
)sh";

// The command that finds a GPU's name, and the one that then chooses it by $names.
struct Runtime {
    const char* find;
    const char* choose;
};

Runtime runtime_of(unsigned vendor) {
    switch (vendor) {
        case kNvidia:
            return {kFindNvidia, "    export CUDA_VISIBLE_DEVICES=\"$names\"\n"};
        case kAmd:
            return {kFindAmd,
                    "    # These would count within the next one.\n"
                    "    unset HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL\n"
                    "    export ROCR_VISIBLE_DEVICES=\"$names\"\n"};
        default:
            return {kFindIntel,
                    "    export ZE_ENABLE_PCI_ID_DEVICE_ORDER=1 ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE\n"
                    "    export ZE_AFFINITY_MASK=\"$names\"\n"};
    }
}

std::string or_dash(const std::string& list) { return list.empty() ? "-" : list; }

// "mlx5_0:1" for UCX, "cxi2" for libfabric, of which Slingshot's hsn2 is the Ethernet device; "" where
// that has no name.
std::string nic_text(const Device& nic) {
    if (nic.vendor != kCray) {
        return nic.name() + ":1";
    }
    for (const std::string& name : nic.names) {
        const NaturalHead head = natural_head(name);
        if (head.has_number && (head.stem == "cxi" || head.stem == "hsn" || head.stem == "hsi")) {
            return fmt::format("cxi{}", head.number);
        }
    }
    return "";
}

// "3 0000:de:00.0 cxi3 56-63,120-127"
std::string row_of(const Selection& selection, const Selected& selected, int rank, bool sees_all) {
    const DeviceRank& own = selection.job.rank(rank);
    const NodeDevices& node = selection.job.devices_of(own);
    std::vector<int> numbers = own.gpus.gpus;
    for (const int other : sees_all ? selected.gpus : std::vector<int>()) {
        if (std::find(numbers.begin(), numbers.end(), other) == numbers.end()) {
            numbers.push_back(other);
        }
    }
    std::string gpus, nics;
    for (const int gpu : numbers) {
        add_item(gpus, ",", node.gpu(gpu).address());
    }
    for (const int nic : own.nics.nics) {
        if (const std::string text = nic_text(node.nic(nic)); !text.empty()) {
            add_item(nics, ",", text);
        }
    }
    const bool is_rebound = selection.is_rebound[static_cast<std::size_t>(rank)];
    return fmt::format("{} {} {} {}", own.local_rank, or_dash(gpus), or_dash(nics),
                       is_rebound ? own.cpus.to_string() : "-");
}

// A node's GPUs, each address once: "0000:c1:00.0,0000:c6:00.0".
std::string addresses_of(const NodeDevices& node) {
    std::string list;
    for (const Device& gpu : node.gpus) {
        if (gpu.part == 0) {
            add_item(list, ",", gpu.pci);
        }
    }
    return or_dash(list);
}

// Longer lists come first: a node with all GPUs of one list can have those of a shorter one, too.
bool comes_first(const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
}

Result<std::string> tables_of(const Selection& selection, bool sees_all) {
    struct Table {
        std::string rows, node;
    };
    std::map<std::string, Table, decltype(&comes_first)> tables(comes_first);  // by addresses of GPUs
    for (const Selected& selected : selection.kinds) {
        const DeviceRank& lowest = selection.job.rank(selected.ranks.front());
        Table table{"", lowest.node};
        for (const int rank : selected.ranks) {
            table.rows += '\n' + row_of(selection, selected, rank, sees_all);
        }
        const auto [found, is_new] =
            tables.try_emplace(addresses_of(selection.job.devices_of(lowest)), table);
        if (!is_new && found->second.rows != table.rows) {
            return refused(fmt::format("Nodes {} and {} differ, but their GPUs are at equal addresses, "
                                       "by which a script recognizes nodes.",
                                       found->second.node, table.node),
                           "Select on each kind of node alone; `hitopo show --devices` lists them");
        }
    }
    std::string all;
    for (const auto& [addresses, table] : tables) {
        add_item(all, "\n", "node " + addresses + table.rows);
    }
    return all;
}

}  // namespace

Result<std::string> select_script(const Selection& selection, bool sees_all,
                                  const std::string& version) {
    const Result<std::string> tables = tables_of(selection, sees_all);
    if (!tables) {
        return tables.error();
    }
    const bool is_plain = std::all_of(tables->begin(), tables->end(), [](char c) {
        return is_letter(c) || is_digit(c) || std::string_view(" \n:.,_-#").find(c) != std::string::npos;
    });
    if (!is_plain) {
        return refused("A GPU or NIC has a name with other characters than letters, digits, _ and -.",
                       "`hitopo show --devices` lists them");
    }
    std::string script = fmt::format(kHead, version, *tables) + kFindRow;
    for (const NodeKind& kind : selection.job.kinds) {
        if (!kind.devices.gpus.empty()) {
            const Runtime runtime = runtime_of(kind.devices.gpus.front().vendor);
            return script + runtime.find + kChoose + runtime.choose + kRun;
        }
    }
    return script + std::string(kRun).substr(3);  // without "fi"
}

}  // namespace hitopo::tool
