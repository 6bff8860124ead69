// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/nvml/fabric_report.h"

#include <set>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kCompleted = 3;
constexpr std::string_view kError = "error ";
constexpr std::string_view kNoLibrary = "library ";

struct Gpu {
    bool is_in_fabric = false;
    std::uint32_t clique = 0;
    std::string cluster;
};

// gpu = "gpu" INDEX STATE STATUS CLIQUE UUID
//
//   gpu 0 3 0 7 0123456789abcdef0123456789abcdef
std::optional<Gpu> parse_gpu(std::string_view line) {
    const std::vector<std::string_view> words = split(line, ' ');
    if (words.size() != 6 || words[0] != "gpu" || !is_plain_uuid(words[5])) {
        return std::nullopt;
    }
    const auto index = parse_number(words[1]);
    const auto state = parse_number(words[2]);
    const auto clique = parse_number(words[4]);
    if (!index || !state || !clique || *clique > UINT32_MAX) {
        return std::nullopt;
    }
    const bool has_uuid = words[5].find_first_not_of('0') != std::string_view::npos;
    return Gpu{*state == kCompleted && words[3] == "0" && has_uuid, static_cast<std::uint32_t>(*clique),
               std::string(words[5])};
}

NodeFabric none(std::string reason) { return {std::nullopt, std::nullopt, std::move(reason)}; }

std::string counted(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " GPU" : " GPUs");
}

}  // namespace

NodeFabric read_fabric_report(std::string_view text) {
    std::set<std::string> clusters;
    std::set<std::uint32_t> cliques;
    std::size_t num_gpus = 0;
    std::size_t num_inside = 0;
    for (const std::string_view line : split(text, '\n')) {
        if (line.substr(0, kError.size()) == kError) {
            return none(std::string(line.substr(kError.size())));
        }
        if (line.substr(0, kNoLibrary.size()) == kNoLibrary) {
            return {std::nullopt, std::nullopt, std::string(line.substr(kNoLibrary.size())), false};
        }
        if (line.empty()) {
            continue;
        }
        const std::optional<Gpu> gpu = parse_gpu(line);
        if (!gpu) {
            return none("the report about the GPUs is malformed");
        }
        ++num_gpus;
        if (gpu->is_in_fabric) {
            ++num_inside;
            clusters.insert(gpu->cluster);
            cliques.insert(gpu->clique);
        }
    }
    const std::string inside = std::to_string(num_inside) + " of " + counted(num_gpus);
    if (clusters.empty()) {
        return none(num_gpus == 0 ? "no GPU"
                                  : "none of " + counted(num_gpus) + " is in an NVLink fabric");
    }
    if (clusters.size() > 1) {
        return none(inside + " are in " + std::to_string(clusters.size()) +
                    " NVLink fabrics: the fabric of a process is unknown");
    }
    NodeFabric fabric = {*clusters.begin(), std::nullopt,
                         inside + " in NVLink fabric " + *clusters.begin()};
    if (cliques.size() == 1) {
        fabric.clique = *cliques.begin();
        fabric.reason += ", clique " + std::to_string(*fabric.clique);
    } else {
        fabric.reason += ", in " + std::to_string(cliques.size()) + " cliques";
    }
    return fabric;
}

}  // namespace hitopo
