// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Rules about the GPUs and network interfaces of one node.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/devices/job.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

using Numbers = std::vector<int>;

// ---- GPUs ----

bool intersect(CpuSet a, const CpuSet& b) { return !(a &= b).is_empty(); }

// "NUMA node 0".
std::string numa_of(const NodeDevices& devices, const CpuSet& cpus) {
    const Numbers numbers = numa_nodes_of(devices, cpus);
    return fmt::format("NUMA node{} {}", numbers.size() == 1 ? "" : "s", number_list(numbers));
}

Distance to_gpu(const DeviceNode& node, const DeviceRank& rank, int gpu) {
    return distance(node.devices, cpus_of(node, rank), node.devices.gpu(gpu));
}

// The first of the nearest; -1: there are none.
int nearest_gpu(const DeviceNode& node, const DeviceRank& rank, const Numbers& gpus) {
    const Numbers nearest = nearest_of(gpus, [&](int gpu) { return to_gpu(node, rank, gpu); });
    return nearest.empty() ? -1 : nearest.front();
}

// The nearest of a rank's GPUs counts.
bool is_far(const DeviceNode& node, const DeviceRank& rank) {
    const int own = nearest_gpu(node, rank, rank.gpus.gpus), best = nearest_gpu(node, rank, node.gpus);
    return own >= 0 && best >= 0 && to_gpu(node, rank, own) > Distance::kNumaNode &&
           to_gpu(node, rank, own) > to_gpu(node, rank, best);
}

void find_unknown_gpu(const DeviceNode& node, int number, const DeviceRank& rank,
                      DeviceFindings& found) {
    if (!is_wrong(rank)) {
        return;
    }
    const auto values = values_of(rank, rank.gpus.source);
    std::string lists;
    bool is_repeated = false;
    for (const auto& [name, value] : values) {
        const std::vector<std::string_view> entries = split(value, ',');
        is_repeated |= std::count(entries.begin(), entries.end(), *rank.gpus.stopped_at) > 1;
        add_item(lists, " and ", fmt::format("{} \"{}\"", name, value));
    }
    const Numbers& gpus = rank.gpus.gpus;
    const int num = num_countable(node.devices, rank.own);
    add(found, FindingKind::kUnknownGpu, node, {number},
        fmt::format("{}: \"{}\" {}, and {} visible, as on rank {}", lists, *rank.gpus.stopped_at,
                    is_repeated ? "is repeated" : "names no GPU",
                    gpus.empty()
                        ? "no GPU is"
                        : fmt::format("only {} {}", gpus_phrase(gpus), gpus.size() == 1 ? "is" : "are"),
                    number),
        values.size() > 1 ? fmt::format("{} counts within {}: unset one of them", values.back().first,
                                        values.front().first)
        : num > 0
            ? fmt::format("Use {}numbers below {}, or unset it", is_repeated ? "different " : "", num)
            : "Unset it");
}

void find_order(const DeviceNode& node, int number, const DeviceRank& rank, DeviceFindings& found) {
    const std::string* list = value_of(rank.own, "CUDA_VISIBLE_DEVICES");
    if (list == nullptr || !has_own_order(node.devices, rank.own)) {
        return;
    }
    const std::vector<std::string_view> entries = split(*list, ',');
    if (std::any_of(entries.begin(), entries.end(), [](std::string_view entry) {
            return !trim(entry).empty() && is_digit(trim(entry).front());
        })) {
        add(found, FindingKind::kGpuOrder, node, {number},
            "CUDA_VISIBLE_DEVICES has numbers, the node has GPUs of several models, and "
            "CUDA_DEVICE_ORDER is not PCI_BUS_ID",
            "Set CUDA_DEVICE_ORDER to PCI_BUS_ID", true);
    }
}

void find_far_gpu(const DeviceNode& node, int number, const DeviceRank& rank, DeviceFindings& found) {
    if (!is_judged(node, rank) || !is_far(node, rank)) {
        return;
    }
    const NodeDevices& devices = node.devices;
    const int gpu = rank.gpus.gpus.front(), best = nearest_gpu(node, rank, node.gpus);
    add(found, FindingKind::kFarGpu, node, {number},
        fmt::format("GPUs of other NUMA nodes, while others are nearer: rank {} on {} has GPU {} "
                    "of {}, and GPU {} is {}",
                    number, numa_of(devices, cpus_of(node, rank)), gpu,
                    numa_of(devices, devices.gpu(gpu).place), best,
                    to_gpu(node, rank, best) <= Distance::kNumaNode ? "of its own" : "nearer"),
        kSelectScript);
}

