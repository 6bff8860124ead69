// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/topology_yaml.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/instance_list.h"
#include "ompi/mca/hitopo/file/node_labels.h"

namespace hitopo {
namespace {

using MaybePlace = std::optional<SwitchPlace>;
using MaybeValue = std::optional<YamlValue>;

Error malformed(const YamlValue& value, std::string_view offending, const char* message) {
    return {Errc::kMalformed, std::string(offending), message, "", value.line(), value.column()};
}

std::string source_of(const TopologyQuestion& question, const YamlValue& value) {
    return question.path + ':' + std::to_string(value.line());
}

// Of the first key that is there: Topograph wrote clusterDefault before it wrote cluster_default.
MaybeValue find_any(const YamlValue& map, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
        if (const MaybeValue value = map.find(key)) {
            return value;
        }
    }
    return std::nullopt;
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

// tree = { "switches": [ { "switch": NAME, "nodes": HOSTS | "children": SWITCHES } ] }
// block = { "block_sizes": .., "blocks": [ { "block": NAME, "nodes": HOSTS } ] }
Result<SwitchTree> tree_of(const YamlValue& topology, const TopologyQuestion& question) {
    struct Kind {
        const char *name, *list, *each;
    };
    std::vector<SwitchRecord> records;
    for (const Kind& kind : {Kind{"tree", "switches", "switch"}, Kind{"block", "blocks", "block"},
                             Kind{"ring", "rings", "ring"}}) {
        const MaybeValue described = topology.find(kind.name);
        const MaybeValue list = described ? described->find(kind.list) : std::nullopt;
        if (!list) {
            continue;
        }
        for (const YamlValue& each : list->items()) {
            const std::string name(each.text_of(kind.each));
            if (name.empty()) {
                return malformed(each, kind.each,
                                 "its name is missing here; write it as NAME behind this key");
            }
            records.push_back({name, hosts_of(each, "nodes"), hosts_of(each, "children"),
                               std::string_view(kind.name) != "tree", question.path, each.line()});
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

// Whether each has a name, and the one that is asked for is there.
std::optional<Error> check_names(const YamlValue& list, const std::string& wanted) {
    bool is_there = wanted.empty();
    for (const YamlValue& topology : list.items()) {
        const std::string_view name = topology.text_of("topology");
        if (name.empty()) {
            return malformed(topology, "topology", "a topology has a name; write - topology: NAME");
        }
        is_there = is_there || name == wanted;
    }
    return is_there ? std::optional<Error>()
                    : malformed(list, wanted,
                                "no topology of this name is here; correct hitopo_file_topology");
}

// The named one, or all with the default first.
Result<MaybePlace> find_in_slurm(const YamlValue& list, const TopologyQuestion& question) {
    if (const std::optional<Error> error = check_names(list, question.topology)) {
        return *error;
    }
    for (const bool is_defaults_turn : {true, false}) {
        for (const YamlValue& topology : list.items()) {
            const bool is_wanted =
                question.topology.empty() || topology.text_of("topology") == question.topology;
            if (!is_wanted || is_default(topology) != is_defaults_turn) {
                continue;
            }
            Result<MaybePlace> place = find_in_topology(topology, question);
            if (!place || *place) {
                return place;
            }
        }
    }
    return MaybePlace();
}

// ---- nodes of Kubernetes ----

// One search through all nodes of a file: of other hosts it looks whether they have labels at all.
class NodeSearch {
public:
    explicit NodeSearch(const TopologyQuestion& question) : question_(question) {}

    MaybePlace look_at(const YamlValue& node) {
        const MaybeValue metadata = node.find("metadata");
        const MaybeValue labels = metadata ? metadata->find("labels") : std::nullopt;
        if (!labels || labels->fields().empty()) {
            return std::nullopt;
        }
        first_labels_ = first_labels_ ? first_labels_ : labels;
        const std::vector<NodeLabel> placing = placing_labels(*labels, question_.labels);
        has_placed_ = has_placed_ || !placing.empty();
        return placing.empty() || !is_same_host(metadata->text_of("name"), question_.host)
                   ? std::nullopt
                   : MaybePlace(place_by_labels(placing, source_of(question_, node)));
    }

    // After all nodes.
    Result<MaybePlace> nothing_found() const {
        if (!first_labels_ || has_placed_) {
            return MaybePlace();
        }
        return malformed(
            *first_labels_, first_labels_->fields().front().key,
            question_.labels.empty()
                ? "no node has labels of a topology that HiTopo knows; name theirs, the closest "
                  "first, in hitopo_file_labels"
                : "no node has a label that hitopo_file_labels names; correct it");
    }

private:
    const TopologyQuestion& question_;
    MaybeValue first_labels_;
    bool has_placed_ = false;
};

MaybePlace find_in_items(const YamlValue& list, NodeSearch& search) {
    for (const YamlValue& item : list.items()) {
        MaybePlace place = item.text_of("kind") == "Node" ? search.look_at(item) : std::nullopt;
        if (place) {
            return place;
        }
    }
    return std::nullopt;
}

// ---- Topograph ----

Result<MaybePlace> find_in_conf(std::string_view text, const TopologyQuestion& question) {
    const Result<SwitchTree> tree = parse_topology_conf(std::string(text), question.path);
    return tree ? Result<MaybePlace>(tree->find(question.host)) : tree.error();
}

// A topology.yaml that is the value `name` of another document; no deeper.
Result<MaybePlace> find_in_text(std::string_view name, const YamlValue& value,
                                const TopologyQuestion& question, const YamlParser& parse) {
    if (value.text().empty()) {
        return in_file_of(question, malformed(value, name,
                                              "it holds no text; write | behind it and the text below, "
                                              "or name another file"));
    }
    const Result<YamlDocuments> documents = parse(value.text());
    return in_file_of(question,
                      !documents ? documents.error()
                      : documents->size() == 0 || !(*documents)[0].is_list()
                          ? malformed(value, value.text(), "this is no topology.yaml; name another file")
                          : find_in_slurm((*documents)[0], question));
}

Error no_topology_in(const YamlValue& map) {
    return malformed(map, "ConfigMap",
                     "it holds no topology.conf and no topology.yaml; name another one");
}

Result<MaybePlace> find_in_config_map(const YamlValue& map, const TopologyQuestion& question,
                                      const YamlParser& parse) {
    const std::string_view suffix = ".yaml";
    const MaybeValue data = map.find("data");
    if (!data) {
        return no_topology_in(map);
    }
    for (const auto& [name, value] : data->fields()) {
        TopologyQuestion inside = question;
        inside.path.append(" (").append(name).append(")");
        if (is_topology_conf(value.text())) {
            return find_in_conf(value.text(), inside);
        }
        if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix) {
            return find_in_text(name, value, inside, parse);
        }
    }
    return no_topology_in(map);
}

Result<MaybePlace> find_in_document(const YamlValue& document, const TopologyQuestion& question,
                                    const YamlParser& parse, NodeSearch& search) {
    if (document.is_list()) {
        return is_google_list(document)
                   ? find_in_google_instances(document, question.host, question.path)
                   : find_in_slurm(document, question);
    }
    if (document.text_of("kind") == "ConfigMap") {
        return find_in_config_map(document, question, parse);
    }
    if (document.text_of("kind") == "Node") {
        return search.look_at(document);
    }
    if (const MaybeValue items = document.find("items")) {
        return find_in_items(*items, search);
    }
    if (const MaybeValue instances = document.find("instances")) {
        return find_in_topograph_instances(*instances, question.host, question.path);
    }
    if (const MaybeValue instances = document.find("Instances")) {
        return find_in_aws_instances(*instances, question.host, question.path);
    }
    return malformed(document,
                     document.fields().empty() ? document.text() : document.fields().front().key,
                     "this is neither Slurm's topology.yaml nor Kubernetes' nodes or ConfigMap of "
                     "Topograph nor a cloud's list of instances; name another file");
}

std::string_view first_line(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trim(text.substr(0, end));
        if (!line.empty() && line.front() != '#') {
            return line;
        }
        text.remove_prefix(std::min(end + 1, text.size()));
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
    const Result<YamlDocuments> documents = parse(text);
    return documents ? find_in_topology_yaml(*documents, question, parse)
                     : in_file_of(question, documents.error());
}

Result<MaybePlace> find_in_topology_yaml(const YamlDocuments& documents,
                                         const TopologyQuestion& question, const YamlParser& parse) {
    Result<MaybePlace> place = MaybePlace();
    NodeSearch search(question);
    for (std::size_t i = 0; place && !*place && i < documents.size(); ++i) {
        place = find_in_document(documents[i], question, parse, search);
    }
    return in_file_of(question, place && !*place ? search.nothing_found() : std::move(place));
}

}  // namespace hitopo
