// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {

void Skipped::add(Error error) {
    const bool is_known = std::any_of(kept_.begin(), kept_.end(), [&](const Error& known) {
        return known.value == error.value && known.message == error.message;
    });
    if (is_known) {
        return;
    }
    if (kept_.size() == kMaxKept) {
        ++num_more_;
        return;
    }
    kept_.push_back(std::move(error));
}

void Skipped::add(const Skipped& others) {
    for (const Error& error : others.kept_) {
        add(error);
    }
    num_more_ += others.num_more_;
}

std::optional<Error> Skipped::as_one() const {
    if (kept_.empty()) {
        return std::nullopt;
    }
    Error all = kept_.front();
    all.code = Errc::kSkipped;
    all.value.clear();
    std::size_t num_others = num_more_;
    for (const Error& error : kept_) {
        if (error.message == all.message) {
            add_item(all.value, ", ", error.value);
        } else {
            ++num_others;
        }
    }
    if (num_others > 0) {
        all.message += "; HiTopo ignored more entries, " + std::to_string(num_others) + " or more";
    }
    return all;
}

}  // namespace hitopo