// GPUs near which no process of the node runs, of those that are bound elsewhere.
void find_gpu_cpus(const DeviceNode& node, DeviceFindings& found) {
    const NodeDevices& devices = node.devices;
    if (std::any_of(node.ranks.begin(), node.ranks.end(), [&](const auto& rank) {
            return cpus_of(node, *rank.second).count() >= devices.cpus.count();
        })) {
        return;
    }
    for (const auto& [number, rank] : node.ranks) {
        const int gpu = nearest_gpu(node, *rank, rank->gpus.gpus);
        const bool has_all = rank->gpus.gpus.size() >= devices.gpus.size();
        if (gpu < 0 || has_all || !is_judged(node, *rank) || is_far(node, *rank)) {
            continue;
        }
        const Device& device = devices.gpu(gpu);
        if (std::none_of(node.ranks.begin(), node.ranks.end(), [&](const auto& other) {
                return intersect(other.second->cpus, near_cpus(devices, device));
            })) {
            add(found, FindingKind::kGpuCpus, node, {number},
                fmt::format("no CPU near their GPUs, while no rank runs there: rank {} has GPU {} of {}",
                            number, gpu, numa_of(devices, device.place)),
                kSelectScript, true);
        }
    }
}

// Shared by more ranks than others need be, and not used. Where a rank may take what it likes, neither
// is known.
void find_shared_gpus(const DeviceNode& node, DeviceFindings& found) {
    std::map<int, Numbers> users;
    std::size_t num_judged = 0;
    bool has_wrong = false;
    for (const auto& [number, rank] : node.ranks) {
        has_wrong |= is_wrong(*rank);
        if (!is_wrong(*rank) && !is_judged(node, *rank)) {
            return;
        }
        num_judged += is_wrong(*rank) ? 0 : 1;
        for (const int gpu : is_wrong(*rank) ? Numbers() : rank->gpus.gpus) {
            users[gpu].push_back(number);
        }
    }
    Numbers idle, shared, ranks;
    for (const int gpu : node.offered) {
        if (users.count(gpu) == 0) {
            idle.push_back(gpu);
        }
    }
    for (const auto& [gpu, own] : users) {
        if (own.size() > (num_judged + node.offered.size() - 1) / node.offered.size()) {
            shared.push_back(gpu);
            ranks.insert(ranks.end(), own.begin(), own.end());
        }
    }
    if (users.empty() || idle.empty()) {
        return;
    }
    if (!shared.empty()) {
        add(found, FindingKind::kSharedGpu, node, ranks,
            fmt::format("they share {}, while no rank has {}{}", gpus_phrase(shared), gpus_phrase(idle),
                        node.is_certain ? "" : ", if the job has these") +
                node.where,
            (node.is_certain ? ""
                             : fmt::format("Then unset {}; ", node.ranks.front().second->gpus.source)) +
                kSelectScript,
            !node.is_certain);
    } else if (!has_wrong) {
        add(found, FindingKind::kIdleGpu, node, {}, "no rank has " + gpus_phrase(idle) + node.where,
            "Start a rank for each, or give each rank several", true);
    }
}

// CUDA IPC and NVLink need a process that may open its peer's GPU.
void find_hidden_peers(const DeviceNode& node, DeviceFindings& found) {
    Numbers all, ranks;
    for (const auto& [number, rank] : node.ranks) {
        const Numbers open = open_gpus(node.devices, rank->own);
        all.insert(all.end(), open.begin(), open.end());
        ranks.push_back(number);
        if (open.empty() || distinct(all).size() < all.size()) {
            return;
        }
    }
    if (ranks.size() > 1) {
        add(found, FindingKind::kHiddenPeers, node, ranks,
            "each may open its own GPUs only, so that GPUs of two ranks exchange no data directly" +
                node.where,
            std::string("Let each rank open all, with srun --gpu-bind=none for example; ") +
                kSelectScript,
            true);
    }
}

// ---- network interfaces ----

