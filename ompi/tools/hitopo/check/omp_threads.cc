// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/check/omp_threads.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {
namespace {

std::optional<int> read_positive(std::string_view text) {
    const std::string_view word = trim(text);
    int number = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_whole = failure == std::errc() && end == word.data() + word.size();
    return is_whole && number > 0 ? std::optional<int>(number) : std::nullopt;
}

// " 8 , 2": positive numbers, the outermost region's first.
std::optional<int> read_first(std::string_view list) {
    std::optional<int> first;
    for (const std::string_view item : split(list, ',')) {
        const std::optional<int> number = read_positive(item);
        if (!number) {
            return std::nullopt;
        }
        first = first ? first : number;
    }
    return first;
}

bool is_true(const char* text) {
    constexpr std::string_view kTrue = "true";
    const std::string_view word = trim(text != nullptr ? text : "");
    return word.size() == kTrue.size() &&
           std::equal(word.begin(), word.end(), kTrue.begin(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

}  // namespace

int omp_threads(const OmpVariables& variables) {
    if (variables.num_threads == nullptr || is_true(variables.dynamic)) {
        return 0;
    }
    const int threads = read_first(variables.num_threads).value_or(0);
    const char* limit = variables.thread_limit;
    return std::min(threads, limit != nullptr ? read_positive(limit).value_or(threads) : threads);
}

}  // namespace hitopo::tool
