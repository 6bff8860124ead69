// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/yaml/instance_list.h"
#include "ompi/mca/hitopo/file/yaml/node_place.h"
#include "ompi/mca/hitopo/file/yaml/slurm_yaml.h"

namespace hitopo {
namespace {

using MaybePlace = std::optional<SwitchPlace>;
using MaybeValue = std::optional<YamlValue>;

std::string source_of(const TopologyQuestion& question, const YamlValue& value) {
    return question.path + ':' + std::to_string(value.line());
}

Result<MaybePlace> in_file_of(const TopologyQuestion& question, const Result<MaybePlace>& place) {
    return place ? place : in_file(question, place.error());
}

// ---- nodes of Kubernetes ----

// One search through all nodes of a file: of other hosts it looks whether they have labels at all.
class NodeSearch {
public:
    explicit NodeSearch(const TopologyQuestion& question) : question_(question) {}

    MaybePlace look_at(const YamlValue& node) {
        const MaybeValue metadata = node.find("metadata");
        if (!metadata) {
            return std::nullopt;
        }
        const MaybeValue labels = metadata->find("labels");
        const bool is_host =
            is_same_host(metadata->text_of("name"), question_.host) ||
            (labels && is_same_host(labels->text_of("kubernetes.io/hostname"), question_.host));
        has_host_ = has_host_ || is_host;
        if (!is_host && has_placed_) {
            return std::nullopt;
        }
        if (!first_labels_ && labels && !labels->fields().empty()) {
            first_labels_ = labels;
        }
        MaybePlace place =
            place_of_node(*metadata, question_.labels, source_of(question_, node), question_.unknown);
        has_placed_ = has_placed_ || place;
        return is_host ? place : std::nullopt;
    }