// From a NIC to a GPU, or to the CPUs of the rank (gpu: -1).
Distance from_nic(const DeviceNode& node, const DeviceRank& rank, int nic, int gpu) {
    const Device& device = node.devices.nic(nic);
    return gpu < 0 ? distance(node.devices, cpus_of(node, rank), device)
                   : distance(node.devices, device, node.devices.gpu(gpu));
}

// A NIC is right if none is nearer to one of the rank's GPUs; without GPUs, to its CPUs.
void find_far_nic(const DeviceNode& node, int number, const DeviceRank& rank, int nic,
                  DeviceFindings& found) {
    const bool has_gpus = has_choice(node, rank) && !rank.gpus.gpus.empty();
    int nearest_gpu = -1, best = -1;
    for (const int gpu : has_gpus ? rank.gpus.gpus : Numbers{-1}) {
        const int nearest = (gpu < 0 ? nearest_nics(node.devices, cpus_of(node, rank))
                                     : nearest_nics(node.devices, node.devices.gpu(gpu)))
                                .front();
        const Distance own = from_nic(node, rank, nic, gpu);
        if (own <= from_nic(node, rank, nearest, gpu)) {
            return;
        }
        if (best < 0 || own < from_nic(node, rank, nic, nearest_gpu)) {
            nearest_gpu = gpu;
            best = nearest;
        }
    }
    const bool is_far = from_nic(node, rank, nic, nearest_gpu) == Distance::kNode;
    add(found, is_far ? FindingKind::kFarNic : FindingKind::kGpuNicApart, node, {number},
        fmt::format(
            "{} names NICs {} than their {}: rank {} has {}, and {} is next to its {}", rank.nics.source,
            is_far ? "on the other socket" : "behind another PCIe switch or root",
            has_gpus ? "GPUs" : "CPUs", number, node.devices.nic(nic).name(),
            node.devices.nic(best).name(), has_gpus ? fmt::format("GPU {}", nearest_gpu) : "CPUs"),
        kSelectScript, !is_far);
}

void find_nics_of(const DeviceNode& node, int number, const DeviceRank& rank, DeviceFindings& found) {
    const NicView& view = rank.nics;
    if (!view.unknown.empty()) {
        const std::string value = values_of(rank, view.source).front().second;
        const std::string& first = view.unknown.front();
        add(found, FindingKind::kUnknownNic, node, {number},
            fmt::format("{} is \"{}\": no NIC of the node has {}", view.source, value,
                        value == first ? "this name" : fmt::format("the name \"{}\"", first)),
            "`hitopo show --devices` lists them");
    }
    std::string down;
    for (const int nic : view.nics) {
        if (!node.devices.nic(nic).is_active) {
            add_item(down, ",", node.devices.nic(nic).name());
        }
    }
    if (!down.empty()) {
        add(found, FindingKind::kNicDown, node, {number},
            fmt::format("{} names a NIC without an active port: {} on rank {}", view.source, down,
                        number),
            "`hitopo show --devices` lists the others", true);
    }
    const bool is_open = node.ranks.size() > 1 && view.nics.size() > 1 &&
                         std::all_of(node.ranks.begin(), node.ranks.end(), [&](const auto& other) {
                             return other.second->nics.nics == view.nics;
                         });
    if (!is_open && rank.gpus.is_known && !is_wrong(rank) && !used_nics(node.devices).empty()) {
        for (const int nic : view.nics) {
            find_far_nic(node, number, rank, nic, found);
        }
    }
}

}  // namespace

void find_gpus(const DeviceNode& node, DeviceFindings& found) {
    for (const auto& [number, rank] : node.ranks) {
        find_unknown_gpu(node, number, *rank, found);
        find_order(node, number, *rank, found);
        find_far_gpu(node, number, *rank, found);
    }
    if (!node.devices.gpus.empty()) {
        find_gpu_cpus(node, found);
        find_shared_gpus(node, found);
        find_hidden_peers(node, found);
    }
}

// Where hwloc finds no NIC, all names would be unknown.
void find_nics(const DeviceNode& node, DeviceFindings& found) {
    if (node.devices.nics.empty()) {
        return;
    }
    for (const auto& [number, rank] : node.ranks) {
        find_nics_of(node, number, *rank, found);
    }
}

}  // namespace hitopo::tool
