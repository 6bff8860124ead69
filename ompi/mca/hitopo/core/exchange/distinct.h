// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Distinct texts, numbered densely in the order of first sight.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_DISTINCT_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_DISTINCT_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

class Distinct {
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

    const std::string& operator[](std::size_t number) const { return texts_[number]; }
    std::size_t size() const { return texts_.size(); }
    auto begin() const { return texts_.begin(); }
    auto end() const { return texts_.end(); }

private:
    std::vector<std::string> texts_;
    FlatMap numbers_;  // by hash
};

}  // namespace hitopo

#endif
