// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The small numbers by which one report calls communicators: in the order of first sight.
#ifndef PROFILER_GATHER_NUMBERING_H
#define PROFILER_GATHER_NUMBERING_H

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hitopo {

class Numbering {
public:
    struct Number {
        std::int32_t id;
        bool is_new;
    };
    Number of(std::uint64_t key) {
        const auto [entry, is_first] = ids_.emplace(key, static_cast<std::int32_t>(ids_.size()));
        if (is_first) {
            new_keys_.push_back(key);
        }
        return {entry->second, is_first};
    }

    // What was new since the last of these two calls stays, or never was.
    void keep() { new_keys_.clear(); }
    void take_back() {
        for (const std::uint64_t key : new_keys_) {
            ids_.erase(key);
        }
        new_keys_.clear();
    }

private:
    std::unordered_map<std::uint64_t, std::int32_t> ids_;
    std::vector<std::uint64_t> new_keys_;
};

}  // namespace hitopo

#endif
