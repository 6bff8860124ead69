// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/node_place.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <utility>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/text.h"

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

// The labels that place a node, the closest first; empty where it has none. `labels` is a map.
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

// The closest is the switch, if the node has it; all others are the island. Levels are empty where all
// values are.
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

// ---- NVLink domains, and Slinky's annotation ----

using Parts = std::vector<std::string_view>;

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

// One topology of Slinky's annotation.
struct Unit {
    std::string_view topology;
    Parts names;  // outermost first
    bool is_block;
};

bool has_block(std::string_view topology) {
    constexpr std::string_view kBlock = "block";
    for (std::size_t i = 0; i + kBlock.size() <= topology.size(); ++i) {
        if (equals_ignoring_case(topology.substr(i, kBlock.size()), kBlock)) {
            return true;
        }
    }
    return false;
}

//   topo-switch:spine1:leaf2,topo-block:b2
std::vector<Unit> units_of(std::string_view spec) {
    std::vector<Unit> units;
    for (const std::string_view item : split(spec, ',')) {
        Parts words;
        for (const std::string_view word : split(item, ':')) {
            words.push_back(trim(word));
        }
        if (words.size() > 1 && !words.back().empty()) {
            units.push_back({words.front(), {words.begin() + 1, words.end()}, has_block(words.front())});
        }
    }
    return units;
}

const Unit* find_unit(const std::vector<Unit>& units, bool is_block) {
    const auto unit = std::find_if(units.begin(), units.end(),
                                   [is_block](const Unit& each) { return each.is_block == is_block; });
    return unit == units.end() ? nullptr : &*unit;
}

void place_by_unit(const Unit& unit, const Placeholders& unknown, SwitchPlace& place) {
    std::vector<Name> names;
    for (const std::string_view name : unit.names) {
        names.emplace_back(std::string(name));
    }
    fill_switch_levels(std::move(names), place.levels, unknown);
    put_below(std::string(unit.topology), place.levels);
}

// The text of the first of the keys that has one among labels or annotations.
std::optional<NodeLabel> first_of(const std::optional<YamlValue>& fields,
                                  std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        const std::string_view value = fields ? fields->text_of(key) : std::string_view();
        if (!value.empty()) {
            return NodeLabel{key, value};
        }
    }
    return std::nullopt;
}

// A node's labels and annotations.
class NodeFields {
public:
    NodeFields(const YamlValue& metadata, const std::string& source, const Placeholders& unknown)
        : labels_(metadata.find("labels")),
          annotations_(metadata.find("annotations")),
          source_(source),
          unknown_(unknown),
          slinky_(first_of(annotations_,
                           {"topology.slinky.slurm.net/spec", "topology.slinky.slurm.net/line"})),
          units_(slinky_ ? units_of(slinky_->value) : std::vector<Unit>()) {}

    // Whether they tell of a switch.
    bool fill_levels(const std::vector<std::string>& keys, SwitchPlace& place) const {
        const std::vector<NodeLabel> placing =
            labels_ ? placing_labels(*labels_, keys) : std::vector<NodeLabel>();
        if (!placing.empty()) {
            place = place_by_labels(placing, source_, unknown_);
            return true;
        }
        if (units_.empty() || !keys.empty()) {
            return false;
        }
        const Unit* tree = find_unit(units_, false);
        place_by_unit(tree != nullptr ? *tree : units_.front(), unknown_, place);
        place.source = by(slinky_->key);
        return true;
    }

    // Whether they tell of an NVLink domain.
    bool fill_side(SwitchPlace& place) const {
        bool tells = false;
        const std::optional<NodeLabel> names[] = {
            first_of(labels_, {"nvidia.com/gpu.clique"}),
            first_of(labels_, {"accelerator.topograph.run/domain"}),
            first_of(labels_, {"network.topology.nvidia.com/accelerator"}),
            first_of(annotations_, {"topograph.run/cluster-id"})};
        for (const std::optional<NodeLabel>& name : names) {
            tells = tells || name;
            if (name) {
                add_nvlink(name->value, by(name->key), unknown_, place);
            }
        }
        if (const Unit* block = find_unit(units_, true)) {
            tells = true;
            add_nvlink(block->names.back(), by(slinky_->key), unknown_, place);
        }
        return tells;
    }

private:
    std::string by(const std::string& key) const { return source_ + " by " + key; }

    const std::optional<YamlValue> labels_;
    const std::optional<YamlValue> annotations_;
    const std::string& source_;
    const Placeholders& unknown_;
    const std::optional<NodeLabel> slinky_;
    const std::vector<Unit> units_;
};

}  // namespace

void add_nvlink(std::string_view name, const std::string& source, const Placeholders& unknown,
                SwitchPlace& place) {
    if (name.empty() || unknown.has(name) || !place.side.empty()) {
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
                                         const std::string& source, const Placeholders& unknown) {
    const NodeFields fields(metadata, source, unknown);
    SwitchPlace place;
    const bool has_levels = fields.fill_levels(keys, place);
    const bool has_side = fields.fill_side(place);
    return has_levels || has_side ? std::optional(std::move(place)) : std::nullopt;
}

}  // namespace hitopo
