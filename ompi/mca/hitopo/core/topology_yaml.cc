// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/topology_yaml.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/host_name.h"
#include "ompi/mca/hitopo/core/switch_levels.h"
#include "ompi/mca/hitopo/core/text.h"
#include "ompi/mca/hitopo/core/topology_conf.h"

namespace hitopo {
namespace {

using MaybePlace = std::optional<SwitchPlace>;

Error malformed(const YamlValue& value, std::string_view offending, const char* message) {
    return {Errc::kMalformed, std::string(offending), message, "", value.line, value.column};
}

std::string source_of(const TopologyQuestion& question, const YamlValue& value) {
    return question.path + ':' + std::to_string(value.line);
}

// Of the first key that is there: Topograph wrote clusterDefault before it wrote cluster_default.
const YamlValue* find_any(const YamlValue& map, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (const YamlValue* value = map.find(key)) {
            return value;
        }
    }
    return nullptr;
}

// An error that names no file is of the question's.
Result<MaybePlace> in_file_of(const TopologyQuestion& question, Result<MaybePlace> place) {
    if (place || !place.error().where.empty()) {
        return place;
    }
    Error error = place.error();
    error.where = question.path;
    return error;
}

// ---- Slurm's topology.yaml ----

// A host list; also as a list of such.
std::string hosts_of(const YamlValue& map, std::string_view key) {
    const YamlValue* value = map.find(key);
    if (value == nullptr || !value->is_list()) {
        return std::string(map.text_of(key));
    }
    std::string hosts;
    for (const YamlValue& item : value->items) {
        hosts += (hosts.empty() ? "" : ",") + item.text;
    }
    return hosts;
}

bool is_default(const YamlValue& topology) {
    const YamlValue* value = find_any(topology, {"cluster_default", "clusterDefault"});
    return value != nullptr && equals_ignoring_case(value->text, "true");
}

// tree = { "switches": [ { "switch": NAME, "nodes": HOSTS | "children": SWITCHES } ] }
// block = { "block_sizes": .., "blocks": [ { "block": NAME, "nodes": HOSTS } ] }
Result<SwitchTree> tree_of(const YamlValue& topology, const TopologyQuestion& question) {
    struct Kind {
        const char *name, *list, *each;
    };
    std::vector<SwitchRecord> records;
    for (const Kind& kind : {Kind{"tree", "switches", "switch"}, Kind{"block", "blocks", "block"},
                             Kind{"ring", "rings", "ring"}}) {
        const YamlValue* described = topology.find(kind.name);
        const YamlValue* list = described == nullptr ? nullptr : described->find(kind.list);
        if (list == nullptr) {
            continue;
        }
        for (const YamlValue& each : list->items) {
            const std::string name(each.text_of(kind.each));
            if (name.empty()) {
                return malformed(each, kind.each,
                                 "its name is missing here; write it as NAME behind this key");
            }
            records.push_back({name, hosts_of(each, "nodes"), hosts_of(each, "children"),
                               std::string_view(kind.name) != "tree", question.path, each.line});
        }
    }
    return SwitchTree::make(std::move(records));
}

void put_below(const std::string& topology, SwitchPlace& place) {
    for (std::optional<RawValue>& value : place.levels) {
        if (value) {
            value->path.insert(value->path.begin(), Name(topology));
        }
    }
}

Result<MaybePlace> find_in_topology(const YamlValue& topology, const TopologyQuestion& question) {
    const Result<SwitchTree> tree = tree_of(topology, question);
    if (!tree) {
        return tree.error();
    }
    MaybePlace place = tree->find(question.host);
    if (place) {
        put_below(std::string(topology.text_of("topology")), *place);
    }
    return place;
}

// The named one, or all with the default first.
Result<std::vector<const YamlValue*>> candidates(const YamlValue& list, const std::string& wanted) {
    std::vector<const YamlValue*> topologies;
    for (const YamlValue& topology : list.items) {
        const std::string_view name = topology.text_of("topology");
        if (name.empty()) {
            return malformed(topology, "topology", "a topology has a name; write - topology: NAME");
        }
        if (wanted.empty() || name == wanted) {
            topologies.push_back(&topology);
        }
    }
    if (topologies.empty() && !wanted.empty()) {
        return malformed(list, wanted, "no topology of this name is here; correct hitopo_file_topology");
    }
    std::stable_partition(topologies.begin(), topologies.end(),
                          [](const YamlValue* topology) { return is_default(*topology); });
    return topologies;
}

Result<MaybePlace> find_in_slurm(const YamlValue& list, const TopologyQuestion& question) {
    const Result<std::vector<const YamlValue*>> topologies = candidates(list, question.topology);
    if (!topologies) {
        return topologies.error();
    }
    for (const YamlValue* topology : *topologies) {
        Result<MaybePlace> place = find_in_topology(*topology, question);
        if (!place || *place) {
            return place;
        }
    }
    return MaybePlace();
}

// ---- Topograph in Kubernetes ----

// `names`: outermost first, empty where unknown.
MaybePlace place_of(std::vector<Name> names, std::string source) {
    SwitchPlace place;
    place.source = std::move(source);
    fill_switch_levels(std::move(names), place.levels);
    return place.levels[kSwitch] || place.levels[kIsland] ? MaybePlace(std::move(place)) : std::nullopt;
}

bool is_node(const YamlValue& item, const std::string& host) {
    const YamlValue* metadata = item.find("metadata");
    return metadata != nullptr && is_same_host(metadata->text_of("name"), host);
}

MaybePlace place_by_labels(const YamlValue& node, const TopologyQuestion& question) {
    const YamlValue* labels = node.find("metadata")->find("labels");
    const auto label = [labels](const char* name) {
        const std::string key = "network.topology.nvidia.com/" + std::string(name);
        return Name(std::string(labels == nullptr ? std::string_view() : labels->text_of(key)));
    };
    const Name leaf = label("leaf");
    return place_of({label("core"), label("spine"), leaf.text().empty() ? label("accelerator") : leaf},
                    source_of(question, node));
}

MaybePlace find_in_nodes(const YamlValue& list, const TopologyQuestion& question) {
    for (const YamlValue& item : list.items) {
        if (item.text_of("kind") == "Node" && is_node(item, question.host)) {
            return place_by_labels(item, question);
        }
    }
    return std::nullopt;
}

MaybePlace find_in_instances(const YamlValue& list, const TopologyQuestion& question) {
    for (const YamlValue& instance : list.items) {
        const YamlValue* layers = instance.find("network_layers");
        if (layers == nullptr || !is_same_host(instance.text_of("id"), question.host)) {
            continue;
        }
        std::vector<Name> names;
        for (auto layer = layers->items.rbegin(); layer != layers->items.rend(); ++layer) {
            names.emplace_back(layer->text);
        }
        return names.empty() ? std::nullopt : place_of(std::move(names), source_of(question, instance));
    }
    return std::nullopt;
}

Result<MaybePlace> find_in_conf(const std::string& text, const TopologyQuestion& question) {
    const Result<SwitchTree> tree = parse_topology_conf(text, question.path);
    return tree ? Result<MaybePlace>(tree->find(question.host)) : tree.error();
}

// A topology.yaml that is a value of another document; no deeper.
Result<MaybePlace> find_in_text(const YamlValue& value, const TopologyQuestion& question,
                                const YamlParser& parse) {
    const Result<std::vector<YamlValue>> documents = parse(value.text);
    return in_file_of(question,
                      !documents ? documents.error()
                      : documents->empty() || !documents->front().is_list()
                          ? malformed(value, value.text, "this is no topology.yaml; name another file")
                          : find_in_slurm(documents->front(), question));
}

Result<MaybePlace> find_in_config_map(const YamlValue& map, const TopologyQuestion& question,
                                      const YamlParser& parse) {
    const YamlValue* data = map.find("data");
    for (std::size_t i = 0; data != nullptr && i < data->fields.size(); ++i) {
        const auto& [name, value] = data->fields[i];
        TopologyQuestion inside = question;
        inside.path += " (" + name + ")";
        if (is_topology_conf(value.text)) {
            return find_in_conf(value.text, inside);
        }
        const std::string suffix = ".yaml";
        if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix) {
            return find_in_text(value, inside, parse);
        }
    }
    return malformed(map, "ConfigMap",
                     "it holds no topology.conf and no topology.yaml; name another one");
}

