// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Names come from files, fabrics and environments: here they become harmless on terminals. And texts
// lose the byte order marks that editors and tools of other systems write before them.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_SAFE_TEXT_H
#define OMPI_MCA_HITOPO_CORE_TEXT_SAFE_TEXT_H

#include <cstddef>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

enum class Charset { kAscii, kUtf8 };

// `text` with each control character (C0, C1, DEL), invisible or direction-changing character and
// byte that is not UTF-8 written as \x1b or \u{202e}; with kAscii all that is not ASCII. Printable
// text is unchanged.
std::string safe(std::string_view text, Charset charset);

// A line of a message:
//     job.map:2:13: swich=leaf1 (hitopo_file_path): this is not a level; write cluster, island, ..
std::string line_of(const Error& error);

// `text` as UTF-8: each byte that is none is xe9 behind `backslash`; all else is unchanged.
std::string as_utf8(std::string_view text, std::string_view backslash = "\\");

// The first `max_chars` characters of valid UTF-8, with an ellipsis if some are dropped.
std::string shortened(const std::string& text, std::size_t max_chars);

// The number of characters (code points) of UTF-8 text: the columns that names take on a terminal.
std::size_t num_columns(std::string_view text);

// The text without a mark of UTF-8. kMalformed in the file `path` where it is UTF-16 or UTF-32, with a
// mark or by its zero bytes; an error that comes in goes out.
Result<std::string> plain_text(Result<std::string> text, const std::string& path);

}  // namespace hitopo

#endif
