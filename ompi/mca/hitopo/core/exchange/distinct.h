// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Distinct texts, numbered densely in the order of first sight.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_DISTINCT_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_DISTINCT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

// Texts: what keeps them, with emplace_back, size and [].
template <class Texts>
class DistinctIn {
public:
    // size() before the call if the text is new.
    std::uint32_t number_of(std::string_view text) {
        for (std::uint64_t hash = hash_bytes(text);; hash = combine(hash, 1)) {
            const std::uint32_t number = numbers_.number_of(hash);
            if (number == texts_.size()) {
                texts_.emplace_back(text);
            }
            if (texts_[number] == text) {
                return number;
            }
        }
    }

    decltype(auto) operator[](std::size_t number) const { return texts_[number]; }
    std::size_t size() const { return texts_.size(); }
    auto begin() const { return texts_.begin(); }
    auto end() const { return texts_.end(); }

private:
    Texts texts_;
    FlatMap numbers_;  // by hash
};

// Many short texts, one behind the other.
class Pieces {
public:
    void emplace_back(std::string_view piece) {
        bytes_ += piece;
        ends_.push_back(bytes_.size());
    }
    // Until the next is added.
    std::string_view operator[](std::size_t number) const {
        const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
        return std::string_view(bytes_).substr(begin, ends_[number] - begin);
    }
    std::size_t size() const { return ends_.size(); }

private:
    std::string bytes_;
    std::vector<std::size_t> ends_;
};

using Distinct = DistinctIn<std::vector<std::string>>;
using DistinctPieces = DistinctIn<Pieces>;

}  // namespace hitopo

#endif