    // After all nodes: a place without levels of a host that has none.
    Result<MaybePlace> nothing_found() const {
        if (!first_labels_ || has_placed_) {
            return has_host_ ? MaybePlace(SwitchPlace()) : MaybePlace();
        }
        return malformed(*first_labels_, first_labels_->fields().front().key,
                         question_.labels.empty()
                             ? "no node has topology labels that HiTopo knows; list the keys of your "
                               "labels in hitopo_file_labels, the closest switch first"
                             : "no node has a label of hitopo_file_labels; correct the variable");
    }

private:
    const TopologyQuestion& question_;
    MaybeValue first_labels_;
    bool has_placed_ = false;
    bool has_host_ = false;
};

// ---- Topograph ----

Result<MaybePlace> find_in_conf(std::string_view text, const TopologyQuestion& question,
                                Skipped& skipped) {
    const Result<SwitchTree> tree = parse_topology_conf(std::string(text), question.path);
    if (!tree) {
        return tree.error();
    }
    skipped.add(tree->skipped());
    return tree->find(question.host, question.unknown);
}

// A topology.yaml that is the value `name` of another document; no deeper.
Result<MaybePlace> find_in_text(std::string_view name, const YamlValue& value,
                                const TopologyQuestion& question, const YamlParser& parse,
                                Skipped& skipped) {
    if (value.text().empty()) {
        return in_file(question, malformed(value, name,
                                           "this key has no text; write | after the key and the text "
                                           "below it, or name another file"));
    }
    const Result<YamlDocuments> documents = parse(value.text());
    if (documents && documents->cut()) {
        skipped.add(in_file(question, *documents->cut()));
    }
    return in_file_of(
        question, !documents ? documents.error()
                  : documents->size() == 0 || !(*documents)[0].is_list()
                      ? malformed(value, value.text(), "this is not a topology.yaml; name another file")
                      : find_in_slurm_yaml((*documents)[0], question, skipped));
}

Error no_topology_in(const YamlValue& map) {
    return malformed(map, "ConfigMap",
                     "this ConfigMap has no topology.conf and no topology.yaml; name another one");
}

bool has_suffix(std::string_view name, std::string_view suffix) {
    return name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
}

// The first topology in its data that can be read; an error where there is none.
Result<MaybePlace> find_in_config_map(const YamlValue& map, const TopologyQuestion& question,
                                      const YamlParser& parse, Skipped& skipped) {
    const MaybeValue data = map.find("data");
    if (!data) {
        return no_topology_in(map);
    }
    std::optional<Error> first_error;
    for (const auto& [name, value] : data->fields()) {
        TopologyQuestion inside = question;
        inside.path.append(" (").append(name).append(")");
        // Beside it may stand a slurm.conf, which has lines of the same form.
        const bool is_conf = name == "topology.conf" || is_topology_conf(value.text(), true);
        if (!is_conf && !has_suffix(name, ".yaml")) {
            continue;
        }
        Result<MaybePlace> place = is_conf ? find_in_conf(value.text(), inside, skipped)
                                           : find_in_text(name, value, inside, parse, skipped);
        if (place) {
            return place;
        }
        first_error = first_error ? first_error : place.error();
    }
    return first_error ? *first_error : no_topology_in(map);
}

// ---- any document ----

Error unknown_object(const YamlValue& item, std::string_view kind) {
    return {Errc::kSkipped,
            "kind: " + std::string(kind),
            "this kind of Kubernetes object is not supported; name a file of nodes or ConfigMaps",
            "",
            item.line(),
            item.column()};
}

// A list of one kind may leave it away at its items: NodeList. So may one that has lost its own.
std::string_view kind_of(const YamlValue& item, std::string_view list_kind) {
    constexpr std::string_view kList = "List";
    const std::string_view kind = item.text_of("kind");
    if (!kind.empty()) {
        return kind;
    }
    return has_suffix(list_kind, kList) ? list_kind.substr(0, list_kind.size() - kList.size())
           : item.find("metadata")      ? "Node"
                                        : "";
}

// Objects of other kinds are told of where none of the list tells of a network.
Result<MaybePlace> find_in_items(const YamlValue& items, std::string_view list_kind,
                                 const TopologyQuestion& question, const YamlParser& parse,
                                 NodeSearch& search, Skipped& skipped) {
    Skipped others;
    bool is_any_known = false;
    for (const YamlValue& item : items.items()) {
        const std::string_view kind = kind_of(item, list_kind);
        Result<MaybePlace> place = MaybePlace();
        is_any_known = is_any_known || kind == "Node" || kind == "ConfigMap";
        if (kind == "Node") {
            place = search.look_at(item);
        } else if (kind == "ConfigMap") {
            place = find_in_config_map(item, question, parse, skipped);
        } else if (!kind.empty()) {
            others.add(in_file(question, unknown_object(item, kind)));
        }
        if (!place) {
            skipped.add(in_file(question, place.error()));
        } else if (*place) {
            return place;
        }
    }
    if (!is_any_known) {
        skipped.add(others);
    }
    return MaybePlace();
}

Result<MaybePlace> find_in_document(const YamlValue& document, const TopologyQuestion& question,
                                    const YamlParser& parse, NodeSearch& search, Skipped& skipped) {
    const std::string_view kind = document.text_of("kind");
    if (kind == "ConfigMap") {
        return find_in_config_map(document, question, parse, skipped);
    }
    if (kind == "Node") {
        return search.look_at(document);
    }
    const InstanceQuestion instance = {question.host, question.path, question.unknown};
    if (are_instances(document)) {
        return find_in_instances(document, instance);
    }
    if (document.is_list()) {
        return find_in_slurm_yaml(document, question, skipped);
    }
    for (const char* key : {"items", "instances", "Instances"}) {
        const MaybeValue list = document.find(key);
        const bool may_be_nodes = std::string_view(key) == "items" && kind != "compute#instanceList";
        if (list && may_be_nodes && !(kind.empty() && are_instances(*list))) {
            return find_in_items(*list, kind, question, parse, search, skipped);
        }
        if (list) {
            return find_in_instances(*list, instance);
        }
    }
    if (!kind.empty()) {
        return unknown_object(document, kind);
    }
    return malformed(document,
                     document.fields().empty() ? document.text() : document.fields().front().key,
                     "the file is none of these: Slurm's topology.yaml, Kubernetes nodes, a ConfigMap "
                     "of Topograph, a cloud's list of instances; name another file");
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

bool has_line(std::string_view text) { return !first_line(text).empty(); }

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
                                         const YamlParser& parse, Skipped& skipped) {
    const Result<YamlDocuments> documents = parse(text);
    return documents ? find_in_topology_yaml(*documents, question, parse, skipped)
                     : in_file_of(question, documents.error());
}

Result<MaybePlace> find_in_topology_yaml(const YamlDocuments& documents,
                                         const TopologyQuestion& question, const YamlParser& parse,
                                         Skipped& skipped) {
    NodeSearch search(question);
    Skipped refused;
    if (documents.cut()) {
        skipped.add(in_file(question, *documents.cut()));
    }
    bool is_any_read = false;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        if (!documents[i].is_list() && !documents[i].is_map() && documents[i].text().empty()) {
            continue;
        }
        Result<MaybePlace> place = find_in_document(documents[i], question, parse, search, skipped);
        if (place && *place) {
            skipped.add(refused);
            return place;
        }
        is_any_read = is_any_read || place;
        if (!place) {
            refused.add(in_file(question, place.error()));
        }
    }
    if (!is_any_read && !refused.is_empty()) {
        Error error = refused.kept().front();
        error.code = error.code == Errc::kSkipped ? Errc::kMalformed : error.code;
        return error;
    }
    skipped.add(refused);
    return in_file_of(question, search.nothing_found());
}

}  // namespace hitopo
