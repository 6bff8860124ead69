// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From what a parser of YAML or JSON meets to documents, within limits.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_YAML_BUILDER_H
#define OMPI_MCA_HITOPO_FILE_YAML_YAML_BUILDER_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

namespace hitopo {

// Whether the field `key` of a map that is the value of `parent` ("": of none) is kept.
using IsWanted = std::function<bool(std::string_view parent, std::string_view key)>;

// Where a value stands.
struct TextPlace {
    int line;  // 1-based
    int column;
    std::size_t num_bytes;  // of the text, to its end or before
};

// Takes values in the order written; in a map, keys and values take turns. `anchor`: "" is none. The
// first field of a map "labels" is kept, whatever it is. Errors have line and column: kTooLarge where
// lists and maps lie more than 64 deep, where more than a million values are kept, as often as aliases
// repeat them, more than one for each four bytes or 32 MiB of text, and where there are more than 256
// anchors; kMalformed of an alias without an anchor.
class YamlBuilder {
public:
    using MaybeError = std::optional<Error>;
    using Kind = YamlDocuments::Kind;

    // is_wanted outlives it.
    explicit YamlBuilder(const IsWanted& is_wanted) : is_wanted_(is_wanted) {}

    void begin_document() { anchors_.clear(); }
    MaybeError take_text(std::string_view text, std::string_view anchor, const TextPlace& place);
    MaybeError take_alias(const std::string& name, const TextPlace& place);
    MaybeError open(Kind kind, std::string_view anchor, const TextPlace& place);
    void close();

    YamlDocuments documents() { return std::move(documents_); }

    // What is whole, where the text breaks off; nothing where no document is.
    std::optional<YamlDocuments> documents_before(const Error& problem);

private:
    struct Anchored {
        std::uint32_t id;
        std::size_t num_values;  // with those that its aliases mean
    };
    struct Open {
        std::uint32_t id;
        std::size_t num_before;
        std::string anchor;
        std::string under;  // the key whose value it is; "": it is in a list, or in nothing
        bool is_map;
        bool is_at_key;           // comes next
        bool has_fields = false;  // the first one shows in messages, whatever it is
        std::string key = {};     // the last one
    };

    MaybeError count(const TextPlace& place, std::size_t num_values);
    MaybeError remember(std::string_view anchor, const TextPlace& place);
    bool is_key_of_unwanted(std::string_view key);
    void end_value();

    const IsWanted& is_wanted_;
    YamlDocuments documents_;
    std::vector<Open> open_;
    std::unordered_map<std::string, Anchored> anchors_;
    std::size_t num_values_ = 0;
    std::size_t num_anchors_ = 0;
    bool is_skipping_ = false;  // a value that is not wanted
    std::size_t num_skipped_open_ = 0;
};

}  // namespace hitopo

#endif
