// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/hitopo_file_yaml.h"

#ifdef HITOPO_HAVE_LIBYAML
#include <yaml.h>

#include <optional>
#include <utility>

namespace hitopo {
namespace {

using MaybeError = std::optional<Error>;

constexpr std::size_t kMaxValues = 1000000;
constexpr int kMaxDepth = 64;

class Document {
public:
    explicit Document(yaml_parser_t* parser) : is_loaded_(yaml_parser_load(parser, &document_) != 0) {}
    ~Document() {
        if (is_loaded_) {
            yaml_document_delete(&document_);
        }
    }
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    bool is_loaded() const { return is_loaded_; }
    yaml_node_t* root() { return yaml_document_get_root_node(&document_); }
    yaml_node_t* node(int id) { return yaml_document_get_node(&document_, id); }

private:
    yaml_document_t document_ = {};
    const bool is_loaded_;
};

// An alias is one node with several parents, and so its value is copied.
class Copier {
public:
    explicit Copier(Document& document) : document_(document) {}

    MaybeError copy(yaml_node_t* node, int depth, YamlValue& value) {
        value.line = static_cast<int>(node->start_mark.line) + 1;
        value.column = static_cast<int>(node->start_mark.column) + 1;
        if (++num_values_ > kMaxValues || depth > kMaxDepth) {
            return Error{Errc::kTooLarge,
                         depth > kMaxDepth ? "nesting" : "aliases",
                         "a document has at most a million values and 64 levels; write it simpler",
                         "",
                         value.line,
                         value.column};
        }
        switch (node->type) {
            case YAML_SEQUENCE_NODE:
                return copy_list(node, depth, value);
            case YAML_MAPPING_NODE:
                return copy_map(node, depth, value);
            default:
                value.text = text_of(node);
                return std::nullopt;
        }
    }

private:
    static std::string text_of(const yaml_node_t* node) {
        if (node->type != YAML_SCALAR_NODE) {
            return {};
        }
        return {reinterpret_cast<const char*>(node->data.scalar.value), node->data.scalar.length};
    }

    MaybeError copy_list(yaml_node_t* node, int depth, YamlValue& value) {
        value.kind = YamlValue::Kind::kList;
        const auto& items = node->data.sequence.items;
        for (const yaml_node_item_t* item = items.start; item < items.top; ++item) {
            value.items.emplace_back();
            if (MaybeError error = copy(document_.node(*item), depth + 1, value.items.back())) {
                return error;
            }
        }
        return std::nullopt;
    }

    MaybeError copy_map(yaml_node_t* node, int depth, YamlValue& value) {
        value.kind = YamlValue::Kind::kMap;
        const auto& pairs = node->data.mapping.pairs;
        for (const yaml_node_pair_t* pair = pairs.start; pair < pairs.top; ++pair) {
            value.fields.emplace_back(text_of(document_.node(pair->key)), YamlValue());
            if (MaybeError error =
                    copy(document_.node(pair->value), depth + 1, value.fields.back().second)) {
                return error;
            }
        }
        return std::nullopt;
    }

    Document& document_;
    std::size_t num_values_ = 0;
};

class Parser {
public:
    explicit Parser(const std::string& text) : is_ready_(yaml_parser_initialize(&parser_) != 0) {
        if (is_ready_) {
            yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                         text.size());
        }
    }
    ~Parser() {
        if (is_ready_) {
            yaml_parser_delete(&parser_);
        }
    }
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    Result<std::vector<YamlValue>> documents() {
        std::vector<YamlValue> values;
        while (is_ready_) {
            Document document(&parser_);
            if (!document.is_loaded()) {
                break;
            }
            yaml_node_t* root = document.root();
            if (root == nullptr) {  // the end
                return values;
            }
            values.emplace_back();
            if (MaybeError error = Copier(document).copy(root, 1, values.back())) {
                return *error;
            }
        }
        return problem();
    }

private:
    Error problem() const {
        const std::string what = is_ready_ && parser_.problem != nullptr ? parser_.problem : "no memory";
        return {Errc::kMalformed,
                what,
                "this is no YAML; correct the line",
                "",
                static_cast<int>(parser_.problem_mark.line) + 1,
                static_cast<int>(parser_.problem_mark.column) + 1};
    }

    yaml_parser_t parser_ = {};
    const bool is_ready_;
};

}  // namespace

Result<std::vector<YamlValue>> parse_yaml(const std::string& text) { return Parser(text).documents(); }

}  // namespace hitopo

#else

namespace hitopo {

Result<std::vector<YamlValue>> parse_yaml(const std::string&) {
    return Error{Errc::kUnreadable,
                 "YAML",
                 "this HiTopo was built without libyaml; build it with (Debian: libyaml-dev), or name a "
                 "topology.conf or a map",
                 "",
                 1,
                 1};
}

}  // namespace hitopo

#endif
