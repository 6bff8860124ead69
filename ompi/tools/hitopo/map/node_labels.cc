// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/map/node_labels.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::map {
namespace {

// ---- families of labels, each outermost first ----

// The values of keys PREFIX and a number, by number.
std::map<std::uint64_t, std::string> numbered(const Json& labels, std::string_view prefix) {
    std::map<std::uint64_t, std::string> found;
    for (const auto& [key, value] : labels.items()) {
        const bool is_ours = key.compare(0, prefix.size(), prefix) == 0;
        const auto number =
            is_ours ? parse_number(std::string_view(key).substr(prefix.size())) : std::nullopt;
        if (number && !text_of(labels, key).empty()) {
            found[*number] = text_of(labels, key);
        }
    }
    return found;
}

// From 1.0 on; tier 0 is the leaf.
Names topograph_tiers(const Json& labels) {
    const auto tiers = numbered(labels, "fabric.topograph.run/tier-");
    Names names;
    for (auto tier = tiers.rbegin(); tier != tiers.rend(); ++tier) {
        names.push_back(tier->second);
    }
    if (!tiers.empty() && tiers.begin()->first > 0) {
        names.emplace_back();
    }
    return names;
}

Names topograph_of_old(const Json& labels) {
    const std::string prefix = "network.topology.nvidia.com/";
    return {first_text(labels, {prefix + "core", prefix + "datacenter"}),
            text_of(labels, prefix + "spine"),
            first_text(labels, {prefix + "leaf", prefix + "block", prefix + "accelerator"})};
}

// Fabrics have three or four layers, and number them from the spine.
Names aws_layers(const Json& labels) {
    Names names;
    for (const auto& [number, name] : numbered(labels, "topology.k8s.aws/network-node-layer-")) {
        names.push_back(name);
    }
    return names;
}

Names google_blocks(const Json& labels) {
    const std::string prefix = "cloud.google.com/gce-topology-";
    return {text_of(labels, prefix + "block"), text_of(labels, prefix + "subblock")};
}

// A domain without sub-domains is what its nodes share.
Names topograph_accelerators(const Json& labels) {
    const std::string domain = text_of(labels, "accelerator.topograph.run/domain");
    const std::string sub_domain = text_of(labels, "accelerator.topograph.run/sub-domain");
    return sub_domain.empty() ? Names{domain} : Names{domain, sub_domain};
}

bool has_block(const std::string& topology) {
    return in_lower_case(topology).find("block") != std::string::npos;
}

}  // namespace

bool tells(const Names& names) {
    return std::any_of(names.begin(), names.end(),
                       [](const std::string& name) { return !name.empty(); });
}

Names names_by_labels(const Json& labels, const std::string& keys) {
    Names own;
    for (const std::string_view key : split(keys, ',')) {
        if (!trim(key).empty()) {
            own.insert(own.begin(), text_of(labels, std::string(trim(key))));
        }
    }
    if (!keys.empty()) {
        return tells(own) ? own : Names();
    }
    for (const auto family :
         {topograph_tiers, topograph_of_old, aws_layers, google_blocks, topograph_accelerators}) {
        Names names = family(labels);
        if (tells(names)) {
            return names;
        }
    }
    return {};
}

void read_slinky(const std::string& spec, bool wants_switch, const Places& places, Place& place) {
    Names tree, block;  // TOPOLOGY, then switches
    for (const std::string_view unit : split(spec, ',')) {
        Names words;
        for (const std::string_view word : split(unit, ':')) {
            words.emplace_back(trim(word));
        }
        if (words.size() > 1 && !words.back().empty()) {
            Names& kind = has_block(words.front()) ? block : tree;
            kind = kind.empty() ? words : kind;
        }
    }
    places.add_nvlink(block.empty() ? "" : block.back(), place);
    const Names& unit = tree.empty() ? block : tree;
    if (wants_switch && !unit.empty()) {
        Place switches = places.placed({unit.begin() + 1, unit.end()});
        for (Names* path : {&switches.island, &switches.leaf}) {
            if (!path->empty()) {
                path->insert(path->begin(), unit.front());
            }
        }
        place.island = switches.island;
        place.leaf = switches.leaf;
    }
}

}  // namespace hitopo::map
