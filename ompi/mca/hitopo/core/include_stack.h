// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The files that are being read where files include others.
#ifndef OMPI_MCA_HITOPO_CORE_INCLUDE_STACK_H
#define OMPI_MCA_HITOPO_CORE_INCLUDE_STACK_H

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/result.h"

namespace hitopo {

// Gives a file's bytes; kUnreadable, or kTooLarge if there are more than `max_bytes`.
using MapReader = std::function<Result<std::string>(const std::string& path, std::size_t max_bytes)>;

inline constexpr std::size_t kMaxMapBytes = 16 << 20;  // a file and all that it includes
inline constexpr int kMaxMapFiles = 1000;              // an included file counts each time
inline constexpr int kMaxMapDepth = 16;                // includes inside includes

class IncludeStack {
public:
    explicit IncludeStack(const MapReader& reader) : reader_(reader) {}

    // Reads `path` and puts it on top; kTooLarge beyond kMaxMapBytes in all. An error has no position.
    Result<std::string> open(const std::string& path);
    void close() { open_.pop_back(); }

    // The path of the innermost open file.
    const std::string& top() const { return open_.back(); }

    // The path to open for `included`, which the innermost file names: relative to that file's folder.
    // kMalformed where it is open already, kTooLarge beyond the other limits. An error has no position.
    Result<std::string> resolve(std::string_view included) const;

private:
    const MapReader& reader_;
    std::vector<std::string> open_;  // outermost first
    std::size_t num_bytes_ = 0;      // read so far
    int num_files_ = 0;
};

}  // namespace hitopo

#endif
