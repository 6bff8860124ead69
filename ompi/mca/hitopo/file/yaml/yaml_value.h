// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// YAML or JSON documents as plain data, whoever parsed them. A file may be large and dense, so a value
// takes 16 bytes and what its text takes.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_YAML_VALUE_H
#define OMPI_MCA_HITOPO_FILE_YAML_YAML_VALUE_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

class YamlDocuments;
class YamlItems;
class YamlFields;

// A value of a document, valid while that is.
class YamlValue {
public:
    YamlValue(const YamlDocuments& all, std::uint32_t id);

    bool is_list() const;
    bool is_map() const;
    std::string_view text() const;  // of a string, number or truth value; "" of others
    int line() const;               // where it begins, 1-based
    int column() const;

    YamlItems items() const;    // of a list; others have none
    YamlFields fields() const;  // of a map, in the order written; others have none

    // A map's value of that key.
    std::optional<YamlValue> find(std::string_view key) const;
    // Its text; "" if there is none.
    std::string_view text_of(std::string_view key) const;

private:
    const YamlDocuments* all_;
    std::uint32_t id_;
};

struct YamlField {
    std::string_view key;
    YamlValue value;
};

class YamlDocuments {
public:
    enum class Kind : std::uint32_t { kText, kList, kMap, kAlias };

    // ---- to build them, in the order written; each answer names the value ----

    std::uint32_t add_text(std::string_view text, int line, int column);
    // Means an earlier value, which is complete.
    std::uint32_t add_alias(std::uint32_t target, int line, int column);
    // What is added until its end is in this list or map; keys and values take turns in a map.
    std::uint32_t begin(Kind kind, int line, int column);
    void end(std::uint32_t id);

    // The text breaks off here, with what is begun and not ended (`open`, outermost first). Entries,
    // maps in a list, that are whole stay with what they are in; of the rest of that, what is not whole
    // goes. Where there are none, the document goes.
    void cut_off(const std::vector<std::uint32_t>& open, Error why);

    // Why there may be more in the text than here.
    const std::optional<Error>& cut() const { return cut_; }

    std::size_t num_values() const { return nodes_.size(); }
    std::size_t num_text_bytes() const { return texts_.size(); }

    // ---- the documents: the values that are in no other ----

    std::size_t size() const { return roots_.size(); }
    YamlValue operator[](std::size_t i) const { return {*this, roots_[i]}; }

private:
    friend class YamlValue;
    friend class YamlPlace;

    // What is in a list or map follows it.
    struct Node {
        std::uint32_t begin;      // kText: in texts_; kAlias: the value that is meant
        std::uint32_t size : 30;  // kText: of the text; else of how many values it consists, itself too
        Kind kind : 2;
        std::uint32_t line;
        std::uint32_t column;
    };
    static_assert(sizeof(Node) == 16);

    bool is_key_of(std::uint32_t parent, std::uint32_t value) const;
    std::optional<std::size_t> behind_entries(std::uint32_t parent, std::size_t end) const;
    std::size_t num_to_keep(const std::vector<std::uint32_t>& open) const;
    std::uint32_t add(Kind kind, std::size_t begin, std::size_t size, int line, int column);
    std::uint32_t after(std::uint32_t id) const;

    std::deque<Node> nodes_;  // a deque grows without a copy
    std::string texts_;
    std::deque<std::uint32_t> roots_;
    std::optional<Error> cut_;
    std::size_t num_open_ = 0;
};

// Between the values in a list or map.
class YamlPlace {
public:
    YamlPlace(const YamlDocuments& all, std::uint32_t id) : all_(&all), id_(id) {}
    bool operator!=(const YamlPlace& other) const { return id_ != other.id_; }
    YamlValue value() const { return {*all_, id_}; }
    YamlPlace next() const { return {*all_, all_->after(id_)}; }

private:
    const YamlDocuments* all_;
    std::uint32_t id_;
};

// To be used in a range-based for.
template <class Iterator>
class YamlRange {
public:
    YamlRange(YamlPlace begin, YamlPlace end) : begin_{begin}, end_{end} {}
    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }
    bool empty() const { return !(begin_ != end_); }

private:
    Iterator begin_;
    Iterator end_;
};

struct YamlItemIterator {
    YamlPlace at;
    YamlValue operator*() const { return at.value(); }
    void operator++() { at = at.next(); }
    bool operator!=(const YamlItemIterator& other) const { return at != other.at; }
};

struct YamlFieldIterator {
    YamlPlace at;
    YamlField operator*() const { return {at.value().text(), at.next().value()}; }
    void operator++() { at = at.next().next(); }
    bool operator!=(const YamlFieldIterator& other) const { return at != other.at; }
};

class YamlItems : public YamlRange<YamlItemIterator> {
public:
    using YamlRange::YamlRange;
};

class YamlFields : public YamlRange<YamlFieldIterator> {
public:
    using YamlRange::YamlRange;
    YamlField front() const { return *begin(); }
};

// Parses all documents of a text; of one that is broken, what is whole (YamlDocuments::cut). Errors have
// line and column, and no file.
using YamlParser = std::function<Result<YamlDocuments>(std::string_view text)>;

}  // namespace hitopo

#endif
