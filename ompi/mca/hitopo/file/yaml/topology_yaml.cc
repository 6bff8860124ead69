// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/topology_yaml.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

using MaybePlace = std::optional<SwitchPlace>;

std::string source_of(const TopologyQuestion& question, const YamlValue& value) {
    return question.path + ':' + std::to_string(value.line);
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
        const YamlValue* metadata = node.find("metadata");
        if (metadata == nullptr) {
            return std::nullopt;
        }
        const YamlValue* labels = metadata->find("labels");
        const bool is_host = is_same_host(metadata->text_of("name"), question_.host) ||
                             (labels != nullptr &&
                              is_same_host(labels->text_of("kubernetes.io/hostname"), question_.host));
        has_host_ = has_host_ || is_host;
        if (!is_host && has_placed_) {
            return std::nullopt;
        }
        if (first_labels_ == nullptr && labels != nullptr && !labels->fields().empty()) {
            first_labels_ = labels;
        }
        MaybePlace place = place_of_node(*metadata, question_.labels, source_of(question_, node));
        has_placed_ = has_placed_ || place;
        return is_host ? place : std::nullopt;
    }

    // After all nodes: a place without levels of a host that has none.
    Result<MaybePlace> nothing_found() const {
        if (first_labels_ == nullptr || has_placed_) {
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
    const YamlValue* first_labels_ = nullptr;
    bool has_placed_ = false;
    bool has_host_ = false;
};

// ---- any document ----

bool has_suffix(std::string_view name, std::string_view suffix) {
    return name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
}

Error unknown_object(const YamlValue& item, std::string_view kind) {
    return {Errc::kSkipped,
            "kind: " + std::string(kind),
            "this kind of Kubernetes object is not supported; name a file of nodes",
            "",
            item.line,
            item.column};
}

// A list of one kind may leave it away at its items: NodeList. So may one that has lost its own.
std::string_view kind_of(const YamlValue& item, std::string_view list_kind) {
    constexpr std::string_view kList = "List";
    const std::string_view kind = item.text_of("kind");
    if (!kind.empty()) {
        return kind;
    }
    return has_suffix(list_kind, kList)       ? list_kind.substr(0, list_kind.size() - kList.size())
           : item.find("metadata") != nullptr ? "Node"
                                              : "";
}

// Objects of other kinds are told of where none of the list tells of a network.
Result<MaybePlace> find_in_items(const YamlValue& items, std::string_view list_kind,
                                 const TopologyQuestion& question, NodeSearch& search,
                                 Skipped& skipped) {
    Skipped others;
    bool is_any_known = false;
    for (const YamlValue& item : items.items()) {
        const std::string_view kind = kind_of(item, list_kind);
        is_any_known = is_any_known || kind == "Node";
        if (kind == "Node") {
            if (MaybePlace place = search.look_at(item)) {
                return place;
            }
        } else if (!kind.empty()) {
            others.add(in_file(question, unknown_object(item, kind)));
        }
    }
    if (!is_any_known) {
        skipped.add(others);
    }
    return MaybePlace();
}

Result<MaybePlace> find_in_document(const YamlValue& document, const TopologyQuestion& question,
                                    NodeSearch& search, Skipped& skipped) {
    const std::string_view kind = document.text_of("kind");
    if (kind == "Node") {
        return search.look_at(document);
    }
    if (are_instances(document)) {
        return find_in_instances(document, question);
    }
    if (document.is_list()) {
        return find_in_slurm_yaml(document, question, skipped);
    }
    for (const char* key : {"items", "instances", "Instances"}) {
        const YamlValue* list = document.find(key);
        const bool may_be_nodes = std::string_view(key) == "items" && kind != "compute#instanceList";
        if (list != nullptr && may_be_nodes && !(kind.empty() && are_instances(*list))) {
            return find_in_items(*list, kind, question, search, skipped);
        }
        if (list != nullptr) {
            return find_in_instances(*list, question);
        }
    }
    if (!kind.empty()) {
        return unknown_object(document, kind);
    }
    return malformed(document, document.fields().empty() ? document.text : document.fields().front().key,
                     "the file is none of these: Slurm's topology.yaml, Kubernetes nodes, a cloud's "
                     "list of instances; name another file");
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

Result<MaybePlace> find_in_topology_yaml(const YamlDocuments& documents,
                                         const TopologyQuestion& question, Skipped& skipped) {
    NodeSearch search(question);
    Skipped refused;
    bool is_any_read = false;
    for (const YamlValue& document : documents) {
        if (document.kind == YamlValue::Kind::kText && document.text.empty()) {
            continue;
        }
        Result<MaybePlace> place = find_in_document(document, question, search, skipped);
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
