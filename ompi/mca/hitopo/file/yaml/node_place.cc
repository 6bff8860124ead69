// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/node_place.h"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "ompi/mca/hitopo/core/network/switch_levels.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/yaml/node_labels.h"

namespace hitopo {
namespace {

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
