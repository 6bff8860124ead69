// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a reader left out of a file of which it uses the rest.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_SKIPPED_H
#define OMPI_MCA_HITOPO_CORE_TEXT_SKIPPED_H

#include <cstddef>
#include <optional>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// Entries that cost only themselves: of a kind that is not known, cut off, or against the rules.
class Skipped {
public:
    static constexpr std::size_t kMaxKept = 8;  // a file of any size has few kinds

    // Its value names the entry or its kind. What was added with this value and message is told once.
    void add(Error error);
    void add(const Skipped& others);

    bool is_empty() const { return kept_.empty(); }
    // The first ones, as they were added.
    const std::vector<Error>& kept() const { return kept_; }

    std::size_t num_more() const { return num_more_; }

    // All of them as one kSkipped at the place of the first; its value names all of one message.
    std::optional<Error> as_one() const;

private:
    std::vector<Error> kept_;
    std::size_t num_more_ = 0;
};

}  // namespace hitopo

#endif
