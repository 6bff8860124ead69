// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The files that are being read where files include others.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_INCLUDE_STACK_H
#define OMPI_MCA_HITOPO_CORE_TEXT_INCLUDE_STACK_H

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// Gives a file's bytes; kUnreadable, or kTooLarge if there are more than `max_bytes`.
using MapReader = std::function<Result<std::string>(const std::string& path, std::size_t max_bytes)>;

inline constexpr std::size_t kMaxMapBytes = 16 << 20;  // a file and all that it includes
inline constexpr int kMaxMapFiles = 1000;              // an included file counts each time
inline constexpr int kMaxMapDepth = 16;                // includes inside includes

// Reads a line, or several that belong together, at the begin of `rest`, and takes them off it.
// number: of the first. Its error costs the line, unless it is kTooLarge: then nothing may be read any
// more.
using LineReader = std::function<std::optional<Error>(std::string_view& rest, int number)>;

class IncludeStack {
public:
    IncludeStack(const MapReader& reader, LineReader read_line)
        : reader_(reader), read_line_(std::move(read_line)) {}

    // Reads `path` and its lines; kTooLarge beyond kMaxMapBytes in all. That error and the reader's have
    // no position, those of lines have.
    std::optional<Error> walk_file(const std::string& path);

    // Likewise the file that the innermost one names `included` at `column`: relative to that file's
    // folder. kMalformed where it is open already, kTooLarge beyond the other limits. Errors but those
    // of a line of the included file have that column, and no line.
    std::optional<Error> include(std::string_view included, int column);

    // The path of the innermost open file.
    const std::string& top() const { return open_.back(); }

    // The errors of lines.
    Skipped& skipped() { return skipped_; }

private:
    std::optional<Error> walk_lines(std::string_view rest);
    Result<std::string> open(const std::string& path);
    Result<std::string> resolve(std::string_view included) const;

    const MapReader& reader_;
    LineReader read_line_;
    Skipped skipped_;
    std::vector<std::string> open_;  // outermost first
    std::size_t num_bytes_ = 0;      // read so far
    int num_files_ = 0;
};

}  // namespace hitopo

#endif
