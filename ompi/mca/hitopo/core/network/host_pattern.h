// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Host name patterns, which find the rack and the chassis in a site's host names.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_HOST_PATTERN_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_HOST_PATTERN_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// One piece of a pattern: text, "*", or a field.
struct PatternPiece {
    enum Kind { kText, kAnything, kDigits, kLetters, kWord };

    Kind kind = kText;
    std::string text;           // of kText
    Level level = kNode;        // of a field
    std::size_t num_chars = 0;  // of a kDigits field: exactly so many; 0: one or more
    std::size_t offset = 0;     // in the list of patterns
};

class HostPattern {
public:
    static constexpr std::size_t kMaxBytes = 1024;     // of a list of patterns
    static constexpr std::size_t kMaxHostBytes = 255;  // longer host names match nothing

    // "PATTERN,PATTERN,..": the first that matches counts; blanks around a pattern do not. also: ASCII
    // characters that the names have besides those of hosts; a pattern with others would never match.
    // Errors have the column in `text`; kTooLarge over kMaxBytes.
    static Result<HostPattern> parse(std::string_view text, std::string_view also = "");

    // The cluster, island and switch in the name `host`, relative to each other; empty if no pattern
    // matches the whole name. A full host name is also tried in its short form.
    //
    // A value's name is the field with the text before it, as people say it: "r{island}i{switch}n*"
    // makes of r1i3n7 the island "r1" and the switch "i3" in "r1".
    std::optional<RawAddress> match(std::string_view host) const;

private:
    using Pieces = std::vector<PatternPiece>;
    explicit HostPattern(std::vector<Pieces> patterns) : patterns_(std::move(patterns)) {}

    std::vector<Pieces> patterns_;
};

}  // namespace hitopo

#endif
