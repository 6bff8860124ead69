// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Maps: plain text that sets any level of any process, by host name or by rank. docs/levels.md describes
// the format.
#ifndef OMPI_MCA_HITOPO_FILE_MAP_FILE_H
#define OMPI_MCA_HITOPO_FILE_MAP_FILE_H

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/include_stack.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// The process that asks.
struct MapProcess {
    std::string_view host;  // by the rule of is_same_host
    int rank = 0;
};

struct MapAnswer {
    RawAddress levels;                           // relative to each other (make_relative)
    std::array<std::string, kNumLevels> source;  // "path:line" of each value
    std::map<std::string, RawValue> side;        // side resources, by the type's URI
    std::optional<Error> skipped;                // entries left out of the file, as kSkipped
    bool names_host = false;                     // a line or entry is of this host
    std::string first_hosts;                     // the first list of hosts, as the file has it
};

// Reads the map at `path` to its end and answers its values for `process`: none is no error. A line that
// is wrong costs itself. Errors, where no line can be read or a limit is broken, have file, line and
// column (an unreadable first file: none).
Result<MapAnswer> read_map(const std::string& path, const MapProcess& process, const MapReader& reader);

// ---- map_words.cc: the words of one line, with quotes and comments, and the line that is a shape ----

struct MapWord {
    std::string text;        // without its quotes
    int column = 0;          // where it begins in the line, 1-based
    bool is_quoted = false;  // wholly or in part

    // The column of text[offset]; the word's own where quotes moved it.
    int column_of(std::size_t offset) const {
        return is_quoted ? column : column + static_cast<int>(offset);
    }

    // An error at the whole word.
    Error malformed(const char* message) const {
        return {Errc::kMalformed, text, message, "", 0, column};
    }
};

// Words stand between spaces and tabs; "..." keeps spaces and '#', a backslash in quotes takes the
// next character as it is; '#' at a word's start begins a comment. kMalformed with the column: an
// open quote, a zero byte.
Result<std::vector<MapWord>> split_map_words(std::string_view line);

// A regular job in one line: "shape island:2 switch:2 node:2 ranks:4".
class MapShape {
public:
    // `words` without the first, "shape". Errors have the column.
    static Result<MapShape> parse(const std::vector<MapWord>& words);

    // Ranks fill the innermost first. Levels down to the node are named by their place ("i0",
    // "i0s1", "i0s1n0"), those inside it by their number. Empty for ranks beyond the shape.
    RawAddress address_of(int rank) const;

private:
    struct Count {
        Level level;
        int count;
    };

    std::vector<Count> counts_;  // outermost first
    int size_ = 1;               // ranks in all
};

}  // namespace hitopo

#endif
