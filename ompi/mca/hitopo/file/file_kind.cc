// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <initializer_list>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/file/file_input.h"

namespace hitopo {
namespace {

std::string_view first_line(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = trim(take_line(text));
        if (!line.empty() && line.front() != '#') {
            return line;
        }
    }
    return {};
}

bool begins_with_any(std::string_view line, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [line](std::string_view word) { return line.substr(0, word.size()) == word; });
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(),
                       [text](std::string_view word) { return text.find(word) != text.npos; });
}

bool is_document(std::string_view line, std::string_view word) {
    return begins_with_any(line, {"{", "["}) || word == "-" || word == "---" || word == "%YAML" ||
           word.back() == ':';
}

}  // namespace

FileKind file_kind(std::string_view text) {
    const std::string_view line = first_line(text);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (line.empty()) {
        return FileKind::kEmpty;
    }
    if (!begins_with_any(line, {"{", "["}) && trim(line.substr(word.size())).substr(0, 1) == "{") {
        return word == "-" ? FileKind::kDocuments : FileKind::kLldp;
    }
    if (begins_with_any(line, {"vendid=", "DR path ", "Switch\t", "Switch ", "Chassis "})) {
        return FileKind::kIbnetdiscover;
    }
    return is_topology_conf(text)    ? FileKind::kTopologyConf
           : is_document(line, word) ? FileKind::kDocuments
                                     : FileKind::kMap;
}

std::string described_kind(std::string_view text) {
    if (file_kind(text) == FileKind::kIbnetdiscover) {
        return "is what ibnetdiscover prints";
    }
    if (file_kind(text) == FileKind::kLldp) {
        return "is what lldpcli prints";
    }
    // Nodes of a cloud have labels in which other words may stand, so they come last.
    return has_any(text, {"compute#", "resourceStatus"})     ? "lists instances of Google Cloud"
           : has_any(text, {"InstanceId"})                   ? "lists instances of AWS"
           : has_any(text, {"network_layers"})               ? "lists instances by Topograph"
           : has_any(text, {"ConfigMap"})                    ? "is a ConfigMap of Kubernetes"
           : has_any(text, {"- topology:", "\"topology\":"}) ? "is Slurm's topology.yaml"
           : has_any(text, {"metadata", "NodeList"})         ? "lists Kubernetes nodes"
                                                             : "is YAML or JSON";
}

}  // namespace hitopo
