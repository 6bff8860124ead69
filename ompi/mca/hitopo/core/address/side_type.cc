// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/side_type.h"

#include <algorithm>
#include <array>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxUri = 64;
constexpr std::string_view kSeparator = "://";
constexpr std::array<std::string_view, 4> kTakenSchemes = {"hwloc", "hitopo", "mpi", "slurm"};

bool is_word(std::string_view word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
        return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.' || c == '_';
    });
}

}  // namespace

bool is_side_type(std::string_view uri) {
    const std::size_t end = uri.find(kSeparator);
    if (uri.size() > kMaxUri || end == std::string_view::npos) {
        return false;
    }
    const std::string_view scheme = uri.substr(0, end);
    const bool is_taken =
        std::any_of(kTakenSchemes.begin(), kTakenSchemes.end(),
                    [&](std::string_view taken) { return equals_ignoring_case(taken, scheme); });
    return !is_taken && is_word(scheme) && is_word(uri.substr(end + kSeparator.size()));
}

}  // namespace hitopo
