// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <climits>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

void Skipped::add(Error error) {
    const bool is_known_kind =
        error.code == Errc::kSkipped && std::any_of(kept_.begin(), kept_.end(), [&](const Error& known) {
            return known.code == error.code && known.value == error.value;
        });
    if (kept_.size() == kMaxKept || is_known_kind) {
        ++num_more_;
        return;
    }
    kept_.push_back(std::move(error));
}

std::optional<Error> Skipped::as_one(Errc code) const {
    if (kept_.empty()) {
        return std::nullopt;
    }
    std::vector<Error> entries = kept_;
    for (Error& entry : entries) {
        if (entry.value.size() > kMaxValueBytes) {
            entry.value.replace(kMaxValueBytes, std::string::npos, "..");
        }
    }
    Error all = std::move(entries.front());
    entries.erase(entries.begin());
    all.code = code;
    all.others = std::move(entries);
    all.num_more = static_cast<int>(std::min<std::size_t>(num_more_, INT_MAX));
    return all;
}

}  // namespace hitopo
