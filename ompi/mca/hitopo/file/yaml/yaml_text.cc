// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/file/yaml/yaml_text.h"

#include <algorithm>
#include <string_view>

#include "ompi/mca/hitopo/core/text/safe_text.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxTags = 64;
constexpr std::string_view kTag = "%TAG";

Error too_large(std::string_view value, const std::string& message) {
    return {Errc::kTooLarge, std::string(value), message, "", 1, 1};
}

// The length of a character of UTF-8, by its first byte; 1 where the byte begins none.
std::size_t size_of_character(unsigned char first) {
    return first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
}

// Where a character begins that is cut off; the text's size: nowhere.
std::size_t find_cut_character(std::string_view text) {
    constexpr std::size_t kMaxBefore = 3;
    for (std::size_t i = 1; i <= std::min(kMaxBefore, text.size()); ++i) {
        if (size_of_character(static_cast<unsigned char>(text[text.size() - i])) > i) {
            return text.size() - i;
        }
    }
    return text.size();
}

// Names apart stay apart.
std::string without_bad_bytes(std::string_view text) {
    std::string readable;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n\r\t"), text.size());
        readable += safe(text.substr(0, end), Charset::kUtf8);
        readable += text.substr(end, 1);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return readable;
}

}  // namespace

void YamlText::make_readable() {
    const bool is_end = piece_.empty();
    if (num_bytes_ == piece_.size()) {  // it is the text's begin
        piece_.erase(0, piece_.size() - without_byte_order_mark(piece_).size());
    }
    piece_.insert(0, held_);
    held_.clear();
    if (!is_end) {
        const std::size_t cut = find_cut_character(piece_);
        held_ = piece_.substr(cut);
        piece_.resize(cut);
    }
    piece_ = without_bad_bytes(piece_);
}

bool YamlText::has_many_tags() {
    const std::string seen = last_ + piece_;
    for (std::size_t at = seen.find(kTag, 1); at != seen.npos; at = seen.find(kTag, at + 1)) {
        num_tags_ += seen[at - 1] == '\n' || seen[at - 1] == '\r' ? 1 : 0;
    }
    last_ = seen.substr(seen.size() - std::min(kTag.size(), seen.size()));
    return num_tags_ > kMaxTags;
}

// Whether there is more.
bool YamlText::fetch() {
    Result<std::string> piece = source_();
    if (!piece) {
        error_ = piece.error();
        return false;
    }
    const bool is_end = piece->empty();
    num_bytes_ += piece->size();
    piece_ = std::move(*piece);
    num_read_ = 0;
    if (makes_readable_) {
        make_readable();
    }
    if (num_bytes_ > kMaxYamlBytes) {
        error_ = too_large("bytes", "it is larger than 1 GiB; " + std::string(kWriteLess));
    } else if (has_many_tags()) {
        error_ = too_large(kTag, "a file has at most 64 %TAG lines; use fewer");
    }
    return !error_ && !(is_end && piece_.empty());
}

std::size_t YamlText::read(unsigned char* bytes, std::size_t size) {
    while (num_read_ == piece_.size()) {
        if (error_ || !fetch()) {
            return 0;
        }
    }
    const std::size_t num_bytes = std::min(size, piece_.size() - num_read_);
    std::copy_n(piece_.begin() + static_cast<std::ptrdiff_t>(num_read_), num_bytes, bytes);
    num_read_ += num_bytes;
    return num_bytes;
}

}  // namespace hitopo
