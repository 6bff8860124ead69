// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/devices/job.h"

#include <dirent.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <exception>
#include <memory>
#include <set>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/own_cgroup.h"

namespace hitopo::tool {
namespace {

// ---- what a process finds about itself ----

std::vector<std::string> entries_of(const std::string& folder) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
    while (const dirent* entry = open ? ::readdir(open.get()) : nullptr) {
        if (entry->d_name[0] != '.') {
            names.emplace_back(entry->d_name);
        }
    }
    return names;
}

// By the device cgroup, too, which access(2) asks.
bool can_open(const std::string& path) { return ::access(path.c_str(), R_OK | W_OK) == 0; }

// The driver makes a missing /dev/nvidiaM when it is needed; containers show their own GPUs only.
void find_nvidia(const std::string& root, OwnDevices& own) {
    const std::string folder = root + "/proc/driver/nvidia/gpus/";
    for (const std::string& pci : entries_of(folder)) {
        const NvidiaInformation gpu =
            nvidia_information_in(read_kernel_file(folder + pci + "/information").value_or(""));
        own.uuids[pci] = gpu.uuid;
        if (gpu.minor && !can_open(fmt::format("{}/dev/nvidia{}", root, *gpu.minor)) &&
            errno != ENOENT) {
            own.hidden_gpus.push_back(pci);
        }
    }
}

// This process cannot read the properties of a GPU that its control group hides.
void find_kfd(const std::string& root, OwnDevices& own) {
    const std::string nodes = root + "/sys/class/kfd/kfd/topology/nodes/";
    for (const std::string& node : entries_of(nodes)) {
        const std::optional<KfdGpu> gpu =
            kfd_gpu_in(read_kernel_file(nodes + node + "/properties").value_or(""));
        if (gpu) {
            own.uuids[gpu->pci] = gpu->uuid;
        }
    }
}

// AMD's and Intel's. A container has the nodes of its own GPUs in /dev only.
void find_render_nodes(const std::string& root, OwnDevices& own) {
    if (::access((root + "/dev/dri").c_str(), F_OK) != 0) {
        return;
    }
    for (const std::string& name : entries_of(root + "/sys/class/drm")) {
        std::string target(PATH_MAX, '\0');  // "../../../0000:c1:00.0"
        const ssize_t length = ::readlink(fmt::format("{}/sys/class/drm/{}/device", root, name).c_str(),
                                          target.data(), target.size());
        if (name.rfind("renderD", 0) == 0 && length > 0 &&
            !can_open(fmt::format("{}/dev/dri/{}", root, name))) {
            target.resize(static_cast<std::size_t>(length));
            own.hidden_gpus.push_back(target.substr(target.rfind('/') + 1));
        }
    }
}

// The lines "NAME: VALUE" or "NAME VALUE" of a file of the kernel's.
std::map<std::string_view, std::string_view> fields_of(std::string_view text, char separator) {
    std::map<std::string_view, std::string_view> fields;
    for (const std::string_view line : split(text, '\n')) {
        const std::size_t end = line.find(separator);
        if (end != std::string_view::npos) {
            fields.emplace(line.substr(0, end), trim(line.substr(end + 1)));
        }
    }
    return fields;
}

// ---- the job ----

CpuSet cpus_at(const Json& object, const char* name) { return to_cpus(text_at(object, name)); }

Device read_device(const Json& json) {
    Device device;
    device.pci = text_at(json, "pci");
    device.vendor = static_cast<unsigned>(int_at(json, "vendor", 0));
    device.model = static_cast<unsigned>(int_at(json, "model", 0));
    device.place = cpus_at(json, "cpus");
    device.bridges = texts_at(json, "bridges");
    device.names = texts_at(json, "names");
    return device;
}

NodeDevices read_devices(const Json& json) {
    const auto read_gpu = [](const Json& each) {
        Device gpu = read_device(each);
        gpu.part = int_at(each, "part", 0);
        return gpu;
    };
    const auto read_nic = [](const Json& each) {
        Device nic = read_device(each);
        nic.is_active = bool_at(each, "is_active");
        return nic;
    };
    NodeDevices node;
    node.gpus = list_at(json, "gpus", read_gpu);
    node.nics = list_at(json, "nics", read_nic);
    node.numa_nodes = list_at(json, "numa_nodes", [](const Json& each) {
        return NumaNode{int_at(each, "number"), cpus_at(each, "cpus")};
    });
    node.packages = to_cpu_sets(texts_at(json, "packages"));
    node.cores = to_cpu_sets(texts_at(json, "cores"));
    node.cpus = cpus_at(json, "cpus");
    return node;
}

// Without devices where the document cannot be read.
NodeKind read_kind(const std::string& document) {
    NodeKind kind;
    kind.document = document;
    try {
        if (const Result<Json> json = parse_json(document)) {
            kind.reason = optional_text_at(*json, "reason").value_or("");
            kind.devices = read_devices(*json);
            kind.is_simulated = json->value("is_simulated", Json()) == true;
        }
    } catch (const std::exception&) {
        kind.devices = NodeDevices();
    }
    return kind;
}

std::string text_of(const std::vector<std::string>& texts, std::size_t rank) {
    return rank < texts.size() ? texts[rank] : "";
}

// Equal documents are of one kind.
int kind_of(DeviceJob& job, const std::string& document) {
    for (std::size_t kind = 0; kind < job.kinds.size(); ++kind) {
        if (job.kinds[kind].document == document) {
            return static_cast<int>(kind);
        }
    }
    job.kinds.push_back(read_kind(document));
    return static_cast<int>(job.kinds.size()) - 1;
}

DeviceRank read_rank(const RankRow& row, const NodeKind& kind, const std::string& own) {
    const NodeDevices& node = kind.devices;
    DeviceRank rank;
    rank.cpus = CpuSet::parse_or_empty(row.cpus.value_or(""));
    if (node.cpus.is_subset_of(rank.cpus)) {
        rank.cpus = CpuSet();
    }
    rank.own = own_devices_in(own);
    if (kind.is_simulated) {  // drivers list those of the real one
        rank.own.hidden_gpus.clear();
        rank.own.uuids.clear();
    }
    rank.gpus = visible_gpus(node, rank.own);
    rank.nics = chosen_nics(node, rank.own);
    return rank;
}

}  // namespace

