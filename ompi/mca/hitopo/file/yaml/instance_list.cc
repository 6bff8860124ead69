// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"

namespace hitopo {
namespace {

using MaybePlace = std::optional<SwitchPlace>;
using Names = std::vector<Name>;  // outermost first, empty where unknown

Names texts_of(const YamlValue& instance, std::string_view key) {
    Names names;
    if (const YamlValue* list = instance.find(key)) {
        for (const YamlValue& item : list->items()) {
            names.emplace_back(item.text);
        }
    }
    return names;
}

Names topograph_names(const YamlValue& instance) {
    Names names = texts_of(instance, "network_layers");
    std::reverse(names.begin(), names.end());
    return names;
}

Names aws_names(const YamlValue& instance) { return texts_of(instance, "NetworkNodes"); }

// "/BLOCK/SUBBLOCK/HOST", also without the first slash.
Names names_of_physical_host(std::string_view text) {
    if (!text.empty() && text.front() == '/') {
        text.remove_prefix(1);
    }
    const auto parts = split(text, '/');
    constexpr std::size_t kNumParts = 3;
    if (parts.size() != kNumParts) {
        return {};
    }
    return {Name(std::string(parts[0])), Name(std::string(parts[1]))};
}

Names google_names(const YamlValue& instance) {
    const YamlValue* status = instance.find("resourceStatus");
    if (status == nullptr) {
        return {};
    }
    if (const YamlValue* topology = status->find("physicalHostTopology")) {
        return {Name(std::string(topology->text_of("block"))),
                Name(std::string(topology->text_of("subblock")))};
    }
    return names_of_physical_host(status->text_of("physicalHost"));
}

// How a cloud's list is recognized: the key of an instance's name, and a key that no other list has.
struct ListKind {
    const char *name, *sign;
    Names (*names_of)(const YamlValue&);
};
constexpr ListKind kTopograph = {"id", "network_layers", topograph_names};
constexpr ListKind kAws = {"InstanceId", "InstanceId", aws_names};
constexpr ListKind kGoogle = {"name", "resourceStatus", google_names};

const ListKind* kind_of(const YamlValue& instance) {
    if (instance.text_of("kind") == "compute#instance") {
        return &kGoogle;
    }
    for (const ListKind* kind : {&kTopograph, &kAws, &kGoogle}) {
        if (instance.find(kind->sign) != nullptr) {
            return kind;
        }
    }
    return nullptr;
}

const ListKind* kind_of_all(const YamlValue& instances) {
    if (instances.is_map()) {
        return kind_of(instances);
    }
    for (const YamlValue& instance : instances.items()) {
        if (const ListKind* kind = kind_of(instance)) {
            return kind;
        }
    }
    return nullptr;
}

// Whether it is the host's, and tells where that is.
bool tells(const YamlValue& instance, const ListKind& kind, const TopologyQuestion& question,
           MaybePlace& place) {
    if (!is_same_host(instance.text_of(kind.name), question.host)) {
        return false;
    }
    place.emplace().source = question.path + ':' + std::to_string(instance.line);
    add_nvlink(instance.text_of("CapacityBlockId"), place->source + " by CapacityBlockId", *place);
    Names names = kind.names_of(instance);
    if (names.empty()) {
        return !place->side.empty();
    }
    fill_switch_levels(std::move(names), place->levels);
    return true;
}

}  // namespace

bool are_instances(const YamlValue& value) { return kind_of_all(value) != nullptr; }

MaybePlace find_in_instances(const YamlValue& instances, const TopologyQuestion& question) {
    const ListKind* kind = kind_of_all(instances);
    MaybePlace place;
    if (kind != nullptr && instances.is_map()) {
        (void)tells(instances, *kind, question, place);
    }
    for (const YamlValue& instance : instances.items()) {
        if (kind == nullptr || tells(instance, *kind, question, place)) {
            break;
        }
    }
    return place;
}

}  // namespace hitopo
