// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --devices`: which GPUs and network interfaces each rank uses, and those of each node.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/domain.h"
#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

using Row = std::vector<std::string>;

const std::string kNothing = "-";

// The texts of some of `devices`, separated by commas; "-" for none.
template <class TextOf>
std::string list_of(const std::vector<int>& numbers, TextOf text_of) {
    std::string list;
    for (const int number : numbers) {
        add_item(list, ",", text_of(number));
    }
    return list.empty() ? kNothing : list;
}

std::string name_of(const NodeDevices& node, int nic, Charset charset) {
    return safe(node.nic(nic).name(), charset);
}

std::string numa_nodes(const NodeDevices& node, const CpuSet& cpus) {
    const std::vector<int> numbers = numa_nodes_of(node, cpus);
    return numbers.empty() ? kNothing : number_list(numbers);
}

// ---- ranks ----

// Those that a rank has while other GPUs of the node are nearer to its CPUs.
std::vector<int> far_gpus(const NodeDevices& node, const DeviceRank& rank) {
    std::vector<int> far;
    for (const int gpu : rank.cpus.is_empty() ? std::vector<int>() : rank.gpus.gpus) {
        const Distance own = distance(node, rank.cpus, node.gpu(gpu));
        if (own > Distance::kNumaNode &&
            std::any_of(node.gpus.begin(), node.gpus.end(),
                        [&](const Device& other) { return distance(node, rank.cpus, other) < own; })) {
            far.push_back(gpu);
        }
    }
    return far;
}

bool has_all(const NodeDevices& node, const GpuView& view) {
    return view.gpus.size() > 1 && view.gpus.size() == node.gpus.size();
}

std::string gpu_cell(const NodeDevices& node, const DeviceRank& rank) {
    const GpuView& view = rank.gpus;
    if (node.gpus.empty()) {
        return kNothing;
    }
    if (!view.is_known) {
        return "?";
    }
    if (view.gpus.empty()) {
        return "none";
    }
    if (has_all(node, view)) {
        return fmt::format("all {}", view.gpus.size());
    }
    const std::string numbers = list_of(view.gpus, [](int gpu) { return std::to_string(gpu); });
    return far_gpus(node, rank).empty() ? numbers : numbers + " far";
}

Row rank_row(const TableDocument& table, const DeviceJob& job, std::size_t number, Charset charset) {
    const DeviceRank& rank = job.ranks[number];
    const RankRow& row = table.ranks[number];
    const NodeDevices& node = job.devices_of(rank);
    const bool lists = rank.gpus.is_known && !has_all(node, rank.gpus);
    const std::vector<int> gpus = lists ? rank.gpus.gpus : std::vector<int>();
    return {
        rank_cell(number, table.ranks.size()),
        fmt::format("{} {}",
                    pad_left(std::to_string(row.node), std::to_string(table.nodes.size() - 1).size()),
                    safe(rank.node, charset)),
        safe(row.cpus.value_or(kNothing), charset),
        row.cpus ? numa_nodes(node, CpuSet::parse_or_empty(*row.cpus)) : kNothing,
        gpu_cell(node, rank),
        list_of(gpus, [&](int gpu) { return node.gpu(gpu).pci; }),
        list_of(gpus, [&](int gpu) { return numa_nodes(node, node.gpu(gpu).place); }),
        list_of(rank.nics.nics, [&](int nic) { return name_of(node, nic, charset); })};
}

// Where the ranks' values of a column come from, each once.
template <class SourceOf>
std::string sources(const DeviceJob& job, SourceOf source_of) {
    std::vector<std::string> all;
    for (const DeviceRank& rank : job.ranks) {
        add_once(all, source_of(rank));
    }
    return all.empty() ? kNothing : fmt::format("{}", fmt::join(all, "+"));
}

std::string rank_table(const TableDocument& table, const DeviceJob& job, Charset charset) {
    const std::vector<std::string>& names = table.levels[kNode].components;
    std::vector<Row> rows = {
        {"rank", "node", "cpus", "numa", "gpu", "pci", "gpu's numa", "nic"},
        {"from", names.empty() ? kNothing : safe(fmt::format("{}", fmt::join(names, "+")), charset),
         kNothing, "hwloc", sources(job, [](const DeviceRank& rank) { return rank.gpus.source; }),
         "hwloc", "hwloc", sources(job, [](const DeviceRank& rank) { return rank.nics.source; })}};
    for (std::size_t rank = 0; rank < job.ranks.size(); ++rank) {
        rows.push_back(rank_row(table, job, rank, charset));
    }
    return aligned(rows, "");
}

// ---- nodes ----

std::string vendor_name(unsigned vendor) {
    return vendor == kNvidia  ? "NVIDIA"
           : vendor == kAmd   ? "AMD"
           : vendor == kIntel ? "Intel"
                              : fmt::format("{:04x}", vendor);
}

std::string gpu_table(const NodeDevices& node, Charset charset) {
    std::vector<Row> rows = {{"gpu", "pci", "vendor", "numa", "cpus", "nearest nic"}};
    for (const Device& gpu : node.gpus) {
        rows.push_back(
            {pad_left(std::to_string(rows.size() - 1), 3), gpu.pci, vendor_name(gpu.vendor),
             numa_nodes(node, gpu.place), gpu.place.to_string(),
             list_of(nearest_nics(node, gpu), [&](int nic) { return name_of(node, nic, charset); })});
    }
    return node.gpus.empty() ? "" : aligned(rows, "");
}

