// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Names come from files, fabrics and environments: here they become harmless on terminals and in
// markup.
#ifndef OMPI_TOOLS_HITOPO_SAFE_TEXT_H
#define OMPI_TOOLS_HITOPO_SAFE_TEXT_H

#include <cstddef>
#include <string>
#include <string_view>

namespace hitopo {

enum class Charset { kAscii, kUtf8 };

// `text` with each control character (C0, C1, DEL), invisible or direction-changing character and
// byte that is not UTF-8 written as \x1b or \u{202e}; with kAscii all that is not ASCII. Printable
// text is unchanged.
std::string safe(std::string_view text, Charset charset);

// safe() and escaped for Graphviz's HTML-like labels: XML's entities, and backslashes doubled. At
// most `max_chars` characters of the safe text are kept, with an ellipsis if some are dropped.
std::string safe_markup(std::string_view text, std::size_t max_chars);

// The number of characters (code points) of UTF-8 text: the columns that names take on a terminal.
std::size_t num_columns(std::string_view text);

}  // namespace hitopo

#endif
