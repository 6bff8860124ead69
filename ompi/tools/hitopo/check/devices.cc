// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs and network interfaces that variables choose, a node at a time.
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

// Each process takes the visible one of its local rank, modulo their number.
void choose_by_local_rank(const NodeDevices& devices, DeviceRank& rank) {
    GpuView& view = rank.gpus;
    if (!view.is_known || is_wrong(rank) || view.gpus.empty()) {
        return;
    }
    const auto num = static_cast<int>(view.gpus.size());
    view = {num == 1 || !has_own_order(devices, rank.own),
            {view.gpus[static_cast<std::size_t>(rank.local_rank % num)]},
            "local rank",
            {}};
}

// Why it is not known which GPUs a rank has.
std::string reason_of(const NodeDevices& devices, const DeviceRank& rank) {
    if (rank.gpus.source.empty()) {
        return "the node has GPUs of two vendors";
    }
    if (has_own_order(devices, rank.own)) {
        return "CUDA has an order of its own for GPUs of several models";
    }
    const auto values = values_of(rank, rank.gpus.source);
    return fmt::format("which GPUs {} \"{}\" means is not known here", values.back().first,
                       values.back().second);
}

// The rules about GPUs could not look at these: ranks that take what they like, and those of which it is
// not known.
void find_unchecked_gpus(const std::vector<DeviceNode>& nodes, const CheckedJob& job, bool is_certain,
                         Checked& checked) {
    std::map<std::string, Numbers> unknown;
    Numbers open;
    std::vector<std::size_t> without;
    std::string visible, variable;
    for (const DeviceNode& node : nodes) {
        if (is_certain && node.devices.gpus.empty()) {
            without.push_back(node.number);
        }
        for (const auto& [number, rank] : node.ranks) {
            if (!rank->gpus.is_known) {
                unknown[reason_of(node.devices, *rank)].push_back(number);
            } else if (!node.devices.gpus.empty() && !is_wrong(*rank) && !is_judged(node, *rank)) {
                const std::size_t num = rank->gpus.gpus.size();
                visible = !visible.empty()                  ? visible
                          : num == node.devices.gpus.size() ? fmt::format("all {}", num)
                                                            : gpus_phrase(rank->gpus.gpus);
                const unsigned vendor = node.devices.gpus.front().vendor;
                variable = vendor == kNvidia ? "CUDA_VISIBLE_DEVICES"
                           : vendor == kAmd  ? "ROCR_VISIBLE_DEVICES"
                                             : "ZE_AFFINITY_MASK";
                open.push_back(number);
            }
        }
    }
    if (!without.empty()) {
        checked.unchecked.push_back(fmt::format("GPUs: {} {} none that is known",
                                                nodes_phrase(without, job),
                                                without.size() == 1 ? "has" : "have"));
    }
    std::sort(open.begin(), open.end());
    if (!open.empty()) {
        checked.unchecked.push_back(fmt::format(
            "GPUs: {} are visible to {}, and which one each takes is up to the program; set {}, or add "
            "--gpu-by-local-rank if it takes the one of its local rank",
            visible, open.size() == job.processes.size() ? "all ranks" : ranks_phrase(open), variable));
    }
    for (auto& [reason, ranks] : unknown) {
        std::sort(ranks.begin(), ranks.end());
        checked.unchecked.push_back(fmt::format("GPUs of {}: {}", ranks_phrase(ranks), reason));
    }
}

bool has_gpu_variable(const DeviceRank& rank) {
    const char* const kVariables[] = {"CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
                                      "HIP_VISIBLE_DEVICES",  "PMIX_DEVICE_ID",
                                      "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"};
    return std::any_of(std::begin(kVariables), std::end(kVariables),
                       [&](const char* variable) { return value_of(rank.own, variable) != nullptr; });
}