std::string nic_table(const NodeDevices& node, Charset charset) {
    const std::vector<int> used = used_nics(node);
    std::vector<Row> rows = {{"nic", "pci", "numa", "cpus", "state"}};
    for (std::size_t i = 0; i < node.nics.size(); ++i) {
        const Device& nic = node.nics[i];
        const bool is_used = std::count(used.begin(), used.end(), static_cast<int>(i)) > 0;
        rows.push_back({name_of(node, static_cast<int>(i), charset), nic.pci,
                        numa_nodes(node, nic.place), nic.place.to_string(),
                        is_used         ? "active"
                        : nic.is_active ? "active, beside no GPU"
                                        : "no active port"});
    }
    return node.nics.empty() ? "" : aligned(rows, "");
}

std::string kind_text(const NodeKind& kind, Charset charset) {
    std::string text = fmt::format("\nDevices of {}:\n", safe(compress_hosts(kind.names), charset));
    const std::string tables = gpu_table(kind.devices, charset) + nic_table(kind.devices, charset);
    const std::string reason = safe(kind.reason, charset);
    return text + (!tables.empty() ? tables : reason.empty() ? "none\n" : "unknown: " + reason + '\n');
}

// Explains the marks of the ranks, and numbers.
std::string legend(const DeviceJob& job) {
    bool has_gpus = false, has_far = false, has_unknown = false;
    for (const DeviceRank& rank : job.ranks) {
        const NodeDevices& node = job.devices_of(rank);
        has_gpus |= !node.gpus.empty();
        has_far |= gpu_cell(node, rank).find(" far") != std::string::npos;
        has_unknown |= gpu_cell(node, rank) == "?";
    }
    return std::string(
               has_gpus
                   ? "GPUs are numbered in the order of their PCI addresses, as nvidia-smi and ROCm "
                     "count.\n"
                   : "") +
           (has_far ? "far  another GPU of the node is nearer to the rank's CPUs\n" : "") +
           (has_unknown ? "?    it is unknown which GPUs the variables choose\n" : "");
}

// ---- JSON ----

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json rank_json(const DeviceRank& rank, const NodeDevices& node) {
    const bool is_known = rank.gpus.is_known;
    std::vector<std::string> nics;
    for (const int nic : rank.nics.nics) {
        nics.push_back(node.nic(nic).name());
    }
    return {{"kind", rank.kind},
            {"node", rank.node},
            {"local_rank", rank.local_rank},
            {"cpus", or_null(rank.cpus.to_string())},
            {"gpus", is_known ? Json(rank.gpus.gpus) : Json()},
            {"far", far_gpus(node, rank)},
            {"gpu_source", or_null(rank.gpus.source)},
            {"stopped_at", rank.gpus.stopped_at ? Json(*rank.gpus.stopped_at) : Json()},
            {"nics", nics},
            {"nic_source", or_null(rank.nics.source)},
            {"unknown_nics", rank.nics.unknown}};
}

}  // namespace

Json devices_json(const DeviceJob& job) {
    Json json = {{"kinds", Json::array()}, {"ranks", Json::array()}};
    for (const NodeKind& kind : job.kinds) {
        const Result<Json> document = parse_json(kind.document);
        json["kinds"].push_back({{"names", kind.names}, {"devices", document ? *document : Json()}});
    }
    for (const DeviceRank& rank : job.ranks) {
        json["ranks"].push_back(rank_json(rank, job.devices_of(rank)));
    }
    return json;
}

std::vector<SideResource> device_resources(const DeviceJob& job) {
    std::vector<SideResource> resources;
    for (const NodeKind& kind : job.kinds) {
        SideResource resource{"GPUs and NICs of " + kind.names.front(), {}, {}};
        std::vector<SideDomain>& domains = resource.domains;  // GPUs, then NICs
        const std::size_t num_gpus = kind.devices.gpus.size();
        for (std::size_t gpu = 0; gpu < num_gpus; ++gpu) {
            domains.push_back({fmt::format("GPU {}", gpu), {}});
        }
        for (const Device& nic : kind.devices.nics) {
            domains.push_back({nic.name(), {}});
        }
        for (std::size_t i = 0; i < job.ranks.size(); ++i) {
            const DeviceRank& rank = job.ranks[i];
            const bool is_there = rank.node == kind.names.front();
            for (const int gpu : is_there ? rank.gpus.gpus : std::vector<int>()) {
                domains[static_cast<std::size_t>(gpu)].ranks.push_back(static_cast<int>(i));
            }
            for (const int nic : is_there ? rank.nics.nics : std::vector<int>()) {
                domains[num_gpus + static_cast<std::size_t>(nic)].ranks.push_back(static_cast<int>(i));
            }
        }
        resources.push_back(std::move(resource));
    }
    return resources;
}

std::string format_devices(const TableDocument& table, const DeviceJob& job, Charset charset) {
    std::string text = heading(table, charset) + '\n' + rank_table(table, job, charset);
    for (const NodeKind& kind : job.kinds) {
        text += kind_text(kind, charset);
    }
    const std::string marks = legend(job);
    return marks.empty() ? text : text + '\n' + marks;
}

}  // namespace hitopo::tool
