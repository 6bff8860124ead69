// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The text of a YAML file, as libyaml can be given it.
#ifndef OMPI_MCA_HITOPO_FILE_YAML_YAML_TEXT_H
#define OMPI_MCA_HITOPO_FILE_YAML_YAML_TEXT_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/hitopo/file/yaml/text_source.h"

namespace hitopo {

inline constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 30;  // of any text

class YamlText {
public:
    // makes_readable: control characters and bytes that are no UTF-8 become text, \xe9.
    YamlText(TextSource source, bool makes_readable)
        : source_(std::move(source)), makes_readable_(makes_readable) {}

    // Copies the next bytes, at most `size`, and answers how many: 0 at the end, and where there is an
    // error.
    std::size_t read(unsigned char* bytes, std::size_t size);

    // The source's, or kTooLarge: more than 1 GiB, or more than 64 %TAG lines, in the square of which
    // libyaml takes time.
    const std::optional<Error>& error() const { return error_; }

private:
    bool fetch();
    void make_readable();
    bool has_many_tags();

    TextSource source_;
    const bool makes_readable_;
    std::string piece_;          // what was fetched
    std::size_t num_read_ = 0;   // of piece_
    std::string held_;           // the begin of a character whose end is in the next piece
    std::string last_ = "\n";    // up to four bytes before piece_, in which a %TAG may begin
    std::size_t num_bytes_ = 0;  // fetched so far
    std::size_t num_tags_ = 0;
    std::optional<Error> error_;
};

}  // namespace hitopo

#endif