OwnDevices own_devices(const Variable& variable, const std::string& root) {
    OwnDevices own;
    for (const char* name : kDeviceVariables) {
        if (const std::optional<std::string> value = variable(name)) {
            own.variables[name] = *value;
        }
    }
    find_nvidia(root, own);
    find_kfd(root, own);
    find_render_nodes(root, own);
    return own;
}

NvidiaInformation nvidia_information_in(std::string_view text) {
    auto fields = fields_of(text, ':');
    const std::string_view uuid = fields["GPU UUID"];
    return {std::string(uuid.find('?') == std::string_view::npos ? uuid : ""),
            parse_number(fields["Device Minor"])};
}

// location_id: bits 0-2 function, 3-7 device, 8-15 bus, 28-31 part.
std::optional<KfdGpu> kfd_gpu_in(std::string_view properties) {
    auto fields = fields_of(properties, ' ');
    const auto number = [&](const char* name) { return parse_number(fields[name]); };
    const std::optional<std::uint64_t> location = number("location_id");
    if (number("simd_count").value_or(0) == 0 || !location) {
        return std::nullopt;
    }
    const std::uint64_t unique_id = number("unique_id").value_or(0);
    const std::uint64_t part = *location >> 28 & 0xf;
    return KfdGpu{
        fmt::format("{:04x}:{:02x}:{:02x}.{:x}{}", number("domain").value_or(0), *location >> 8 & 0xff,
                    *location >> 3 & 0x1f, *location & 7, part == 0 ? "" : fmt::format("#{}", part)),
        unique_id == 0 ? "" : "GPU-" + to_hex(unique_id)};
}

std::string to_text(const OwnDevices& own) {
    const Json json = {{"variables", own.variables}, {"hidden", own.hidden_gpus}, {"uuids", own.uuids}};
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

OwnDevices own_devices_in(std::string_view text) {
    try {
        const Json json = Json::parse(text);
        return {json.at("variables"), json.at("hidden"), json.at("uuids")};
    } catch (const Json::exception&) {
        return {};
    }
}

std::vector<int> lowest_of_nodes(const TableDocument& table) {
    std::vector<int> lowest;
    std::set<int> nodes;
    for (const RankRow& row : table.ranks) {
        const bool has_node = row.node >= 0 && row.node < static_cast<int>(table.nodes.size());
        lowest.push_back(has_node && nodes.insert(row.node).second ? 1 : 0);
    }
    return lowest;
}

DeviceJob read_device_job(const TableDocument& table, const std::vector<std::string>& devices,
                          const std::vector<std::string>& own) {
    DeviceJob job;
    std::vector<int> kinds(table.nodes.size(), 0), sizes(table.nodes.size(), 0);
    const std::vector<int> lowest = lowest_of_nodes(table);
    for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
        const RankRow& row = table.ranks[rank];
        if (row.node < 0 || table.nodes.empty()) {  // a document of another version
            return {};
        }
        const auto node = static_cast<std::size_t>(row.node);
        const std::string name = table.nodes[node].name.value_or("");
        if (lowest[rank] != 0) {
            kinds[node] = kind_of(job, text_of(devices, rank));
            job.kinds[static_cast<std::size_t>(kinds[node])].names.push_back(name);
        }
        DeviceRank read =
            read_rank(row, job.kinds[static_cast<std::size_t>(kinds[node])], text_of(own, rank));
        read.kind = kinds[node];
        read.node = name;
        read.local_rank = sizes[node]++;
        job.ranks.push_back(std::move(read));
    }
    return job;
}

}  // namespace hitopo::tool
