// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Splits as text: what tests compare and people read.
#ifndef TEST_MPI_ORACLE_SPLIT_TEXT_H
#define TEST_MPI_ORACLE_SPLIT_TEXT_H

#include <map>
#include <string>
#include <vector>

#include "test/mpi/oracle/split_oracle.h"

namespace split_oracle {

inline std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

// "hitopo://Node=true hwloc://Core=false"
inline std::string to_text(const std::map<std::string, std::string>& values) {
    std::vector<std::string> words;
    for (const auto& [key, value] : values) {
        words.push_back(key + '=' + value);
    }
    return joined(words);
}

// "{0,1,2}"; "NULL" where there is none.
inline std::string to_text(const Ranks& ranks) {
    std::string text;
    for (const int rank : ranks) {
        text += (text.empty() ? "{" : ",") + std::to_string(rank);
    }
    return text.empty() ? "NULL" : text + '}';
}

// "{0,1} hwloc://Package, {3} hwloc://PU"; "none".
inline std::string to_text(const Split& split) {
    std::string text;
    for (const Group& group : split) {
        text += (text.empty() ? "" : ", ") + to_text(group.members) + ' ' + group.uri;
    }
    return text.empty() ? "none" : text;
}

// "{0,1} hwloc://Package roots {0,2}, {0} hwloc://PU roots NULL"; "none".
inline std::string to_text(const std::vector<Step>& steps) {
    std::string text;
    for (const Step& step : steps) {
        text += (text.empty() ? "" : ", ") + to_text(step.members) + ' ' + step.type + " roots " +
                to_text(step.roots);
    }
    return text.empty() ? "none" : text;
}

}  // namespace split_oracle

#endif
