// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Distinct sequences of numbers, each kept once, numbered densely in the order of first sight.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_SEQUENCES_H
#define OMPI_MCA_HITOPO_CORE_TREE_SEQUENCES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {

class Sequences {
public:
    // size() before the call if the sequence is new.
    std::uint32_t number_of(const std::vector<std::uint32_t>& sequence) {
        const std::string_view bytes(reinterpret_cast<const char*>(sequence.data()),
                                     sequence.size() * sizeof sequence[0]);
        for (std::uint64_t hash = hash_bytes(bytes);; hash = combine(hash, 1)) {
            const std::uint32_t number = hashes_.number_of(hash);
            if (number == size()) {
                members_.insert(members_.end(), sequence.begin(), sequence.end());
                ends_.push_back(static_cast<std::uint32_t>(members_.size()));
            }
            if (std::equal(sequence.begin(), sequence.end(), begin(number), end(number))) {
                return number;
            }
        }
    }

    std::size_t size() const { return ends_.size(); }
    std::size_t length(std::uint32_t number) const { return ends_[number] - start(number); }
    const std::uint32_t* begin(std::uint32_t number) const { return members_.data() + start(number); }
    const std::uint32_t* end(std::uint32_t number) const { return members_.data() + ends_[number]; }

    // Where it begins in all(): all sequences one behind the other.
    std::uint32_t start(std::uint32_t number) const { return number == 0 ? 0 : ends_[number - 1]; }
    const std::vector<std::uint32_t>& all() const { return members_; }
    std::vector<std::uint32_t> take_all() { return std::move(members_); }

private:
    FlatMap hashes_;
    std::vector<std::uint32_t> members_;
    std::vector<std::uint32_t> ends_;
};

}  // namespace hitopo

#endif
