// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/kinds.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr int kMaxDepth = 4;

// A given name is no made one.
constexpr std::uint64_t kMade = 0, kGiven = 1;

bool starts_with(std::string_view text, std::string_view begin) {
    return text.substr(0, begin.size()) == begin;
}

}  // namespace

std::string_view Kinds::way_of(std::string_view function) {
    for (const std::string_view prefix : {"MPIX_", "MPI_", "Comm_"}) {
        function.remove_prefix(starts_with(function, prefix) ? prefix.size() : 0);
    }
    return starts_with(function, "dup") || starts_with(function, "idup") ? kDuplicate : function;
}

Kind& Kinds::made(std::string_view way, Kind* parent, int size, int remote_size) {
    const bool is_duplicate = way == kDuplicate;
    if (parent != nullptr && is_duplicate && parent->is_duplicate) {
        ++parent->num_made;
        return *parent;
    }
    std::string name(way);
    int depth = 0;
    if (parent != nullptr) {
        name.append(" of ").append(parent->depth >= kMaxDepth ? ".." : parent->name);
        depth = std::min(parent->depth + 1, kMaxDepth);
    }
    Kind& kind = find(kMade, name, size, remote_size, is_duplicate, depth);
    ++kind.num_made;
    return kind;
}

Kind& Kinds::named(std::string_view name, int size, int remote_size) {
    return find(kGiven, name, size, remote_size, false, 0);
}

Kind& Kinds::find(std::uint64_t origin, std::string_view name, int size, int remote_size,
                  bool is_duplicate, int depth) {
    if (remote_size != 0 && remote_size < size) {
        std::swap(size, remote_size);  // both sides of an intercommunicator share a kind
    }
    const std::uint64_t key =
        combine(combine(hash_bytes(name), origin),
                static_cast<std::uint64_t>(size) << 32 | static_cast<std::uint32_t>(remote_size));
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto known = by_key_.find(key);
    Kind* kind = known == by_key_.end() ? nullptr : known->second;
    if (kind == nullptr && kinds_.size() < max_kinds_) {
        kind = &kinds_.emplace_back(key, kinds_.size(), name, size, remote_size, is_duplicate, depth);
        by_key_.emplace(key, kind);
    }
    if (kind == nullptr && !has_others_) {
        kinds_.emplace_back(kGiven, kinds_.size(), "(others)", 0, 0, false, 0);
        has_others_ = true;
    }
    return kind == nullptr ? kinds_.back() : *kind;
}

std::string without_numbers(std::string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!is_digit(name[i])) {
            text += name[i];
        } else if (i == 0 || !is_digit(name[i - 1])) {
            text += '#';
        }
    }
    return text;
}

}  // namespace hitopo
