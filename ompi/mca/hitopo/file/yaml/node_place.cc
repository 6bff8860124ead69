// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"

namespace hitopo {
namespace {

// ---- labels of switches ----

// A label of a node; the value is "" where the node lacks it.
struct NodeLabel {
    std::string key;
    std::string_view value;  // of the document
};
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
    for (const YamlValue& label : labels.fields()) {
        const bool is_ours = label.key.compare(0, prefix.size(), prefix) == 0;
        const auto number = is_ours ? parse_number(std::string_view(label.key).substr(prefix.size()))
                                    : std::optional<std::uint64_t>();
        if (number && !label.text.empty()) {
            found[*number] = {label.key, label.text};
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

// The labels that place a node, the closest first; empty where it has none. `labels` is a map. They are
// those of `keys` (hitopo_file_labels), or where that is empty, of the first of the families of which
// the node has one.
Labels placing_labels(const YamlValue& labels, const std::vector<std::string>& keys) {
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

// The closest is the switch, if the node has it; all others are the island, the outermost first in its
// path.
SwitchPlace place_by_labels(const Labels& labels, const std::string& source) {
    SwitchPlace place;
    std::vector<Name> names;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        names.emplace_back(std::string(label->value));
    }
    fill_switch_levels(std::move(names), place.levels);
    place.source = source + " by " + labels.front().key;
    place.island_source = source + " by " + island_labels(labels);
    return place;
}

// ---- NVLink domains ----

constexpr const char* kDomain = "nvlink://Domain";
constexpr const char* kClique = "nvlink://Clique";

// As component nvml writes it: 32 digits, without dashes. "" if it is none.
std::string plain_uuid(std::string_view text) {
    constexpr std::size_t kNumDigits = 32;
    std::string digits;
    for (const char c : text) {
        if (c != '-') {
            digits += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
        }
    }
    return digits.size() == kNumDigits && digits.find_first_not_of("0123456789abcdef") == digits.npos
               ? digits
               : "";
}

}  // namespace

void add_nvlink(std::string_view name, const std::string& source, SwitchPlace& place) {
    if (name.empty() || is_placeholder(name) || !place.side.empty()) {
        return;
    }
    place.side_source = source;
    const std::size_t dot = name.rfind('.');
    const std::string uuid = dot == name.npos ? "" : plain_uuid(name.substr(0, dot));
    const auto number = uuid.empty() ? std::nullopt : parse_number(name.substr(dot + 1));
    if (number) {
        place.side[kDomain] = Name(uuid);
        place.side[kClique] = RawValue({Name(uuid), Name::number(*number)});
    } else {
        const std::string plain = plain_uuid(name);
        place.side[kDomain] = Name(plain.empty() ? std::string(name) : plain);
    }
}

std::optional<SwitchPlace> place_of_node(const YamlValue& metadata, const std::vector<std::string>& keys,
                                         const std::string& source) {
    const YamlValue none;
    const YamlValue* found = metadata.find("labels");
    const YamlValue& labels = found != nullptr ? *found : none;
    found = metadata.find("annotations");
    const YamlValue& annotations = found != nullptr ? *found : none;
    const Labels placing = placing_labels(labels, keys);
    SwitchPlace place;
    bool tells = !placing.empty();
    if (tells) {
        place = place_by_labels(placing, source);
    }
    for (const NodeLabel& name : {label_of(labels, "nvidia.com/gpu.clique"),
                                  label_of(labels, "accelerator.topograph.run/domain"),
                                  label_of(labels, "network.topology.nvidia.com/accelerator"),
                                  label_of(annotations, "topograph.run/cluster-id")}) {
        tells = tells || !is_empty(name);
        add_nvlink(name.value, source + " by " + name.key, place);
    }
    return tells ? std::optional(std::move(place)) : std::nullopt;
}

}  // namespace hitopo
