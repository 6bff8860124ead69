// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The devices of a job's nodes, and which of them each process uses: what `hitopo show --devices`,
// `check` and `select` work on.
#ifndef OMPI_TOOLS_HITOPO_DEVICES_JOB_H
#define OMPI_TOOLS_HITOPO_DEVICES_JOB_H

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/machine/devices.h"
#include "ompi/mca/hitopo/core/network/slurm_components.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// A process, as it finds itself.
struct OwnDevices {
    std::map<std::string, std::string> variables;  // those of kDeviceVariables that are set
    std::vector<std::string> hidden_gpus;  // PCI addresses that its control group does not let it open
    // By PCI address (behind it "#2" of part 2), of the GPUs that their driver lists for this process:
    // "GPU-8932f937-.."; "" where it has none. Empty: no driver lists any.
    std::map<std::string, std::string> uuids;
};

// The GPUs that the environment leaves a process.
struct GpuView {
    bool is_known = true;   // false: MIG, or GPUs of two vendors
    std::vector<int> gpus;  // numbers in NodeDevices::gpus, in the order of the runtime
    std::string source;     // "ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES"; "": no variable chooses
    std::optional<std::string> stopped_at;  // the entry that ended a list
};

struct NicView {
    std::vector<int> nics;             // numbers in NodeDevices::nics
    std::string source;                // "UCX_NET_DEVICES"; "": no variable chooses
    std::vector<std::string> unknown;  // entries that name no NIC of the node
};

struct DeviceRank {
    int kind = 0;      // of its node, in DeviceJob::kinds
    std::string node;  // its name
    int local_rank = 0;
    CpuSet cpus;  // to which it is bound; empty: not bound
    OwnDevices own;
    GpuView gpus;
    NicView nics;
};

// Nodes with equal devices.
struct NodeKind {
    std::vector<std::string> names;
    NodeDevices devices;
    std::string document = {};  // the library's, of which the rest was read
    bool is_simulated = false;  // it is another machine than the one that its processes run on
    std::string reason = {};    // why no devices are known; "": there are simply none
};

struct DeviceJob {
    std::vector<NodeKind> kinds;
    std::vector<DeviceRank> ranks;  // by rank

    const DeviceRank& rank(int number) const { return ranks[static_cast<std::size_t>(number)]; }
    const NodeDevices& devices_of(const DeviceRank& rank) const {
        return kinds[static_cast<std::size_t>(rank.kind)].devices;
    }
};

// ---- what a process finds about itself: without a vendor's library, without opening a GPU ----

// The variables that choose devices, or determine how others count.
inline constexpr const char* kDeviceVariables[] = {
    "CUDA_DEVICE_ORDER",   "CUDA_VISIBLE_DEVICES", "FI_CXI_DEVICE_NAME",   "GPU_DEVICE_ORDINAL",
    "HIP_VISIBLE_DEVICES", "PMIX_DEVICE_ID",       "ROCR_VISIBLE_DEVICES", "SLURM_JOB_GPUS",
    "SLURM_STEP_GPUS",     "UCX_NET_DEVICES",      "ZE_AFFINITY_MASK",     "ZE_FLAT_DEVICE_HIERARCHY"};

// The value of a variable; NULL where it is not set. Within `own`.
const std::string* value_of(const OwnDevices& own, const std::string& variable);

// Those of this process, by the drivers' files in /proc, /sys and /dev below `root` ("" but in tests).
OwnDevices own_devices(const Variable& variable, const std::string& root);

// As one text and back. Bytes that are not valid UTF-8 become U+FFFD; an odd text has none of these.
std::string to_text(const OwnDevices& own);
OwnDevices own_devices_in(std::string_view text);

// /proc/driver/nvidia/gpus/PCI/information, any bytes: "GPU UUID: \t GPU-8932f937-..", "Device Minor: \t
// 3". The UUID is empty where the driver has not found it yet.
struct NvidiaInformation {
    std::string uuid;
    std::optional<std::uint64_t> minor;
};
NvidiaInformation nvidia_information_in(std::string_view text);

// /sys/class/kfd/kfd/topology/nodes/N/properties, any bytes: "simd_count 440", "location_id 49408", ..
// Nothing where the node is no GPU.
struct KfdGpu {
    std::string pci;  // "0000:c1:00.0", behind it "#2" of part 2
    std::string uuid;
};
std::optional<KfdGpu> kfd_gpu_in(std::string_view properties);

// ---- the job, out of what its processes gathered ----

// By rank: whether it is the lowest of its node.
std::vector<int> lowest_of_nodes(const TableDocument& table);

// devices: of each rank that is the lowest of its node its document, of others ""; own: of each rank its
// to_text(OwnDevices). Either may be too short. A node without a document `devices` (docs/json.md), or
// with one that cannot be read, has no devices. Kinds come in the order of their lowest ranks.
DeviceJob read_device_job(const TableDocument& table, const std::vector<std::string>& devices,
                          const std::vector<std::string>& own);

// ---- which devices the environment leaves a process. No runtime is asked: these are the rules of CUDA,
// ROCm, Level Zero, Slurm, UCX and libfabric for their variables ----

// By any bytes in the variables. Where a process may open some GPUs only, lists count these. Not known:
// MIG, GPUs of two vendors, a UUID where those of the GPUs are not known, numbers in CUDA's own order of
// unequal GPUs, GPU_DEVICE_ORDINAL alone (manual and source of HIP differ), tiles of unknown number.
GpuView visible_gpus(const NodeDevices& node, const OwnDevices& own);
NicView chosen_nics(const NodeDevices& node, const OwnDevices& own);

// The GPUs that the process may open, by number; all of them where that is not known.
std::vector<int> open_gpus(const NodeDevices& node, const OwnDevices& own);

// The number of entries that a list of GPUs can name: GPUs, or their tiles. 0: unknown.
int num_countable(const NodeDevices& node, const OwnDevices& own);

// Whether CUDA counts by an order of its own: the GPUs differ, and CUDA_DEVICE_ORDER is not PCI_BUS_ID.
bool has_own_order(const NodeDevices& node, const OwnDevices& own);

// Slurm's GPUs for the job: SLURM_STEP_GPUS, else SLURM_JOB_GPUS; empty where neither names one.
std::vector<int> slurm_gpus(const NodeDevices& node, const OwnDevices& own);

// The GPUs of a node that the job has, ascending, if `ranks` are all of its ranks there (not empty):
// Slurm's, else those that one of them may open. is_certain: Slurm's.
struct OfferedGpus {
    std::vector<int> gpus;
    bool is_certain = false;
};
OfferedGpus offered_gpus(const DeviceJob& job, const std::vector<int>& ranks);

// Whether variables choose one list for all these ranks.
bool have_one_list(const DeviceJob& job, const std::vector<int>& ranks);

// Slurm's GPUs; else those of the one list; else those that are offered.
std::vector<int> job_gpus(const DeviceJob& job, const std::vector<int>& ranks);

}  // namespace hitopo::tool

#endif
