// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/contest.h"

#include <algorithm>

namespace hitopo {

bool has_precedence(const Candidate& a, const Candidate& b, const Names& names) {
    return a.priority != b.priority
               ? a.priority > b.priority
               : names.component_name(a.component) < names.component_name(b.component);
}

void Contest::add(const Candidate& candidate, std::uint32_t rank, std::uint32_t num_processes) {
    const auto known =
        std::find_if(contenders_.begin(), contenders_.end(), [&](const Contender& contender) {
            return !contender.is_apart && contender.candidate.component == candidate.component;
        });
    if (known == contenders_.end()) {
        contenders_.push_back({candidate, rank, num_processes, std::nullopt, false});
        return;
    }
    known->num_processes += num_processes;
    if (!known->other_rank && known->candidate.value != candidate.value) {
        known->other_rank = rank;
    }
}

void Contest::add_apart(const Candidate& candidate, std::uint32_t num_processes) {
    contenders_.push_back({candidate, 0, num_processes, std::nullopt, true});
}

const Contender* Contest::winner() const {
    const auto best =
        std::min_element(contenders_.begin(), contenders_.end(),
                         [this](const Contender& a, const Contender& b) { return is_better(a, b); });
    return best == contenders_.end() ? nullptr : &*best;
}

bool Contest::is_better(const Contender& a, const Contender& b) const {
    const Candidate& x = a.candidate;
    const Candidate& y = b.candidate;
    if (forced_ != 0 && (x.component == forced_) != (y.component == forced_)) {
        return x.component == forced_;
    }
    const bool is_a_majority = 2 * a.num_processes > num_processes_;
    const bool is_b_majority = 2 * b.num_processes > num_processes_;
    if (is_a_majority != is_b_majority) {
        return is_a_majority;
    }
    if (!is_a_majority && a.num_processes != b.num_processes) {
        return a.num_processes > b.num_processes;
    }
    return has_precedence(x, y, *names_);
}

}  // namespace hitopo
