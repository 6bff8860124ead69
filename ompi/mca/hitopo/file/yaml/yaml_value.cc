// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/yaml_value.h"

#include <algorithm>
#include <iterator>

namespace hitopo {
namespace {

constexpr std::size_t kMaxValues = 4000000;
constexpr std::size_t kMaxDepth = 64;

const std::vector<YamlValue> kNone;

// What lists of Kubernetes' nodes and of Google's instances consist of.
bool is_unwanted(std::string_view parent, std::string_view key) {
    constexpr std::string_view kKeys[] = {"spec",  "status",          "managedFields",
                                          "disks", "serviceAccounts", "networkInterfaces"};
    return parent != "labels" && parent != "annotations" &&
           std::find(std::begin(kKeys), std::end(kKeys), key) != std::end(kKeys);
}

}  // namespace

const std::vector<YamlValue>& YamlValue::items() const { return is_list() ? values : kNone; }

const std::vector<YamlValue>& YamlValue::fields() const { return is_map() ? values : kNone; }

const YamlValue* YamlValue::find(std::string_view wanted) const {
    const auto field = std::find_if(fields().begin(), fields().end(),
                                    [wanted](const YamlValue& each) { return each.key == wanted; });
    return field == fields().end() ? nullptr : &*field;
}

std::string_view YamlValue::text_of(std::string_view wanted) const {
    const YamlValue* value = find(wanted);
    return value != nullptr ? std::string_view(value->text) : std::string_view();
}

std::optional<Error> YamlBuilder::count(const YamlValue& value) {
    if (++num_values_ <= kMaxValues) {
        return std::nullopt;
    }
    return Error{Errc::kTooLarge,
                 "values",
                 "HiTopo reads at most four million values of a file; " + std::string(kWriteLess),
                 "",
                 value.line,
                 value.column};
}

void YamlBuilder::add(YamlValue value, std::size_t num_before) {
    if (open_.empty()) {
        documents_.push_back(std::move(value));
        return;
    }
    Open& in = open_.back();
    if (in.value.is_map() && !in.key) {
        in.key = std::move(value.text);
        return;
    }
    if (in.value.is_map()) {
        value.key = *std::exchange(in.key, std::nullopt);
        if (is_unwanted(in.value.key, value.key)) {
            num_values_ = num_before;
            return;
        }
    }
    in.value.values.push_back(std::move(value));
}

std::optional<Error> YamlBuilder::add_text(std::string_view text, int line, int column) {
    YamlValue value = {YamlValue::Kind::kText, line, column, "", std::string(text), {}};
    std::optional<Error> error = count(value);
    add(std::move(value), num_values_ - 1);
    return error;
}

std::optional<Error> YamlBuilder::open(YamlValue::Kind kind, int line, int column) {
    if (open_.size() >= kMaxDepth) {
        return Error{Errc::kTooLarge,
                     "nesting",
                     "lists and maps are nested at most 64 deep; use fewer levels",
                     "",
                     line,
                     column};
    }
    const std::string key = open_.empty() ? "" : open_.back().key.value_or("");
    open_.push_back({{kind, line, column, key, "", {}}, std::nullopt, num_values_});
    return count(open_.back().value);
}

void YamlBuilder::close() {
    Open last = std::move(open_.back());
    open_.pop_back();
    add(std::move(last.value), last.num_before);
}

}  // namespace hitopo
