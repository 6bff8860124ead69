// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs and network interfaces that the environment leaves a process.
#include <fnmatch.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/devices/job.h"

namespace hitopo::tool {
namespace {

// The forms of an entry beside a number.
constexpr long kBad = -1, kUnknown = -2;

enum class Repeated { kEmptiesList, kEndsList, kCountsOnce };

// The GPUs that a list counts, from 0, and their UUIDs, "" where it is not known.
struct Counted {
    std::vector<int> gpus;
    std::vector<std::string> uuids;
};

Counted counted(const NodeDevices& node, const OwnDevices& own, const std::vector<int>& gpus) {
    Counted counted{gpus, std::vector<std::string>(gpus.size())};
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const auto found = own.uuids.find(node.gpu(gpus[i]).address());
        counted.uuids[i] = found == own.uuids.end() ? "" : found->second;
    }
    return counted;
}

bool begins_with(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

GpuView unknown_view(const char* source) { return {false, {}, source, {}}; }

// The list of a variable, "1,0": entries by `number_of`, until one names no GPU.
template <class NumberOf>
GpuView read_list(const char* variable, std::string_view text, const Counted& counted, Repeated repeated,
                  NumberOf number_of) {
    GpuView view{true, {}, variable, {}};
    for (const std::string_view entry : split(text, ',')) {
        const long number = number_of(std::string(entry));
        if (number == kUnknown) {
            return unknown_view(variable);
        }
        const bool is_bad = number < 0 || number >= static_cast<long>(counted.gpus.size());
        const int gpu = is_bad ? -1 : counted.gpus[static_cast<std::size_t>(number)];
        const bool is_repeated = std::find(view.gpus.begin(), view.gpus.end(), gpu) != view.gpus.end();
        if (is_repeated && repeated == Repeated::kEmptiesList) {
            view.gpus.clear();
        }
        if (is_bad || (is_repeated && repeated != Repeated::kCountsOnce)) {
            view.stopped_at = std::string(entry);
            return view;
        }
        if (!is_repeated) {
            view.gpus.push_back(gpu);
        }
    }
    return view;
}

// The number of the UUID for which `is_it` holds, of the first or of one alone.
template <class IsIt>
long find_uuid(const std::vector<std::string>& uuids, bool is_alone, IsIt is_it) {
    if (std::find(uuids.begin(), uuids.end(), "") != uuids.end()) {
        return kUnknown;
    }
    const auto first = std::find_if(uuids.begin(), uuids.end(), is_it);
    const bool is_bad =
        first == uuids.end() || (is_alone && std::find_if(first + 1, uuids.end(), is_it) != uuids.end());
    return is_bad ? kBad : first - uuids.begin();
}

// CUDA C++ Programming Guide, 5.2, and PyTorch's _parse_visible_devices: "1gpu2" is 1, "0-3" is 0.
long cuda_number(const std::string& entry, const Counted& counted) {
    const std::string word(trim(entry));
    if (begins_with(word, "MIG-")) {
        return kUnknown;
    }
    if (begins_with(word, "GPU-")) {
        return find_uuid(counted.uuids, true,
                         [&](const std::string& uuid) { return begins_with(uuid, word); });
    }
    char* end = nullptr;
    const unsigned long number = std::strtoul(word.c_str(), &end, 10);
    return end == word.c_str() || number > INT_MAX ? kBad : static_cast<long>(number);
}

// ROCR-Runtime, amd_filter_device.cpp: " 4, 0x5", "gpu-f980f".
long rocr_number(const std::string& entry, const Counted& counted) {
    constexpr std::size_t kLeast = 5, kMost = 20;  // "GPU-" and 1 to 16 digits
    const std::string word = in_lower_case(trim(entry));
    if (begins_with(word, "gpu-") && word.size() >= kLeast && word.size() <= kMost) {
        return find_uuid(counted.uuids, true, [&](const std::string& uuid) {
            return begins_with(in_lower_case(uuid), word);
        });
    }
    char* end = nullptr;
    const long number = std::strtol(word.c_str(), &end, 0);
    return word.empty() || *end != '\0' ? kBad : std::max(number, kBad);
}

// clr, rocdevice.cpp: decimals without blanks and leading zeros.
long hip_number(const std::string& entry, const Counted& counted) {
    if (begins_with(entry, "GPU-")) {
        return find_uuid(counted.uuids, false,
                         [&](const std::string& uuid) { return uuid.find(entry) != std::string::npos; });
    }
    const std::optional<std::uint64_t> number = parse_number(entry);
    return number && *number <= INT_MAX && std::to_string(*number) == entry ? static_cast<long>(*number)
                                                                            : kBad;
}

// Level Zero's core programming guide: "3" is a tile where cards are flat, else a card; "3.1" is a tile
// of a card. num_tiles: of a card; 0: unknown.
long level_zero_number(const std::string& entry, long num_tiles, bool is_flat) {
    const std::vector<std::string_view> parts = split(trim(entry), '.');
    const std::optional<std::uint64_t> first = parse_number(parts.front()),
                                       tile = parse_number(parts.back());
    if (num_tiles == 0) {
        return kUnknown;
    }
    if (!first || *first > INT_MAX || parts.size() > 2 ||
        (parts.size() == 2 && (is_flat || !tile || *tile >= static_cast<std::uint64_t>(num_tiles)))) {
        return kBad;
    }
    return static_cast<long>(*first) / (is_flat ? num_tiles : 1);
}

// The last word of PRRTE's "gpu://HOST::cuda0".
long launcher_number(const std::string& id) {
    const std::size_t colons = id.rfind("::");
    const NaturalHead name =
        natural_head(std::string_view(id).substr(colons == std::string::npos ? id.size() : colons + 2));
    const bool is_known =
        name.stem == "cuda" || name.stem == "nvml" || name.stem == "rsmi" || name.stem == "ze";
    return is_known && name.has_number && name.number <= INT_MAX ? static_cast<long>(name.number) : kBad;
}

// Tiles of Intel's GPUs by their model, as in pci.ids: Ponte Vecchio alone has several. 0: unknown, or
// not all alike.
int tiles_on(const NodeDevices& node) {
    constexpr unsigned kTwo[] = {0x0b69, 0x0bd0, 0x0bd5, 0x0bd6, 0x0bd7, 0x0bd8, 0x0be5};
    const unsigned model = node.gpus.front().model;
    const bool is_one = model < 0x0bd0 || model > 0x0be5 || (model >= 0x0bd9 && model <= 0x0bdb);
    const bool is_two = std::find(std::begin(kTwo), std::end(kTwo), model) != std::end(kTwo);
    return std::any_of(node.gpus.begin(), node.gpus.end(),
                       [&](const Device& gpu) { return gpu.model != model; })
               ? 0
           : is_two ? 2
           : is_one ? 1
                    : 0;
}

bool is_flat(const OwnDevices& own) {
    const std::string* hierarchy = value_of(own, "ZE_FLAT_DEVICE_HIERARCHY");
    return hierarchy == nullptr || !equals_ignoring_case(*hierarchy, "COMPOSITE");
}

// NULL where it is empty, too.
const std::string* text_of(const OwnDevices& own, const char* variable) {
    const std::string* value = value_of(own, variable);
    return value != nullptr && !value->empty() ? value : nullptr;
}

GpuView nvidia_view(const NodeDevices& node, const OwnDevices& own, const Counted& open,
                    const std::string& list) {
    const GpuView view = read_list("CUDA_VISIBLE_DEVICES", list, open, Repeated::kEmptiesList,
                                   [&](const std::string& entry) { return cuda_number(entry, open); });
    const std::vector<std::string_view> entries = split(list, ',');
    const bool has_numbers = std::any_of(entries.begin(), entries.end(), [](std::string_view entry) {
        return !begins_with(trim(entry), "GPU-");
    });
    return has_numbers && !view.gpus.empty() && has_own_order(node, own)
               ? unknown_view("CUDA_VISIBLE_DEVICES")
               : view;
}

// HIP counts within ROCr's list, and takes CUDA's variable where its own is not set or empty.
GpuView amd_view(const NodeDevices& node, const OwnDevices& own, const Counted& open) {
    GpuView view{true, open.gpus, "", {}};
    if (const std::string* list = value_of(own, "ROCR_VISIBLE_DEVICES")) {
        // As many entries as there are GPUs are read.
        std::size_t end = list->find(',');
        for (std::size_t i = 1; i < open.gpus.size() && end != std::string::npos; ++i) {
            end = list->find(',', end + 1);
        }
        view = read_list("ROCR_VISIBLE_DEVICES", std::string_view(*list).substr(0, end), open,
                         Repeated::kEndsList,
                         [&](const std::string& entry) { return rocr_number(entry, open); });
    }
    const char* name =
        text_of(own, "HIP_VISIBLE_DEVICES") != nullptr ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES";
    const std::string* list = text_of(own, name);
    if (list == nullptr || !view.is_known) {
        return view.source.empty() && text_of(own, "GPU_DEVICE_ORDINAL") != nullptr
                   ? unknown_view("GPU_DEVICE_ORDINAL")
                   : view;
    }
    const Counted seen = counted(node, own, view.gpus);
    GpuView within = read_list(name, *list, seen, Repeated::kCountsOnce,
                               [&](const std::string& entry) { return hip_number(entry, seen); });
    within.source = view.source + (view.source.empty() ? "" : " and ") + name;
    within.stopped_at = within.stopped_at ? within.stopped_at : view.stopped_at;
    return within;
}

// The order of the list does not count.
GpuView intel_view(const NodeDevices& node, const OwnDevices& own, const Counted& open,
                   const std::string& list) {
    GpuView view =
        read_list("ZE_AFFINITY_MASK", list, open, Repeated::kCountsOnce, [&](const std::string& entry) {
            return level_zero_number(entry, tiles_on(node), is_flat(own));
        });
    std::sort(view.gpus.begin(), view.gpus.end());
    return view;
}

GpuView view_of(const NodeDevices& node, const OwnDevices& own) {
    const Counted open = counted(node, own, open_gpus(node, own));
    const unsigned vendor = node.gpus.front().vendor;
    const std::string *cuda = value_of(own, "CUDA_VISIBLE_DEVICES"),
                      *mask = value_of(own, "ZE_AFFINITY_MASK"), *id = value_of(own, "PMIX_DEVICE_ID");
    GpuView view = vendor == kAmd                         ? amd_view(node, own, open)
                   : vendor == kNvidia && cuda != nullptr ? nvidia_view(node, own, open, *cuda)
                   : vendor == kIntel && mask != nullptr  ? intel_view(node, own, open, *mask)
                                                          : GpuView{true, open.gpus, "", {}};
    return view.source.empty() && id != nullptr && begins_with(*id, "gpu://")
               ? read_list("PMIX_DEVICE_ID", *id, open, Repeated::kCountsOnce, launcher_number)
               : view;
}

// ---- UCX's and libfabric's lists of network interfaces ----

bool has_name(const Device& nic, const std::string& pattern) {
    return std::any_of(nic.names.begin(), nic.names.end(), [&](const std::string& name) {
        return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
}

template <class Is>
std::vector<int> nics_where(const NodeDevices& node, Is is) {
    std::vector<int> nics;
    for (std::size_t i = 0; i < node.nics.size(); ++i) {
        if (is(node.nics[i])) {
            nics.push_back(static_cast<int>(i));
        }
    }
    return nics;
}

// "mlx5_0:1" without the port.
std::string without_port(std::string_view entry) {
    const std::size_t colon = entry.rfind(':');
    const bool has_port = colon != std::string_view::npos &&
                          (parse_number(entry.substr(colon + 1)) || entry.substr(colon + 1) == "*");
    return std::string(entry.substr(0, has_port ? colon : entry.size()));
}

// UCX takes other interfaces, too ("eth0"), for TCP.
bool is_of_fabric(const NodeDevices& node, std::string_view entry) {
    return without_port(entry) != entry ||
           std::any_of(node.nics.begin(), node.nics.end(), [&](const Device& nic) {
               return std::any_of(nic.names.begin(), nic.names.end(), [&](const std::string& name) {
                   return natural_head(name).stem == natural_head(entry).stem;
               });
           });
}

// The list of a variable. nics_of: of an entry; is_nic: whether an entry without any should name one.
template <class NicsOf, class IsNic>
NicView nic_list(const char* variable, std::string_view text, NicsOf nics_of, IsNic is_nic) {
    NicView view{{}, variable, {}};
    for (const std::string_view entry : split(text, ',')) {
        const std::vector<int> nics = nics_of(entry);
        view.nics.insert(view.nics.end(), nics.begin(), nics.end());
        if (nics.empty() && !entry.empty() && is_nic(entry)) {
            view.unknown.emplace_back(entry);
        }
    }
    view.nics = distinct(std::move(view.nics));
    return view;
}

// "mlx5_0:1,mlx5_2:1", "mlx5_[0-3]:1", "^mlx5_1:1", "all": ucp_context.c, ucx's FAQ.
NicView ucx_list(const NodeDevices& node, std::string_view text) {
    if (text.empty() || text == "all") {
        return {};
    }
    const bool is_negated = text.front() == '^';
    NicView view = nic_list(
        "UCX_NET_DEVICES", text.substr(is_negated ? 1 : 0),
        [&](std::string_view entry) {
            const std::string pattern = without_port(entry);
            return nics_where(node, [&](const Device& nic) { return has_name(nic, pattern); });
        },
        [&](std::string_view entry) { return !is_negated && is_of_fabric(node, entry); });
    if (is_negated) {
        const std::vector<int> excluded = std::exchange(view.nics, {});
        const std::vector<int> active =
            nics_where(node, [](const Device& nic) { return nic.is_active; });
        std::set_difference(active.begin(), active.end(), excluded.begin(), excluded.end(),
                            std::back_inserter(view.nics));
    }
    return view;
}

// The NIC of "cxi2": by that name or that of its Ethernet device, else Slingshot's third.
std::vector<int> cxi_nics(const NodeDevices& node, std::string_view entry) {
    const NaturalHead head = natural_head(entry);
    const std::string number(entry.substr(head.stem.size()));
    if (head.stem != "cxi" || !head.has_number || !parse_number(number)) {
        return {};
    }
    std::vector<int> named =
        nics_where(node, [&](const Device& nic) { return has_name(nic, "[ch][xs][ni]" + number); });
    const std::vector<int> cray =
        nics_where(node, [](const Device& nic) { return nic.vendor == kCray; });
    if (!named.empty() || head.number >= cray.size()) {
        return named;
    }
    return {cray[head.number]};
}

}  // namespace

const std::string* value_of(const OwnDevices& own, const std::string& variable) {
    const auto found = own.variables.find(variable);
    return found == own.variables.end() ? nullptr : &found->second;
}

std::vector<int> open_gpus(const NodeDevices& node, const OwnDevices& own) {
    std::vector<int> open;
    for (std::size_t i = 0; i < node.gpus.size(); ++i) {
        const Device& gpu = node.gpus[i];
        const bool is_hidden =
            std::find(own.hidden_gpus.begin(), own.hidden_gpus.end(), gpu.pci) != own.hidden_gpus.end();
        if (!is_hidden && (own.uuids.empty() || own.uuids.count(gpu.address()) > 0)) {
            open.push_back(static_cast<int>(i));
        }
    }
    return open;
}

int num_countable(const NodeDevices& node, const OwnDevices& own) {
    const int num_gpus = static_cast<int>(open_gpus(node, own).size());
    return node.gpus.empty() || node.gpus.front().vendor != kIntel || !is_flat(own)
               ? num_gpus
               : num_gpus * tiles_on(node);
}

bool has_own_order(const NodeDevices& node, const OwnDevices& own) {
    const std::string* order = value_of(own, "CUDA_DEVICE_ORDER");
    const std::vector<int> open = open_gpus(node, own);
    return !open.empty() && node.gpus.front().vendor == kNvidia &&
           (order == nullptr || *order != "PCI_BUS_ID") &&
           std::any_of(open.begin(), open.end(),
                       [&](int gpu) { return node.gpu(gpu).model != node.gpu(open.front()).model; });
}

GpuView visible_gpus(const NodeDevices& node, const OwnDevices& own) {
    if (node.gpus.empty()) {
        return {};
    }
    const bool is_one_vendor = std::all_of(node.gpus.begin(), node.gpus.end(), [&](const Device& gpu) {
        return gpu.vendor == node.gpus.front().vendor;
    });
    return is_one_vendor ? view_of(node, own) : unknown_view("");
}

NicView chosen_nics(const NodeDevices& node, const OwnDevices& own) {
    const std::string* ucx = value_of(own, "UCX_NET_DEVICES");
    const std::string* cxi = value_of(own, "FI_CXI_DEVICE_NAME");
    const bool has_slingshot = std::any_of(node.nics.begin(), node.nics.end(),
                                           [](const Device& nic) { return nic.vendor == kCray; });
    if (cxi != nullptr && (has_slingshot || ucx == nullptr)) {
        return cxi->empty() ? NicView{}
                            : nic_list(  // "cxi0,cxi1": fi_cxi(7)
                                  "FI_CXI_DEVICE_NAME", *cxi,
                                  [&](std::string_view entry) { return cxi_nics(node, entry); },
                                  [](std::string_view) { return true; });
    }
    return ucx != nullptr ? ucx_list(node, *ucx) : NicView{};
}

std::vector<int> slurm_gpus(const NodeDevices& node, const OwnDevices& own) {
    for (const char* variable : {"SLURM_STEP_GPUS", "SLURM_JOB_GPUS"}) {
        const std::string* list = value_of(own, variable);
        const CpuSet numbers = list == nullptr ? CpuSet() : CpuSet::parse_or_empty(*list);
        std::vector<int> gpus;
        for (int gpu = numbers.first(); gpu >= 0; gpu = numbers.next(gpu)) {
            if (gpu < static_cast<int>(node.gpus.size())) {
                gpus.push_back(gpu);
            }
        }
        if (!gpus.empty()) {
            return gpus;
        }
    }
    return {};
}

OfferedGpus offered_gpus(const DeviceJob& job, const std::vector<int>& ranks) {
    std::vector<int> slurm, open;
    for (const int number : ranks) {
        const DeviceRank& rank = job.rank(number);
        for (const int gpu : slurm_gpus(job.devices_of(rank), rank.own)) {
            slurm.push_back(gpu);
        }
        for (const int gpu : open_gpus(job.devices_of(rank), rank.own)) {
            open.push_back(gpu);
        }
    }
    return {distinct(slurm.empty() ? open : slurm), !slurm.empty()};
}

bool have_one_list(const DeviceJob& job, const std::vector<int>& ranks) {
    const GpuView& lowest = job.rank(ranks.front()).gpus;
    return std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
        const GpuView& view = job.rank(rank).gpus;
        return view.is_known && !view.source.empty() && view.gpus == lowest.gpus;
    });
}

std::vector<int> job_gpus(const DeviceJob& job, const std::vector<int>& ranks) {
    const OfferedGpus offered = offered_gpus(job, ranks);
    const std::vector<int>& list = job.rank(ranks.front()).gpus.gpus;
    const bool is_list = !offered.is_certain && !list.empty() && have_one_list(job, ranks);
    return is_list ? distinct(list) : offered.gpus;
}

}  // namespace hitopo::tool
