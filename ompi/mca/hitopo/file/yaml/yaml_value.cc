// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

#include <utility>

namespace hitopo {
namespace {

constexpr std::uint32_t kMaxSize = ~0U >> 2;  // far more than any file has

}  // namespace

// ---- building ----

std::uint32_t YamlDocuments::add(Kind kind, std::size_t begin, std::size_t size, int line, int column) {
    const auto id = static_cast<std::uint32_t>(nodes_.size());
    if (num_open_ == 0) {
        roots_.push_back(id);
    }
    Node& node = nodes_.emplace_back();
    node.begin = static_cast<std::uint32_t>(begin);
    node.size = static_cast<std::uint32_t>(size) & kMaxSize;
    node.kind = kind;
    node.line = static_cast<std::uint32_t>(line);
    node.column = static_cast<std::uint32_t>(column);
    return id;
}

std::uint32_t YamlDocuments::add_text(std::string_view text, int line, int column) {
    texts_ += text;
    return add(Kind::kText, texts_.size() - text.size(), text.size(), line, column);
}

std::uint32_t YamlDocuments::add_alias(std::uint32_t target, int line, int column) {
    return add(Kind::kAlias, target, 1, line, column);
}

std::uint32_t YamlDocuments::begin(Kind kind, int line, int column) {
    const std::uint32_t id = add(kind, 0, 1, line, column);
    ++num_open_;
    return id;
}

void YamlDocuments::end(std::uint32_t id) {
    nodes_[id].size = static_cast<std::uint32_t>(nodes_.size() - id) & kMaxSize;
    --num_open_;
}

// Looks at the whole values of `parent` that begin before `end`. Returns the index behind the last that
// stays, where some of them hold entries. Of a map's, a key without its value does not stay.
std::optional<std::size_t> YamlDocuments::behind_entries(std::uint32_t parent, std::size_t end) const {
    const bool is_map = nodes_[parent].kind == Kind::kMap;
    bool has_entries = false;
    bool is_key = is_map;
    std::size_t behind = parent + std::size_t{1};
    for (std::uint32_t child = parent + 1; child < end; child = after(child)) {
        const Kind kind = nodes_[child].kind;
        has_entries = has_entries || (is_map ? kind != Kind::kText && kind != Kind::kAlias &&
                                                   behind_entries(child, after(child)).has_value()
                                             : kind == Kind::kMap);
        behind = is_key ? behind : after(child);
        is_key = is_map && !is_key;
    }
    return has_entries ? std::optional(behind) : std::nullopt;
}

std::size_t YamlDocuments::num_to_keep(const std::vector<std::uint32_t>& open) const {
    std::size_t end = nodes_.size();
    for (auto parent = open.rbegin(); parent != open.rend(); ++parent) {
        if (const std::optional<std::size_t> behind = behind_entries(*parent, end)) {
            return *behind;
        }
        end = *parent;
    }
    return open.front();
}

void YamlDocuments::cut_off(const std::vector<std::uint32_t>& open, Error why) {
    const int why_line = why.line;
    const int why_column = why.column;
    cut_ = std::move(why);
    if (open.empty()) {
        return;
    }
    const std::size_t num_kept = num_to_keep(open);
    nodes_.erase(nodes_.begin() + static_cast<std::ptrdiff_t>(num_kept), nodes_.end());
    if (num_kept == open.front()) {
        roots_.pop_back();
    }
    for (std::size_t i = open.size(); i > 0; --i) {
        const bool is_kept = open[i - 1] < num_kept;
        if (!is_kept) {
            continue;
        }
        nodes_[open[i - 1]].size = static_cast<std::uint32_t>(nodes_.size() - open[i - 1]) & kMaxSize;
        if (i > 1 && is_key_of(open[i - 2], open[i - 1])) {
            (void)add_text("", why_line, why_column);
        }
    }
    num_open_ = 0;
}

// Every second value of a map is a key.
bool YamlDocuments::is_key_of(std::uint32_t parent, std::uint32_t value) const {
    bool is_key = nodes_[parent].kind == Kind::kMap;
    for (std::uint32_t child = parent + 1; is_key && child < value; child = after(after(child))) {
        is_key = after(child) != value;
    }
    return is_key;
}

std::uint32_t YamlDocuments::after(std::uint32_t id) const {
    const Node& node = nodes_[id];
    return id + (node.kind == Kind::kText ? 1 : node.size);
}

// ---- values ----

YamlValue::YamlValue(const YamlDocuments& all, std::uint32_t id) : all_(&all), id_(id) {
    if (all.nodes_[id].kind == YamlDocuments::Kind::kAlias) {
        id_ = all.nodes_[id].begin;
    }
}

bool YamlValue::is_list() const { return all_->nodes_[id_].kind == YamlDocuments::Kind::kList; }

bool YamlValue::is_map() const { return all_->nodes_[id_].kind == YamlDocuments::Kind::kMap; }

std::string_view YamlValue::text() const {
    const YamlDocuments::Node& node = all_->nodes_[id_];
    return node.kind == YamlDocuments::Kind::kText
               ? std::string_view(all_->texts_).substr(node.begin, node.size)
               : std::string_view();
}

int YamlValue::line() const { return static_cast<int>(all_->nodes_[id_].line); }

int YamlValue::column() const { return static_cast<int>(all_->nodes_[id_].column); }

YamlItems YamlValue::items() const {
    const std::uint32_t end = all_->after(id_);
    return {{*all_, is_list() ? id_ + 1 : end}, {*all_, end}};
}

YamlFields YamlValue::fields() const {
    const std::uint32_t end = all_->after(id_);
    return {{*all_, is_map() ? id_ + 1 : end}, {*all_, end}};
}

std::optional<YamlValue> YamlValue::find(std::string_view key) const {
    for (const YamlField& field : fields()) {
        if (field.key == key) {
            return field.value;
        }
    }
    return std::nullopt;
}

std::string_view YamlValue::text_of(std::string_view key) const {
    const std::optional<YamlValue> value = find(key);
    return value ? value->text() : std::string_view();
}

}  // namespace hitopo
