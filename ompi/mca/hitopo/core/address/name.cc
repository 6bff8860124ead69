// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/name.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

int sign(bool is_less) { return is_less ? -1 : 1; }

}  // namespace

Name Name::number(std::uint64_t value) {
    Name name;
    name.is_number_ = true;
    name.number_ = value;
    return name;
}

std::string Name::to_string() const { return is_number_ ? std::to_string(number_) : text_; }

int compare(const Name& a, const Name& b) {
    if (a.is_number() != b.is_number()) {
        return sign(a.is_number());
    }
    if (!a.is_number()) {
        return compare_natural(a.text(), b.text());
    }
    return a.number() == b.number() ? 0 : sign(a.number() < b.number());
}

int compare(const RawValue& a, const RawValue& b) {
    const std::size_t common = std::min(a.path.size(), b.path.size());
    for (std::size_t i = 0; i < common; ++i) {
        if (const int order = compare(a.path[i], b.path[i])) {
            return order;
        }
    }
    return a.path.size() == b.path.size() ? 0 : sign(a.path.size() < b.path.size());
}

std::string RawValue::to_string() const {
    std::string text;
    for (const Name& name : path) {
        const std::string word = name.to_string();
        text += text.empty() || word.empty() ? "" : "/";
        text += word;
    }
    return text;
}

std::uint64_t hash_bytes(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char byte : bytes) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
    }
    return hash != 0 ? hash : 1;  // 0 means "nothing" in records
}

std::uint64_t hash_of(const RawValue& value) {
    ByteWriter writer;
    writer.put(value);
    return hash_bytes(writer.bytes());
}

void make_relative(RawAddress& address) {
    std::vector<Name> path;  // from the first level with a value
    for (std::optional<RawValue>& value : address) {
        if (value) {
            path.insert(path.end(), value->path.begin(), value->path.end());
            value->path = path;
        } else if (!path.empty()) {
            path.emplace_back("");
        }
    }
}

}  // namespace hitopo
