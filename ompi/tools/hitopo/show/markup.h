// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Names in Graphviz's HTML-like labels.
#ifndef OMPI_TOOLS_HITOPO_SHOW_MARKUP_H
#define OMPI_TOOLS_HITOPO_SHOW_MARKUP_H

#include <cstddef>
#include <string>
#include <string_view>

namespace hitopo::tool {

// safe() (core/text/safe_text.h), then escaped: XML's entities, and backslashes doubled. At most
// `max_chars` characters of the safe text are kept, with an ellipsis if some are dropped.
std::string safe_markup(std::string_view text, std::size_t max_chars);

}  // namespace hitopo::tool

#endif
