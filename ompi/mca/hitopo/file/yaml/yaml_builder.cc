// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/yaml_builder.h"

#include <utility>

#include "ompi/mca/hitopo/file/yaml/text_source.h"

namespace hitopo {
namespace {

using MaybeError = std::optional<Error>;

constexpr std::size_t kMaxValues = 1000000;
constexpr std::size_t kMinBytesOfValue = 4;
constexpr std::size_t kNumFreeValues = 1024;  // of any text
constexpr std::size_t kMaxTextBytes = std::size_t{32} << 20;
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxAnchors = 256;

Error error_at(const TextPlace& place, Errc code, std::string_view value, std::string message) {
    return {code, std::string(value), std::move(message), "", place.line, place.column};
}

}  // namespace

MaybeError YamlBuilder::count(const TextPlace& place, std::size_t num_values) {
    num_values_ += num_values;
    const std::size_t max_written = place.num_bytes / kMinBytesOfValue + kNumFreeValues;
    if (num_values_ <= kMaxValues && documents_.num_values() <= max_written &&
        documents_.num_text_bytes() <= kMaxTextBytes) {
        return std::nullopt;
    }
    return error_at(place, Errc::kTooLarge, "values",
                    "a file has at most a million values, with each repetition by an alias, at most one "
                    "for each four bytes, and 32 MiB of text; " +
                        std::string(kWriteLess));
}

MaybeError YamlBuilder::remember(std::string_view anchor, const TextPlace& place) {
    if (anchor.empty() || ++num_anchors_ <= kMaxAnchors) {
        return std::nullopt;
    }
    return error_at(place, Errc::kTooLarge, anchor, "a file has at most 256 anchors; use fewer");
}

// What comes next in a map is of the other kind. A value that is skipped ends with all that is in it.
void YamlBuilder::end_value() {
    if (num_skipped_open_ > 0) {
        return;
    }
    is_skipping_ = false;
    if (!open_.empty()) {
        open_.back().is_at_key = open_.back().is_map && !open_.back().is_at_key;
    }
}

bool YamlBuilder::is_key_of_unwanted(std::string_view key) {
    if (open_.empty() || !open_.back().is_at_key) {
        return false;
    }
    Open& map = open_.back();
    map.key = key;
    const bool is_first = !std::exchange(map.has_fields, true);
    return !(is_first && map.under == "labels") && !is_wanted_(map.under, key);
}

MaybeError YamlBuilder::take_text(std::string_view text, std::string_view anchor,
                                  const TextPlace& place) {
    if (is_skipping_) {
        end_value();
        return remember(anchor, place);
    }
    const bool begins_skipping = is_key_of_unwanted(text);
    if (!begins_skipping) {
        const std::uint32_t id = documents_.add_text(text, place.line, place.column);
        if (!anchor.empty()) {
            anchors_[std::string(anchor)] = {id, 1};
        }
    }
    end_value();
    is_skipping_ = begins_skipping;
    const MaybeError error = remember(anchor, place);
    return error || begins_skipping ? error : count(place, 1);
}

MaybeError YamlBuilder::take_alias(const std::string& name, const TextPlace& place) {
    const auto anchored = anchors_.find(name);
    if (!is_skipping_ && anchored == anchors_.end()) {
        return error_at(place, Errc::kMalformed, '*' + name,
                        "no earlier value has this anchor; correct the name");
    }
    if (is_skipping_) {
        end_value();
        return std::nullopt;
    }
    documents_.add_alias(anchored->second.id, place.line, place.column);
    end_value();
    return count(place, anchored->second.num_values);
}

MaybeError YamlBuilder::open(Kind kind, std::string_view anchor, const TextPlace& place) {
    if (open_.size() + num_skipped_open_ >= kMaxDepth) {
        return error_at(place, Errc::kTooLarge, "nesting",
                        "lists and maps are nested at most 64 deep; use fewer levels");
    }
    if (is_skipping_) {
        ++num_skipped_open_;
        return remember(anchor, place);
    }
    const std::uint32_t id = documents_.begin(kind, place.line, place.column);
    const bool is_map = kind == Kind::kMap;
    std::string under = open_.empty() || open_.back().is_at_key ? "" : open_.back().key;
    open_.push_back({id, num_values_, std::string(anchor), std::move(under), is_map, is_map});
    const MaybeError error = remember(anchor, place);
    return error ? error : count(place, 1);
}

void YamlBuilder::close() {
    if (num_skipped_open_ > 0) {
        --num_skipped_open_;
    } else {
        const Open& last = open_.back();
        documents_.end(last.id);
        if (!last.anchor.empty()) {
            anchors_[last.anchor] = {last.id, num_values_ - last.num_before};
        }
        open_.pop_back();
    }
    end_value();
}

std::optional<YamlDocuments> YamlBuilder::documents_before(const Error& problem) {
    std::vector<std::uint32_t> open;
    for (const Open& each : open_) {
        open.push_back(each.id);
    }
    documents_.cut_off(open, problem);
    return documents_.size() == 0 ? std::nullopt : std::optional(std::move(documents_));
}

}  // namespace hitopo
