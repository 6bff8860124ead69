// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/slurm_yaml.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using MaybePlace = std::optional<SwitchPlace>;
using MaybeValue = std::optional<YamlValue>;

// The value of the first key that is there: Topograph wrote clusterDefault before it wrote
// cluster_default.
MaybeValue find_any(const YamlValue& map, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (const MaybeValue value = map.find(key)) {
            return value;
        }
    }
    return std::nullopt;
}

// A host list; also as a list of such.
std::string hosts_of(const YamlValue& map, std::string_view key) {
    const MaybeValue value = map.find(key);
    if (!value || !value->is_list()) {
        return std::string(map.text_of(key));
    }
    std::string hosts;
    for (const YamlValue& item : value->items()) {
        add_item(hosts, ",", item.text());
    }
    return hosts;
}

bool is_default(const YamlValue& topology) {
    const MaybeValue value = find_any(topology, {"cluster_default", "clusterDefault"});
    return value && equals_ignoring_case(value->text(), "true");
}

// The kinds of a topology: the list in each, and the key of a name in that.
struct Kind {
    const char *name, *list, *each;
};
constexpr Kind kKinds[] = {{"tree", "switches", "switch"},
                           {"block", "blocks", "block"},
                           {"ring", "rings", "ring"},
                           {"torus3d", "toruses", "name"}};

// Those of all its regions, where it has some.
std::string nodes_of(const YamlValue& each) {
    std::string nodes = hosts_of(each, "nodes");
    if (const MaybeValue regions = each.find("regions")) {
        for (const YamlValue& region : regions->items()) {
            const std::string hosts = hosts_of(region, "nodes");
            if (!hosts.empty()) {
                add_item(nodes, ",", hosts);
            }
        }
    }
    return nodes;
}

// tree = { "switches": [ { "switch": NAME, "nodes": HOSTS | "children": SWITCHES } ] }
// block = { "block_sizes": .., "blocks": [ { "block": NAME, "nodes": HOSTS } ] }
// torus3d = { "toruses": [ { "name": NAME, "nodes": HOSTS | "regions": [ { "nodes": HOSTS } ] } ] }
SwitchTree tree_of(const YamlValue& topology, const TopologyQuestion& question) {
    std::vector<SwitchRecord> records;
    Skipped skipped;
    for (const Kind& kind : kKinds) {
        const MaybeValue described = topology.find(kind.name);
        const MaybeValue list = described ? described->find(kind.list) : std::nullopt;
        if (!list) {
            continue;
        }
        for (const YamlValue& each : list->items()) {
            const std::string name(each.text_of(kind.each));
            if (name.empty()) {
                skipped.add(in_file(
                    question,
                    malformed(each, kind.each, "the name is missing; write NAME after this key")));
                continue;
            }
            records.push_back({name, nodes_of(each), hosts_of(each, "children"),
                               std::string_view(kind.name) != "tree", question.path, each.line()});
        }
    }
    return SwitchTree::make(std::move(records), std::move(skipped));
}

// What a later Slurm describes a network by. Other settings of a topology are words and numbers.
void skip_unknown_kinds(const YamlValue& topology, const TopologyQuestion& question, Skipped& skipped) {
    for (const auto& [key, value] : topology.fields()) {
        const std::string_view name = key;
        const bool is_known = std::any_of(std::begin(kKinds), std::end(kKinds),
                                          [name](const Kind& kind) { return kind.name == name; });
        if (!is_known && (value.is_map() || value.is_list())) {
            skipped.add(in_file(
                question,
                {Errc::kSkipped, std::string(key),
                 "this topology is of an unknown kind; HiTopo supports tree, block, ring and torus3d",
                 "", value.line(), value.column()}));
        }
    }
}

MaybePlace find_in_topology(const YamlValue& topology, const TopologyQuestion& question,
                            Skipped& skipped) {
    const SwitchTree tree = tree_of(topology, question);
    skipped.add(tree.skipped());
    MaybePlace place = tree.find(question.host, question.unknown);
    if (place) {
        put_below(std::string(topology.text_of("topology")), place->levels);
    }
    return place;
}

// Those that have a name, and are the one that is asked for, if any is. An error if none is.
Result<std::vector<YamlValue>> wanted_of(const YamlValue& list, const TopologyQuestion& question,
                                         Skipped& skipped) {
    std::vector<YamlValue> wanted;
    std::optional<Error> nameless;
    for (const YamlValue& topology : list.items()) {
        const std::string_view name = topology.text_of("topology");
        if (name.empty()) {
            Error error =
                malformed(topology, "topology", "the topology has no name; write - topology: NAME");
            nameless = nameless ? nameless : in_file(question, std::move(error));
        } else if (question.topology.empty() || name == question.topology) {
            wanted.push_back(topology);
        }
    }
    if (wanted.empty() && nameless) {
        return *nameless;
    }
    if (wanted.empty() && !question.topology.empty()) {
        return malformed(list, question.topology,
                         "the file has no topology of this name; correct hitopo_file_topology");
    }
    if (nameless) {
        skipped.add(*nameless);
    }
    return wanted;
}

}  // namespace

Result<MaybePlace> find_in_slurm_yaml(const YamlValue& list, const TopologyQuestion& question,
                                      Skipped& skipped) {
    Result<std::vector<YamlValue>> wanted = wanted_of(list, question, skipped);
    if (!wanted) {
        return wanted.error();
    }
    std::stable_partition(wanted->begin(), wanted->end(), is_default);
    for (const YamlValue& topology : *wanted) {
        skip_unknown_kinds(topology, question, skipped);
    }
    for (const YamlValue& topology : *wanted) {
        if (MaybePlace place = find_in_topology(topology, question, skipped)) {
            return place;
        }
    }
    return MaybePlace();
}

}  // namespace hitopo
