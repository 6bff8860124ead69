// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/node_labels.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/network/switch_levels.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using Labels = std::vector<NodeLabel>;

bool is_empty(const NodeLabel& label) { return label.value.empty(); }

NodeLabel label_of(const YamlValue& labels, std::string key) {
    const std::string_view value = labels.text_of(key);
    return {std::move(key), value};
}

// The first of them that the node has, else the first.
NodeLabel any_of(const YamlValue& labels, const std::string& prefix,
                 std::initializer_list<const char*> names) {
    for (const char* name : names) {
        NodeLabel label = label_of(labels, prefix + name);
        if (!is_empty(label)) {
            return label;
        }
    }
    return label_of(labels, prefix + *names.begin());
}

// Those of keys PREFIX and a number, by number.
std::map<std::uint64_t, NodeLabel> numbered(const YamlValue& labels, std::string_view prefix) {
    std::map<std::uint64_t, NodeLabel> found;
    for (const auto& [key, value] : labels.fields()) {
        const bool is_ours = key.compare(0, prefix.size(), prefix) == 0;
        const auto number =
            is_ours ? parse_number(key.substr(prefix.size())) : std::optional<std::uint64_t>();
        if (number && !value.text().empty()) {
            found[*number] = {std::string(key), value.text()};
        }
    }
    return found;
}

Labels topograph_tiers(const YamlValue& labels) {
    constexpr std::string_view kPrefix = "fabric.topograph.run/tier-";
    Labels tiers;
    for (auto& [number, label] : numbered(labels, kPrefix)) {
        if (tiers.empty() && number > 0) {
            tiers.push_back({std::string(kPrefix) + '0', ""});
        }
        tiers.push_back(std::move(label));
    }
    return tiers;
}

Labels topograph_of_old(const YamlValue& labels) {
    const std::string prefix = "network.topology.nvidia.com/";
    return {any_of(labels, prefix, {"leaf", "block", "accelerator"}), label_of(labels, prefix + "spine"),
            any_of(labels, prefix, {"core", "datacenter"})};
}

// Fabrics have three or four layers, and number them from the spine.
Labels aws_layers(const YamlValue& labels) {
    auto layers = numbered(labels, "topology.k8s.aws/network-node-layer-");
    Labels closest_first;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
        closest_first.push_back(std::move(layer->second));
    }
    return closest_first;
}

Labels google_blocks(const YamlValue& labels) {
    const std::string prefix = "cloud.google.com/gce-topology-";
    return {label_of(labels, prefix + "subblock"), label_of(labels, prefix + "block")};
}

// A domain without sub-domains is what its nodes share.
Labels topograph_accelerators(const YamlValue& labels) {
    const std::string prefix = "accelerator.topograph.run/";
    const NodeLabel sub_domain = label_of(labels, prefix + "sub-domain");
    const NodeLabel domain = label_of(labels, prefix + "domain");
    return is_empty(sub_domain) ? Labels{domain} : Labels{sub_domain, domain};
}

Labels by_keys(const YamlValue& labels, const std::vector<std::string>& keys) {
    Labels found;
    for (const std::string& key : keys) {
        found.push_back(label_of(labels, key));
    }
    return found;
}

bool tells(const Labels& labels) { return !std::all_of(labels.begin(), labels.end(), is_empty); }

// "OUTERMOST, with BETWEEN, BETWEEN in its path"; empty where there are none above the closest.
std::string island_labels(const Labels& labels) {
    std::string outermost;
    std::string between;
    for (auto label = labels.rbegin(); label != labels.rend() - 1; ++label) {
        if (is_empty(*label)) {
            continue;
        }
        if (outermost.empty()) {
            outermost = label->key;
        } else {
            between += (between.empty() ? ", with " : ", ") + label->key;
        }
    }
    return outermost + between + (between.empty() ? "" : " in its path");
}

}  // namespace

std::vector<NodeLabel> placing_labels(const YamlValue& labels, const std::vector<std::string>& keys) {
    if (!keys.empty()) {
        Labels found = by_keys(labels, keys);
        return tells(found) ? found : Labels();
    }
    for (const auto family :
         {topograph_tiers, topograph_of_old, aws_layers, google_blocks, topograph_accelerators}) {
        Labels found = family(labels);
        if (tells(found)) {
            return found;
        }
    }
    return {};
}

SwitchPlace place_by_labels(const std::vector<NodeLabel>& labels, const std::string& source,
                            const Placeholders& unknown) {
    SwitchPlace place;
    if (labels.empty()) {
        return place;
    }
    std::vector<Name> names;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        names.emplace_back(std::string(label->value));
    }
    fill_switch_levels(std::move(names), place.levels, unknown);
    place.source = source + " by " + labels.front().key;
    place.island_source = source + " by " + island_labels(labels);
    return place;
}

}  // namespace hitopo