Result<MaybePlace> find_in_document(const YamlValue& document, const TopologyQuestion& question,
                                    const YamlParser& parse) {
    if (document.is_list()) {
        return find_in_slurm(document, question);
    }
    if (document.text_of("kind") == "ConfigMap") {
        return find_in_config_map(document, question, parse);
    }
    if (document.text_of("kind") == "Node") {
        return is_node(document, question.host) ? place_by_labels(document, question) : MaybePlace();
    }
    if (const YamlValue* items = document.find("items")) {
        return find_in_nodes(*items, question);
    }
    if (const YamlValue* instances = document.find("instances")) {
        return find_in_instances(*instances, question);
    }
    return malformed(
        document,
        document.is_map() ? document.fields.empty() ? "" : document.fields.front().first : document.text,
        "this is neither Slurm's topology.yaml nor Kubernetes' nodes or ConfigMap of "
        "Topograph; name another file");
}

std::string_view first_line(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
        const std::string_view trimmed = trim(line);
        if (!trimmed.empty() && trimmed.front() != '#') {
            return trimmed;
        }
    }
    return {};
}

}  // namespace

bool is_yaml(std::string_view text) {
    const std::string_view line = first_line(text);
    if (line.empty()) {
        return false;
    }
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    return line.front() == '{' || line.front() == '[' || word == "-" || word == "---" ||
           word == "%YAML" || word.back() == ':';
}

Result<MaybePlace> find_in_topology_yaml(const std::string& text, const TopologyQuestion& question,
                                         const YamlParser& parse) {
    const Result<std::vector<YamlValue>> documents = parse(text);
    Result<MaybePlace> place = documents ? Result<MaybePlace>(MaybePlace()) : documents.error();
    for (std::size_t i = 0; place && !*place && i < documents->size(); ++i) {
        place = find_in_document((*documents)[i], question, parse);
    }
    return in_file_of(question, std::move(place));
}

}  // namespace hitopo
