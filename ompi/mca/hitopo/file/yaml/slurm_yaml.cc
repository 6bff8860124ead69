// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"

namespace hitopo {
namespace {

using MaybePlace = std::optional<SwitchPlace>;

// A host list; also as a list of such.
std::string hosts_of(const YamlValue& map, std::string_view key) {
    const YamlValue* value = map.find(key);
    std::string hosts(map.text_of(key));
    if (value == nullptr) {
        return hosts;
    }
    for (const YamlValue& item : value->items()) {
        add_item(hosts, ",", item.text);
    }
    return hosts;
}

// Topograph wrote clusterDefault before it wrote cluster_default.
bool is_default(const YamlValue& topology) {
    const YamlValue* value = topology.find("cluster_default");
    return equals_ignoring_case(value != nullptr ? value->text : topology.text_of("clusterDefault"),
                                "true");
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
    if (const YamlValue* regions = each.find("regions")) {
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
        const YamlValue* described = topology.find(kind.name);
        const YamlValue* list = described != nullptr ? described->find(kind.list) : nullptr;
        if (list == nullptr) {
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
                               std::string_view(kind.name) != "tree", question.path, each.line});
        }
    }
    return SwitchTree::make(std::move(records), std::move(skipped));
}

// What a later Slurm describes a network by. Other settings of a topology are words and numbers.
void skip_unknown_kinds(const YamlValue& topology, const TopologyQuestion& question, Skipped& skipped) {
    for (const YamlValue& value : topology.fields()) {
        const bool is_known = std::any_of(std::begin(kKinds), std::end(kKinds),
                                          [&](const Kind& kind) { return kind.name == value.key; });
        if (!is_known && (value.is_map() || value.is_list())) {
            skipped.add(in_file(
                question,
                {Errc::kSkipped, value.key,
                 "this topology is of an unknown kind; HiTopo supports tree, block, ring and torus3d",
                 "", value.line, value.column}));
        }
    }
}

MaybePlace find_in_topology(const YamlValue& topology, const TopologyQuestion& question,
                            Skipped& skipped) {
    const SwitchTree tree = tree_of(topology, question);
    skipped.add(tree.skipped());
    MaybePlace place = tree.find(question.host);
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
