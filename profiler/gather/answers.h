// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Parts as they travel: those of several processes are their bytes one behind the other, and those of
// nobody none.
#ifndef PROFILER_GATHER_ANSWERS_H
#define PROFILER_GATHER_ANSWERS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

struct Answer {
    int rank = 0;
    std::string_view descriptions;  // of the communicators that the order calls new
    std::string_view traffic;
};

std::string encode(const Answer& answer);

// Views of the bytes. None where these are not such answers.
std::optional<std::vector<Answer>> decode_answers(std::string_view bytes);

}  // namespace hitopo

#endif
