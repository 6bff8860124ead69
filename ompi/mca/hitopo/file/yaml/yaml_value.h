// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// YAML or JSON documents as plain data, whoever parsed them, within limits.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_YAML_VALUE_H
#define OMPI_MCA_HITOPO_FILE_YAML_YAML_VALUE_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

struct YamlValue {
    enum class Kind { kText, kList, kMap };

    Kind kind = Kind::kText;
    int line = 0;  // where it begins, 1-based
    int column = 0;
    std::string key;                // of a map's value
    std::string text;               // of a string, number or truth value
    std::vector<YamlValue> values;  // of a list or map, in the order written

    bool is_list() const { return kind == Kind::kList; }
    bool is_map() const { return kind == Kind::kMap; }
    const std::vector<YamlValue>& items() const;   // of a list; others have none
    const std::vector<YamlValue>& fields() const;  // of a map; others have none

    // A map's first value of that key; null if there is none.
    const YamlValue* find(std::string_view key) const;
    // Its text; "" if there is none.
    std::string_view text_of(std::string_view key) const;
};

using YamlDocuments = std::vector<YamlValue>;

// Remedies for lists of nodes and instances that are too large or broken, behind the ';' of a message:
// commands that write of each node only what is read.
inline constexpr const char* kWriteLess =
    "write a smaller file: kubectl get nodes -o json | jq '{kind: \"NodeList\", items: [.items[] | "
    "{metadata: "
    ".metadata | {name, labels, annotations}}]}', aws ec2 describe-instance-topology, or gcloud compute "
    "instances "
    "list --format 'json(name,resourceStatus)'";

// Makes documents of what a parser meets, in the order written; in a map, keys and values take turns.
// What no reader looks at in long lists of nodes and instances is left out: a Kubernetes node of 16 KB
// tells where it is in 500 bytes. Errors are kTooLarge at the value: lists and maps that lie more than
// 64 deep, and more than four million values.
class YamlBuilder {
public:
    std::optional<Error> add_text(std::string_view text, int line, int column);
    std::optional<Error> open(YamlValue::Kind kind, int line, int column);
    void close();

    YamlDocuments take() { return std::move(documents_); }

private:
    struct Open {
        YamlValue value;
        std::optional<std::string> key;  // whose value comes next
        std::size_t num_before;          // values
    };

    std::optional<Error> count(const YamlValue& value);
    void add(YamlValue value, std::size_t num_before);

    YamlDocuments documents_;
    std::vector<Open> open_;  // outermost first
    std::size_t num_values_ = 0;
};

}  // namespace hitopo

#endif
