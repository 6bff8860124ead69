// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Distinct texts, numbered densely in the order of first sight.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_DISTINCT_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_DISTINCT_H

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace hitopo {

class Distinct {
public:
    Distinct() = default;
    Distinct(Distinct&&) = default;
    Distinct& operator=(Distinct&&) = default;

    // size() before the call if the text is new.
    std::uint32_t number_of(std::string_view text) {
        const auto known = numbers_.find(text);
        if (known != numbers_.end()) {
            return known->second;
        }
        const auto number = static_cast<std::uint32_t>(texts_.size());
        numbers_.emplace(texts_.emplace_back(text), number);
        return number;
    }

    const std::string& operator[](std::size_t number) const { return texts_[number]; }
    std::size_t size() const { return texts_.size(); }
    auto begin() const { return texts_.begin(); }
    auto end() const { return texts_.end(); }

private:
    std::deque<std::string> texts_;  // which stay where they are
    std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace hitopo

#endif