// visible: by the variables alone. chosen: with what each process takes of that.
DeviceNode to_node(const DeviceJob& visible, const DeviceJob& chosen, const CheckedJob& job,
                   std::size_t number) {
    const Numbers& ranks = job.nodes[number].ranks;
    DeviceNode node{visible.devices_of(visible.rank(ranks.front())), number, "", {}};
    if (job.nodes.size() > 1) {
        node.where = ", as on " + nodes_phrase({number}, job);
    }
    for (const int rank : ranks) {
        node.ranks.emplace_back(rank, &chosen.rank(rank));
    }
    const OfferedGpus offered = offered_gpus(visible, ranks);
    const bool is_one_list = ranks.size() > 1 && have_one_list(visible, ranks);
    const bool has_several = is_one_list && visible.rank(ranks.front()).gpus.gpus.size() > 1;
    node.gpus = is_one_list ? job_gpus(visible, ranks) : offered.gpus;
    node.offered = has_several ? node.gpus : offered.gpus;
    node.is_certain = offered.is_certain || !is_one_list || has_several;
    node.is_open = has_several && have_one_list(chosen, ranks);
    return node;
}

}  // namespace

void add(DeviceFindings& found, FindingKind kind, const DeviceNode& node, const std::vector<int>& ranks,
         const std::string& text, const std::string& remedy, bool is_remark) {
    Finding& finding = found[{kind, is_remark}];
    if (finding.text.empty()) {
        finding = {kind, {}, {}, text, remedy, is_remark};
    }
    finding.ranks.insert(finding.ranks.end(), ranks.begin(), ranks.end());
    if (finding.nodes.empty() || finding.nodes.back() != node.number) {
        finding.nodes.push_back(node.number);
    }
}

std::string gpus_phrase(const Numbers& gpus) {
    CpuSet set;
    for (const int gpu : gpus) {
        set.add(gpu);
    }
    return "GPU " + set.to_string();
}

std::vector<std::pair<std::string, std::string>> values_of(const DeviceRank& rank,
                                                           const std::string& source) {
    std::vector<std::pair<std::string, std::string>> values;
    for (const std::string_view name : split(source, ' ')) {
        if (const std::string* value = value_of(rank.own, std::string(name))) {
            values.emplace_back(name, *value);
        }
    }
    return values;
}

bool is_wrong(const DeviceRank& rank) {
    const auto values = values_of(rank, rank.gpus.source);
    return rank.gpus.stopped_at && std::none_of(values.begin(), values.end(), [&](const auto& variable) {
               const std::string& value = variable.second;
               return value.empty() || value == "-1" ||
                      (rank.gpus.stopped_at->empty() && value.back() == ',');
           });
}

bool has_choice(const DeviceNode& node, const DeviceRank& rank) {
    const bool is_part = rank.gpus.gpus.size() < node.devices.gpus.size();
    return rank.gpus.is_known && !is_wrong(rank) && !node.devices.gpus.empty() &&
           (!rank.gpus.source.empty() || is_part || node.devices.gpus.size() == 1);
}

bool is_judged(const DeviceNode& node, const DeviceRank& rank) {
    return !node.is_open && has_choice(node, rank);
}

void find_devices(const DeviceJob& visible, const CheckedJob& job, GpuUse use, Checked& checked) {
    if (visible.ranks.size() != job.processes.size()) {
        return;
    }
    const bool uses_gpus = use.is_certain || use.by_local_rank ||
                           std::any_of(visible.ranks.begin(), visible.ranks.end(), has_gpu_variable);
    DeviceJob chosen = visible;
    for (DeviceRank& rank : chosen.ranks) {
        if (use.by_local_rank) {
            choose_by_local_rank(visible.devices_of(rank), rank);
        }
    }
    DeviceFindings found;
    std::vector<DeviceNode> nodes;
    for (std::size_t i = 0; i < job.nodes.size(); ++i) {
        const DeviceNode& node = nodes.emplace_back(to_node(visible, chosen, job, i));
        if (uses_gpus) {
            find_gpus(node, found);
        }
        find_nics(node, found);
    }
    for (auto& [kind, finding] : found) {
        finding.ranks = distinct(std::move(finding.ranks));
        checked.findings.push_back(std::move(finding));
    }
    if (uses_gpus) {
        find_unchecked_gpus(nodes, job, use.is_certain || use.by_local_rank, checked);
    }
}

}  // namespace hitopo::tool
